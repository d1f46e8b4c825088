import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Blocks on the queues of contexts.
extension StepGenerator {
  /// Blocks in blocks: enough for every way in which two queues can meet.
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
      // Without a save, all that the block did is lost.
      if !choices.chance(1, in: 4, from: .workload) { steps.append(AddressedStep(context, .save)) }
      return .performBackgroundTask(steps)
    case .directly:
      let steps = steps(for: context, in: world, depth: depth, &choices)
      // Right where the context's queue is held; from elsewhere it is against the rules (CC-12).
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

  /// Whether the program works in the context only in blocks that end with the entry point that
  /// throws it away.
  func hasEnding(_ context: ContextID) -> Bool {
    let endings = endings[context.index]
    return !endings.isEmpty && swarm.stepFilter.allows(.call) && swarm.stepFilter.allows(.perform)
      && (swarm.stepFilter.allows(.performAndWait) || endings.allSatisfy { $0.caller == context })
  }

  /// What an app does in a context that it makes for one piece of work: that, and then the entry
  /// point that saves and throws the context away. While it is in use, that would be the context of
  /// another piece of work: the program goes on elsewhere.
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
    if !stack.promises.isEmpty, choices.chance(1, in: 2, from: .workload) {
      work = findOrCreate(in: context, world, &choices) ?? []
    }
    for _ in 0..<choices.draw(below: 3, from: .workload) {
      work += editOfWhatIsThere(in: context, world, &choices)
    }
    if work.isEmpty || choices.chance(1, in: 2, from: .workload) {
      // What a block in it enqueued would come after the end.
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
    // Meanwhile the main queue may wait for it.
    let others = contexts.filter { stack[$0].concurrencyType == .mainQueue && !hasEnding($0) }
    if let main = others.first, swarm.stepFilter.allows(.waitForWork),
      choices.chance(1, in: 8, from: .workload)
    {
      due.append(wait(for: context, in: main))
    }
    return AddressedStep(context, .perform(work + [call]))
  }

  /// A call of an entry point at its home. One that finishes a piece of work is called in
  /// `unitOfWork` alone, and `steps` leaves out calls with another queue held.
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

  /// Finds an object that another context holds, and reads, changes or deletes it: the context is
  /// new, and holds nothing by itself.
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

  /// The steps of a block, which runs on the queue of `context` if it `holdsQueue`.
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
      // The steps that a new object needs belong into the same block.
      steps += due
      due.removeAll()
    }
    return steps
  }

  /// The context itself, mostly; else one above it, as Core Data waits too; and rarely any other,
  /// which two blocks can do to each other until neither can go on.
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
