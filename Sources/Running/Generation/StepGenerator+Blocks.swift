import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Generates blocks on the queues of contexts.
extension StepGenerator {
  /// The maximum depth of nested blocks. It suffices for every way in which two queues can meet.
  static let depthLimit = 2

  mutating func block(
    _ kind: Kind, for context: ContextID, in world: World, depth: Int, _ choices: inout Choices
  ) -> Step? {
    guard depth < StepGenerator.depthLimit else { return nil }
    switch kind {
    case .perform: return .perform(steps(for: context, in: world, depth: depth, &choices))
    case .performAndWait:
      return .performAndWait(steps(for: context, in: world, depth: depth, &choices))
    case .performBackgroundTask:
      var steps = steps(for: context, in: world, depth: depth, &choices)
      // Without a save, the block's changes would be lost.
      if !choices.chance(1, in: 4, from: .workload) { steps.append(AddressedStep(context, .save)) }
      return .performBackgroundTask(steps)
    case .directly:
      let steps = steps(for: context, in: world, depth: depth, &choices)
      // Legal where the context's queue is held. Elsewhere it breaks the threading rules (CC-12).
      let isHeld = depth > 0 || !choices.chance(1, in: 4, from: .workload)
      return isHeld && depth == 0
        ? .performAndWait([AddressedStep(context, .directly(steps))]) : .directly(steps)
    case .dispatchAsync, .dispatchSync:
      let queue = AppQueueID(choices.draw(below: stack.queues.count, from: .workload))
      let steps = steps(for: context, in: world, depth: depth, holdsQueue: false, &choices)
      return kind == .dispatchSync ? .sync(queue, steps) : .async(queue, steps)
    default: preconditionFailure("\(kind) is no block")
    }
  }

  /// Returns a Boolean value that indicates whether the context serves one piece of work. Then
  /// programs work in the context only in blocks that end with the entry point that discards it.
  func hasEnding(_ context: ContextID) -> Bool {
    let endings = endings[context.index]
    return !endings.isEmpty && swarm.stepFilter.allows(.call) && swarm.stepFilter.allows(.perform)
      && (swarm.stepFilter.allows(.performAndWait) || endings.allSatisfy { $0.caller == context })
  }

  /// Generates a piece of work in a context that an app makes for it. The block ends with the entry
  /// point that saves and discards the context. While the context is in use, generates a step for
  /// another context instead.
  mutating func unitOfWork(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> AddressedStep {
    if world.isInUse(context) {
      let others = contexts.filter { !hasEnding($0) }
      if others.isEmpty {
        return AddressedStep(context, .perform([AddressedStep(context, harmless(in: context))]))
      }
      let other = others[choices.draw(below: others.count, from: .workload)]
      return step(for: other, in: world, depth: 0, &choices)
    }
    let endings = endings[context.index]
    let ending = endings[choices.draw(below: endings.count, from: .workload)]
    var work: [AddressedStep] = []
    if !stack.dataPromises.isEmpty, choices.chance(1, in: 2, from: .workload) {
      work = findOrCreate(in: context, world, &choices) ?? []
    }
    for _ in 0..<choices.draw(below: 3, from: .workload) {
      work += editOfWhatIsThere(in: context, world, &choices)
    }
    if work.isEmpty || choices.chance(1, in: 2, from: .workload) {
      // A nested block that is enqueued would run after the end.
      work += steps(for: context, in: world, depth: 0, &choices).compactMap {
        $0.without { if case .perform = $0 { true } else { false } }
      }
    }
    let call = AddressedStep(ending.caller, .call(ending.entryPoint))
    if ending.caller != context {
      // The caller keeps its queue from the work to the call.
      let work = AddressedStep(context, .performAndWait(work))
      return AddressedStep(ending.caller, .perform([work, call]))
    }
    // The main queue may wait for the work meanwhile.
    let others = contexts.filter { stack[$0].concurrencyType == .mainQueue && !hasEnding($0) }
    if let main = others.first, swarm.stepFilter.allows(.waitForWork),
      choices.chance(1, in: 8, from: .workload)
    {
      due.append(wait(for: context, in: main))
    }
    return AddressedStep(context, .perform(work + [call]))
  }

  /// Calls an entry point at home, which means on the main thread or on the queue of its first
  /// context. An entry point that finishes a piece of work is called in `unitOfWork` only. `steps`
  /// drops calls while another queue is held.
  func call(in context: ContextID, _ choices: inout Choices) -> Step? {
    let entryPoints = stack.entryPoints.indices.filter { index in
      let entryPoint = EntryPointID(index)
      return !swarm.isDesigned
        || stack.isAtHome(stack.entryPoints[index], in: context)
          && !endings.contains { $0.contains { $0.entryPoint == entryPoint } }
    }
    if entryPoints.isEmpty { return nil }
    let index = entryPoints[choices.draw(below: entryPoints.count, from: .workload)]
    return .call(EntryPointID(index))
  }

  /// Finds an object that another context holds, and reads, changes or deletes it. The context is
  /// new and holds no objects yet.
  private mutating func editOfWhatIsThere(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> [AddressedStep] {
    guard let (known, property, attribute) = subject(for: context, world, &choices),
      let id = world.graph.heldID(known.context, known.name)
    else { return [] }
    let find: Step = .existingObject(with: known, as: known.name)
    let value = newValue(for: attribute, property, of: id.entity, &choices)
    let edits: [Step]
    switch choices.pick(weights: [6, 2, 1, 1], from: .workload) {
    case 0: edits = [.set(known.name, property, value)]
    case 1: edits = [.get(known.name, property), .set(known.name, property, value)]
    case 2: edits = [.get(known.name, property)]
    default: edits = [.delete(known.name)]
    }
    return ([find] + edits)
      .filter { StepGenerator.Kind(of: $0.kind).map(swarm.stepFilter.allows) ?? false }
      .map { AddressedStep(context, $0) }
  }

  /// Generates the steps of a block. The block runs on the queue of `context` if it `holdsQueue`.
  mutating func steps(
    for context: ContextID, in world: World, depth: Int, holdsQueue: Bool = true,
    _ choices: inout Choices
  ) -> [AddressedStep] {
    let count = 1 + choices.draw(below: 4, from: .workload)
    var steps: [AddressedStep] = []
    for _ in 0..<count {
      let target = target(from: context, &choices)
      var step = step(for: target, in: world, depth: depth + 1, &choices)
      if swarm.isDesigned, holdsQueue, !stack.shareQueue(target, context) {
        let isCall: (Step) -> Bool = { if case .call = $0 { true } else { false } }
        step = step.without(isCall) ?? AddressedStep(target, harmless(in: target))
      }
      steps.append(step)
      // The steps that a new object needs belong in the same block.
      steps += due
      due.removeAll()
    }
    return steps
  }

  /// Draws the context of an inner step. Mostly it is the context itself, sometimes an ancestor,
  /// and rarely any other context. Two blocks that wait for each other's context deadlock.
  private func target(from context: ContextID, _ choices: inout Choices) -> ContextID {
    guard contexts.count > 1, choices.chance(1, in: 16, from: .workload) else {
      return context
    }
    if choices.chance(1, in: 12, from: .workload) {
      let other = anyContext(&choices)
      return hasEnding(other)
        ? context : other
    }
    let above = stack.chain(from: context).filter(contexts.contains)
    return above[choices.draw(below: above.count, from: .workload)]
  }
}
