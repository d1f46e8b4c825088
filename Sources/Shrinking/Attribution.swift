package import Failures
import Determinism
package import Execution
import Invariants
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Finds the cause of a failure: the same steps again, with one suspect at a time turned off.
package struct Attribution {
  let configuration: RunConfiguration

  package init(_ configuration: RunConfiguration) { self.configuration = configuration }

  /// The narrowest first: without temporary IDs, or without a second awakening, so much goes
  /// another way that other violations vanish by the way.
  private static let suspects: [Quirk] = [
    .childSaveIgnoresEqualValues, .childSaveIgnoresMergePolicy, .ancestorCacheHidesUpdates,
    .rowHasTwoInstances, .inaccessibleFaultRaises, .deletedInsertReportsNotDeleted,
    .mergeNotificationLacksObjects,
    .parentAwakensInsertedObject, .childKeepsTemporaryID,
  ]

  /// Contested quirks were asked for by name and come first.
  private func suspects(for target: FailureSignature) -> [Quirk] {
    guard let suspicion = target.kind.invariant?.definition.suspicion, suspicion.includesQuirks
    else {
      return []
    }
    let main: [Quirk] =
      if case .quirk(let quirk)? = target.kind.anomaly?.mainSuspect { [quirk] } else { [] }
    let order = Quirk.contested + main + Attribution.suspects.filter { !main.contains($0) }
    return order.filter(configuration.quirks.contains)
  }

  /// Nil for a disagreement that no planted bug explains: it is no failure of the program. Costs
  /// some ten runs.
  package func cause(of target: FailureSignature, in program: Program) -> Cause? {
    for bug in PlantedBug.allCases
    where configuration.bugs.contains(bug) && !fails(program, as: target, withoutBug: bug) {
      return .plantedBug(bug)
    }
    guard let suspicion = target.kind.invariant?.definition.suspicion else { return nil }
    if case .bypass(let bypass)? = target.kind.anomaly?.mainSuspect,
      depends(program, on: bypass.takes, for: target)
    {
      return .bypass(bypass)
    }
    // No fact says what becomes of an object that is inserted again once its insertion is over, and
    // to insert a pending one again is the program's doing, too.
    if depends(program, on: \.insertsAgain, for: target) { return .program }
    if suspicion.includesDeleteRules, !depends(program, on: \.refreshes, for: target) {
      var changed = program
      changed.model = program.model.replacing(.noAction, by: .nullify)
      if changed.model != program.model, !fails(changed, as: target) { return .noActionRule }
      changed.model = program.model.givingInverses()
      if changed.model != program.model, !fails(changed, as: target) { return .missingInverse }
      if dangles(program, as: target, where: program.model.canBeGivenNoInverse) {
        return .missingInverse
      }
    }
    let quirks = suspects(for: target)
    if let cause = cause(among: quirks, of: target, in: program, suspicion) { return cause }
    if suspicion.includesErrorPolicy, isPrevented(target, in: program, bySettling: .error) {
      return .mergePolicy(.error)
    }
    if suspicion.includesMergePolicies, let policy = mergePolicy(of: target, in: program) {
      return .mergePolicy(policy)
    }
    // Where the quirk goes past a policy that would do the same, it does not matter which part of
    // the design saves, or when.
    if suspicion.includesQuirksWithPolicies,
      case .quirk(let quirk)? = target.kind.anomaly?.mainSuspect, quirks.contains(quirk),
      let policy = mergePolicy(of: target, in: program, without: [quirk])
    {
      return .quirkAndPolicy(quirk, policy)
    }
    // No merge or observer causes what has passed the contexts by.
    if suspicion.includesBypasses {
      for bypass in Bypass.allCases where depends(program, on: bypass.takes, for: target) {
        return .bypass(bypass)
      }
    }
    if suspicion.conclusion == .shapeOfStack, isPreventedByOneCoordinator(target, in: program) {
      return .severalCoordinators
    }
    if let cause = partOfStack(of: target, in: program, suspicion.parts) { return cause }
    if program.isInterleaved, suspicion.includesInterleaving {
      var changed = program
      changed.isInterleaved = false
      if !fails(changed, as: target), !failsHoweverScheduled(program, as: target) {
        return .interleaving
      }
    }
    return pair(of: quirks, for: target, in: program, suspicion)
      ?? conclusion(suspicion.conclusion, for: target, in: program)
  }

  /// Whether the relationship that leads nowhere is such a one, and the context that has deleted
  /// its destination knew of it.
  private func dangles(
    _ program: Program, as target: FailureSignature,
    where isSuch: (EntityID, PropertyID) -> Bool
  ) -> Bool {
    guard target.kind.invariant == .StoredReferencesLeadToRows else { return false }
    return ProgramRunner(configuration).run(program).violations.contains { violation in
      guard violation.kind == target.kind, let object = violation.object,
        let property = violation.property
      else { return false }
      // The deletion and the reference come before what the store has.
      let contexts = violation.proof.dropLast().map(\.context)
      return isSuch(object.entity, property)
        && violation.proof.contains { $0.operation == .deletes }
        && contexts.count == 2 && contexts[0] == contexts[1]
    }
  }

  /// The first of these quirks without which it does not happen, or the merge policy that explains
  /// it better.
  private func cause(
    among quirks: [Quirk], of target: FailureSignature, in program: Program, _ suspicion: Suspicion
  ) -> Cause? {
    guard let quirk = quirks.first(where: { !fails(program, as: target, without: [$0]) }) else {
      return nil
    }
    // No policy settles a child's save under this quirk: one that is needed has settled a root's.
    if quirk == .childSaveIgnoresMergePolicy, suspicion.includesMergePolicies,
      let policy = mergePolicy(of: target, in: program)
    {
      return .mergePolicy(policy)
    }
    return .quirk(quirk)
  }

  /// Two quirks, or a quirk and a merge policy, each of which is enough.
  private func pair(
    of quirks: [Quirk], for target: FailureSignature, in program: Program, _ suspicion: Suspicion
  ) -> Cause? {
    for (index, first) in quirks.enumerated() {
      for second in quirks[(index + 1)...]
      where !fails(program, as: target, without: [first, second]) {
        return .quirks(first, second)
      }
    }
    guard suspicion.includesQuirksWithPolicies else { return nil }
    for quirk in quirks {
      if let policy = mergePolicy(of: target, in: program, without: [quirk]) {
        return .quirkAndPolicy(quirk, policy)
      }
    }
    return nil
  }

  /// What remains when nothing that can be turned off is the cause.
  private func conclusion(
    _ conclusion: Suspicion.Conclusion, for target: FailureSignature, in program: Program
  ) -> Cause {
    switch conclusion {
    case .program: return .program
    case .design: return .design
    case .programIfItMerges:
      return depends(program, on: \.merges, for: target) ? .program : .design
    case .programIfInOneContext: return program.isInOneContext ? .program : .design
    case .programIfInOneContextOrItRollsBack:
      return program.isInOneContext || depends(program, on: { $0 == .rollback }, for: target)
        ? .program : .design
    case .programIfItRefreshes:
      return depends(program, on: \.refreshes, for: target) ? .program : .design
    case .programUnlessPart: return target.detail?.part == nil ? .program : .design
    case .shapeOfStack:
      if program.stack.coordinators.count > 1 { return .severalCoordinators }
      let roots = program.stack.contextIDs.count { program.stack.parent(of: $0) == nil }
      return roots > 1 ? .severalRoots : .program
    }
  }

  /// The policy without which it would not happen, if all contexts that have it had `error`.
  private func mergePolicy(
    of target: FailureSignature, in program: Program, without quirks: [Quirk] = []
  ) -> MergePolicy? {
    var tried: [MergePolicy] = [.error]
    for policy in program.stack.contexts.map(\.mergePolicy) where !tried.contains(policy) {
      tried.append(policy)
      let changed = program.replacing(policy, by: .error)
      if !fails(changed, as: target, without: quirks) { return policy }
    }
    return nil
  }

  /// Whether the failure does not happen if contexts with `policy` settle conflicts instead.
  private func isPrevented(
    _ target: FailureSignature, in program: Program, bySettling policy: MergePolicy
  ) -> Bool {
    let changed = program.replacing(policy, by: .mergeByPropertyObjectTrump)
    return changed.stack != program.stack && !fails(changed, as: target)
  }

  /// Whether the failure does not happen if all roots stand on one coordinator, which has the
  /// stores of all.
  private func isPreventedByOneCoordinator(
    _ target: FailureSignature, in program: Program
  ) -> Bool {
    let coordinators = program.stack.coordinators
    // What is inserted goes to the same store as before: the first that takes it.
    let widest = coordinators.indices.first { index in
      coordinators.allSatisfy { coordinators[index].stores.starts(with: $0.stores) }
    }
    guard coordinators.count > 1, let widest else { return false }
    var changed = program
    for index in changed.stack.contexts.indices {
      if case .coordinator = changed.stack.contexts[index].parent {
        changed.stack.contexts[index].parent = .coordinator(CoordinatorID(widest))
      }
    }
    return !fails(changed, as: target)
  }

  func depends(
    _ program: Program, on isSuspect: (Step) -> Bool, for target: FailureSignature
  ) -> Bool {
    var changed = program
    changed.steps = program.steps.compactMap { $0.without(isSuspect) }
    return changed.steps != program.steps && !fails(changed, as: target)
  }

  /// How many other schedules a change must stand up to.
  private static let scheduleCount = 24

  /// Whether `program`, the failing one with something changed, fails in the same way: where the
  /// program is interleaved, under one of several schedules. A change may turn the schedule another
  /// way, or let another context be the one that comes too late; it prevents nothing by that.
  func fails(
    _ program: Program, as target: FailureSignature, without quirks: [Quirk] = [],
    withoutBug bug: PlantedBug? = nil
  ) -> Bool {
    var configuration = configuration
    if let bug { configuration.bugs.remove(bug) }
    for quirk in quirks { configuration.quirks.remove(quirk) }
    let runner = ProgramRunner(configuration)
    let outcome = runner.run(program)
    if outcome.shows(target) { return true }
    guard program.isInterleaved, bug == nil else { return false }
    return schedules(beside: outcome).contains { schedule in
      var other = program
      other.schedule = schedule
      return runner.run(other).shows(target)
    }
  }

  /// Whether each of several schedules makes the program fail: then their order is not the cause,
  /// even if it does not fail where each step waits for all that it has set off.
  private func failsHoweverScheduled(_ program: Program, as target: FailureSignature) -> Bool {
    let runner = ProgramRunner(configuration)
    return schedules(beside: runner.run(program)).allSatisfy { schedule in
      var other = program
      other.schedule = schedule
      return runner.run(other).shows(target)
    }
  }

  /// Schedules for a program of which one run is known; none if it had nothing to choose.
  private func schedules(beside outcome: Outcome) -> [[UInt32]] {
    guard let most = outcome.alternativeCounts.max() else { return [] }
    var generator = Generator(seed: 1)
    // Choices that are out of bounds are lowered.
    return (0..<Attribution.scheduleCount).map { _ in
      outcome.alternativeCounts.map { _ in UInt32(generator.next(below: most)) }
    }
  }
}

extension Outcome {
  /// Whether it has a failure of this kind that comes about in the same ways, in whichever context
  /// and by whichever step it shows.
  fileprivate func shows(_ target: FailureSignature) -> Bool {
    failures.contains { failure in
      guard failure.kind == target.kind else { return false }
      guard let ways = failure.detail?.ways, let known = target.detail?.ways else { return true }
      return ways.isSubset(of: known)
    }
  }
}

extension Program {
  /// With another merge policy for all contexts that have `old`.
  fileprivate func replacing(_ old: MergePolicy, by new: MergePolicy) -> Program {
    var changed = self
    for index in stack.contexts.indices where stack.contexts[index].mergePolicy == old {
      changed.stack.contexts[index].mergePolicy = new
    }
    return changed
  }

  /// Whether its steps are all in one context, and none calls an entry point.
  fileprivate var isInOneContext: Bool {
    guard let context = steps.first?.context else { return false }
    return steps.allSatisfy { step in
      !step.contains { $0.context != context || $0.step.isCall }
    }
  }
}

extension Step {
  var isCall: Bool { if case .call = self { true } else { false } }
  fileprivate var refreshes: Bool {
    switch self {
    case .refresh, .refreshAllObjects: true
    default: false
    }
  }
  fileprivate var insertsAgain: Bool {
    if case .insertAgain = self { true } else { false }
  }
  var merges: Bool {
    switch self {
    case .mergeChanges, .mergeRemoteChanges, .mergeHistory: true
    default: false
    }
  }
}
