import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// What apps write around their use of Core Data: conditions, loops, flags, groups, sets of IDs.
extension StepGenerator {
  mutating func partOfApp(
    _ kind: Kind, for context: ContextID, in world: World, depth: Int, _ choices: inout Choices
  ) -> Step? {
    switch kind {
    case .when:
      guard depth < StepGenerator.depthLimit else { return nil }
      if choices.chance(1, in: 4, from: .workload) {
        return .trying(steps(for: context, in: world, depth: depth, &choices))
      }
      let condition = condition(&choices)
      return .when(condition, steps(for: context, in: world, depth: depth, &choices))
    case .forEach: return loop(in: context, world, &choices)
    case .raise:
      let flag = FlagID(choices.draw(below: stack.flags.count, from: .workload))
      return .setFlag(flag, !choices.chance(1, in: 3, from: .workload))
    case .enter: return group(around: context, in: world, depth: depth, &choices)
    case .remember: return remember(in: context, world, &choices)
    default: preconditionFailure("\(kind) is no part of an app")
    }
  }

  private func condition(_ choices: inout Choices) -> Condition {
    let asksFlags = !stack.flags.isEmpty && swarm.stepFilter.allows(.raise)
    let weights = [4, asksFlags ? 6 : 0, 1, 1]
    let question: Condition.Question
    switch choices.pick(weights: weights, from: .workload) {
    case 0: question = .hasChanges
    case 1: question = .isRaised(FlagID(choices.draw(below: stack.flags.count, from: .workload)))
    case 2: question = .onMainThread
    default: question = .offMainThread
    }
    return Condition(question, isNegated: choices.chance(1, in: 3, from: .workload))
  }

  // MARK: Loops

  private func loop(in context: ContextID, _ world: World, _ choices: inout Choices) -> Step {
    let sets = stack.idSets.count
    let remembered = choices.draw(below: sets == 0 ? 1 : 3, from: .workload) > 0
    let objects =
      remembered
      ? .remembered(IDSetID(choices.draw(below: sets, from: .workload)))
      : ownObjects(of: context, world, &choices)
    return .forEach(objects, treatment(in: context, &choices))
  }

  /// Objects that the context has; new ones only where there are any.
  private func ownObjects(
    of context: ContextID, _ world: World, _ choices: inout Choices
  ) -> ObjectSet {
    let hasNew = world.graph.heldCount(in: context) { $0.id.isTemporaryID && $0.isRegistered } > 0
    let sets: [ObjectSet] = [.registered, .updated, .inserted]
    return sets[choices.pick(weights: [3, 2, hasNew ? 2 : 0], from: .workload)]
  }

  /// Mostly one after which there are still objects; where the app only reads, one that reads.
  private func treatment(in context: ContextID, _ choices: inout Choices) -> Treatment {
    let treatments: [Treatment] = [
      .touch, .refresh(mergeChanges: true), .refresh(mergeChanges: false), .mark, .edit, .delete,
    ]
    let weights = stack[context].isReadOnly ? [4, 2, 2, 0, 0, 0] : [4, 2, 2, 3, 3, 1]
    return treatments[choices.pick(weights: weights, from: .workload)]
  }

  /// Keeps the IDs of objects; some steps later, mostly, another context goes through them.
  private mutating func remember(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step {
    let ids = IDSetID(choices.draw(below: stack.idSets.count, from: .workload))
    if choices.chance(1, in: 8, from: .workload) { return .forget(ids) }
    if swarm.stepFilter.allows(.forEach), !choices.chance(1, in: 4, from: .workload) {
      let other = anyContext(&choices)
      let loop = AddressedStep(other, .forEach(.remembered(ids), treatment(in: other, &choices)))
      let forgets =
        swarm.stepFilter.allows(.performAndWait) && choices.chance(1, in: 2, from: .workload)
      postpone(
        forgets
          ? AddressedStep(other, .performAndWait([loop, AddressedStep(other, .forget(ids))]))
          : loop, &choices)
    }
    return .remember(ids, ownObjects(of: context, world, &choices))
  }

  // MARK: Groups

  /// Enters a group and has it left: by a block on the context's queue, mostly. What is to follow
  /// is enqueued for when the group is empty, or the program waits for that.
  private mutating func group(
    around context: ContextID, in world: World, depth: Int, _ choices: inout Choices
  ) -> Step? {
    // What finishes a context made for one piece of work has to come last.
    guard depth < StepGenerator.depthLimit, !hasEnding(context) else { return nil }
    let group = GroupID(choices.draw(below: stack.groups.count, from: .workload))
    let leave = AddressedStep(context, .leave(group))
    // Once too often, as some apps do.
    if choices.chance(1, in: 32, from: .workload) { return .leave(group) }
    let end = endOfGroup(group, left: context, in: world, depth: depth, &choices)
    let sends = choices.pick(weights: [3, 1], from: .workload) == 0
    if sends, swarm.stepFilter.allows(.perform) {
      let steps = steps(for: context, in: world, depth: depth, &choices) + [leave]
      let work = AddressedStep(context, .perform(steps))
      due = [isLeftOut(work) ? AddressedStep(context, .perform([leave])) : work] + end
    } else {
      // Not after a wait, which would be for good.
      due = end.filter { if case .wait = $0.step { false } else { true } } + [leave]
    }
    return .enter(group)
  }

  /// What comes when the group is empty: mostly a block of another context.
  private mutating func endOfGroup(
    _ group: GroupID, left context: ContextID, in world: World, depth: Int,
    _ choices: inout Choices
  ) -> [AddressedStep] {
    // To wait with the queue that the work of the group needs would be for good.
    let mayWait = depth == 0 && !stack[context].isOnMainQueue
    switch choices.pick(weights: [4, mayWait ? 2 : 0, 1], from: .workload) {
    case 0:
      let other = anyContext(&choices)
      let steps = steps(for: other, in: world, depth: depth, &choices)
      let notified = AddressedStep(other, .notify(group, steps))
      return isLeftOut(notified) || hasEnding(other) ? [] : [notified]
    case 1: return [AddressedStep(context, .wait(group))]
    default: return []
    }
  }
}

extension AddressedStep {
  /// Whether it leaves a group, now or later.
  var leavesGroup: Bool {
    contains { if case .leave = $0.step { true } else { false } }
  }
}
