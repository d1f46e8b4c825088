package import Execution
package import Invariants
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

  /// The quirk that a kind of violation is named after. Another that it cannot do without either is
  /// the worse explanation.
  private static func mainSuspect(for kind: String) -> Quirk? {
    if Violation.Site.of(kind) != .program { return nil }
    return switch Invariant.of(kind) {
    case .NoTemporaryIDOutlivesItsSave: .childKeepsTemporaryID
    case .ObjectsAwakenOnce: .parentAwakensInsertedObject
    case .OneRowOneInstance: .rowHasTwoInstances
    case .SavedUpdatesAreNotLost: .childSaveIgnoresMergePolicy
    case .SavesAreNotIgnored: .childSaveIgnoresEqualValues
    case .LoadsShowTheNewest: .ancestorCacheHidesUpdates
    default: nil
    }
  }

  /// Those that no quirk and no policy has to do with: where things stand, and when they are done.
  private static func isAboutQueuesAndLevels(_ invariant: Invariant?) -> Bool {
    switch invariant {
    case .ContextsKeepToTheirQueues, .MainQueueKeepsWithinItsBudget, .MainQueueAsksNoStore,
      .AcknowledgedSavesOutliveAKill, .ContextsTakeNothingWithThem, .KillsLeaveWhatWasCommitted:
      true
    default: false
    }
  }

  /// Contested quirks were asked for by name and come first.
  private func suspects(for kind: String) -> [Quirk] {
    if Attribution.isAboutQueuesAndLevels(Invariant.of(kind)) { return [] }
    let main = [Attribution.mainSuspect(for: kind)].compactMap(\.self)
    let order = Quirk.contested + main + Attribution.suspects.filter { !main.contains($0) }
    return order.filter(configuration.quirks.contains)
  }

  /// Nil for a disagreement that no planted bug explains: it is no failure of the program. Costs
  /// some ten runs.
  package func cause(of kind: String, in program: Program) -> Cause? {
    for bug in PlantedBug.allCases
    where configuration.bugs.contains(bug) && !fails(program, as: kind, withoutBug: bug) {
      return .plantedBug(bug)
    }
    guard let invariant = Invariant.of(kind) else { return nil }
    // A row cache is behind because something went past it, whatever else it takes to see that.
    if kind == Violation.staleRowCache, depends(program, on: .batchRequests, for: kind) {
      return .bypass(.batchRequests)
    }
    let quirks = suspects(for: kind)
    for quirk in quirks where !fails(program, as: kind, without: [quirk]) { return .quirk(quirk) }
    if !Attribution.isAboutQueuesAndLevels(invariant) {
      // Lists are wrong by what they are told, not by what is saved.
      if invariant != .ListsShowTheStores, let policy = mergePolicy(of: kind, in: program) {
        return .mergePolicy(policy)
      }
      // No merge or observer is to blame for what has passed the contexts by.
      for bypass in Bypass.allCases where depends(program, on: bypass, for: kind) {
        return .bypass(bypass)
      }
    }
    for index in program.stack.contexts.indices
    where program.stack.contexts[index].automaticallyMergesChangesFromParent {
      var changed = program
      changed.stack.contexts[index].automaticallyMergesChangesFromParent = false
      if !fails(changed, as: kind) { return .automaticMerge }
    }
    for index in program.stack.observers.indices {
      var changed = program
      changed.stack.observers.remove(at: index)
      if !fails(changed, as: kind) { return .observer }
    }
    if Violation.Site.of(kind) == .stack, depends(program, on: \.isCall, for: kind) {
      return .entryPoint
    }
    // How long something takes depends on who came first, always; that is what designs are about.
    if program.isInterleaved, !Attribution.isAboutQueuesAndLevels(invariant) {
      var changed = program
      changed.isInterleaved = false
      if !fails(changed, as: kind) { return .interleaving }
    }
    for (index, first) in quirks.enumerated() {
      for second in quirks[(index + 1)...]
      where !fails(program, as: kind, without: [first, second]) {
        return .quirks(first, second)
      }
    }
    if invariant == .SavedUpdatesAreNotLost || invariant == .SavesAreNotIgnored {
      for quirk in quirks {
        if let policy = mergePolicy(of: kind, in: program, without: [quirk]) {
          return .quirkAndPolicy(quirk, policy)
        }
      }
    }
    switch invariant {
    // Nobody else has merged.
    case .MergedUpdatesAreNotLost where depends(program, on: \.merges, for: kind): return .program
    // What makes the main queue sleep is no design.
    case .MainQueueKeepsWithinItsBudget:
      var changed = program
      changed.steps = program.steps.map { program.stack.awake($0, isOnMainQueue: false) }
      return changed.steps != program.steps && !fails(changed, as: kind) ? .program : .design
    // Whoever goes past the queue, or drops a context, says so in a step.
    case .ContextsKeepToTheirQueues, .ContextsTakeNothingWithThem: return .program
    case .WaitForGraphIsAcyclic: return .design
    case let invariant where invariant.judgesDesign: return .design
    default: break
    }
    if program.stack.coordinators.count > 1 { return .severalCoordinators }
    let roots = program.stack.contextIDs.count { program.stack.parent(of: $0) == nil }
    return roots > 1 ? .severalRoots : .program
  }

  /// The policy of a context that would not be in it under `error`.
  private func mergePolicy(
    of kind: String, in program: Program, without quirks: [Quirk] = []
  ) -> MergePolicy? {
    for context in program.stack.contextIDs {
      let policy = program.stack[context].mergePolicy
      guard policy != .error else { continue }
      var changed = program
      changed.stack.contexts[context.index].mergePolicy = .error
      if !fails(changed, as: kind, without: quirks) { return policy }
    }
    return nil
  }

  private func depends(_ program: Program, on bypass: Bypass, for kind: String) -> Bool {
    // What waits for what is a matter of queues; any step less changes who comes first.
    if Invariant.of(kind) == .WaitForGraphIsAcyclic { return false }
    return depends(program, on: bypass.takes, for: kind)
  }

  private func depends(
    _ program: Program, on isSuspect: (Step) -> Bool, for kind: String
  ) -> Bool {
    var changed = program
    changed.steps = program.steps.compactMap { $0.without(isSuspect) }
    return changed.steps != program.steps && !fails(changed, as: kind)
  }

  private func fails(
    _ program: Program, as kind: String, without quirks: [Quirk] = [],
    withoutBug bug: PlantedBug? = nil
  ) -> Bool {
    var configuration = configuration
    if let bug { configuration.bugs.remove(bug) }
    for quirk in quirks { configuration.quirks.remove(quirk) }
    return ProgramRunner(configuration).run(program).identities.contains(kind)
  }
}

extension Stack {
  /// Without what sleeps in a block on the main queue. Whose step a sleep is does not matter: the
  /// lane sleeps that runs the block.
  fileprivate func awake(_ step: AddressedStep, isOnMainQueue: Bool) -> AddressedStep {
    guard let block = step.step.block else { return step }
    let isInside =
      if case .directly = step.step {
        isOnMainQueue
      } else {
        !step.step.isOnAppQueue && self[step.context].isOnMainQueue
      }
    let rest = block.filter { !(isInside && $0.step.isSleep) }
    return AddressedStep(
      step.context, step.step.withBlock(rest.map { awake($0, isOnMainQueue: isInside) }))
  }
}

extension Step {
  fileprivate var isCall: Bool { if case .call = self { true } else { false } }
  fileprivate var isSleep: Bool { if case .sleep = self { true } else { false } }
  fileprivate var merges: Bool {
    switch self {
    case .mergeChanges, .mergeRemoteChanges, .mergeHistory: true
    default: false
    }
  }
}
