import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Generates code around Core Data: conditions, loops, flags, groups and sets of IDs.
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

  /// Draws a set of the context's objects. Inserted objects are drawn only if some exist.
  private func ownObjects(
    of context: ContextID, _ world: World, _ choices: inout Choices
  ) -> ObjectSet {
    let hasNew = world.graph.heldCount(in: context) { $0.id.isTemporaryID && $0.isRegistered } > 0
    let sets: [ObjectSet] = [.registered, .updated, .inserted]
    return sets[choices.pick(weights: [3, 2, hasNew ? 2 : 0], from: .workload)]
  }

  /// Draws a treatment of objects. Most treatments leave the objects in place, and a read-only
  /// context gets treatments that read.
  private func treatment(in context: ContextID, _ choices: inout Choices) -> Treatment {
    let treatments: [Treatment] = [
      .touch, .refresh(mergeChanges: true), .refresh(mergeChanges: false), .mark, .edit, .delete,
    ]
    let weights = stack[context].isReadOnly ? [4, 2, 2, 0, 0, 0] : [4, 2, 2, 3, 3, 1]
    return treatments[choices.pick(weights: weights, from: .workload)]
  }

  /// Remembers the IDs of objects. Mostly, another context loops over them some steps later.
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

  /// Enters a group and schedules the step that leaves it, mostly in a block on the context's
  /// queue. A block is enqueued for when the group is empty, or the program waits for the group.
  private mutating func group(
    around context: ContextID, in world: World, depth: Int, _ choices: inout Choices
  ) -> Step? {
    // The ending of a context that serves one piece of work has to come last.
    guard depth < StepGenerator.depthLimit, !hasEnding(context) else { return nil }
    let group = GroupID(choices.draw(below: stack.groups.count, from: .workload))
    let leave = AddressedStep(context, .leave(group))
    // Leave the group once too often, as some apps do.
    if choices.chance(1, in: 32, from: .workload) { return .leave(group) }
    let end = endOfGroup(group, left: context, in: world, depth: depth, &choices)
    let sends = choices.pick(weights: [3, 1], from: .workload) == 0
    if sends, swarm.stepFilter.allows(.perform) {
      let steps = steps(for: context, in: world, depth: depth, &choices) + [leave]
      let work = AddressedStep(context, .perform(steps))
      due = [isLeftOut(work) ? AddressedStep(context, .perform([leave])) : work] + end
    } else {
      // A wait before the group is left would never end.
      due = end.filter { if case .wait = $0.step { false } else { true } } + [leave]
    }
    return .enter(group)
  }

  /// Returns the steps for when the group is empty, mostly a block of another context.
  private mutating func endOfGroup(
    _ group: GroupID, left context: ContextID, in world: World, depth: Int,
    _ choices: inout Choices
  ) -> [AddressedStep] {
    // Waiting with a queue that the group's work needs would never end.
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
  /// A Boolean value that indicates whether the step leaves a group, now or later.
  var leavesGroup: Bool {
    contains { if case .leave = $0.step { true } else { false } }
  }
}
