import Failures
import SimulatedCoreData
import Vocabulary

extension InvariantChecks {
  /// Returns the checks of a level, in the order in which they see actions and report violations.
  ///
  /// - Parameter judged: The invariants whose checks are returned, or `nil` for all of the level.
  static func list(
    _ level: CheckLevel, judging judged: [Invariant]?, for world: World
  ) -> [any InvariantCheck] {
    guard let judged else {
      var list = CheckList(wanted: nil)
      list.addChecks(of: level, for: world)
      return list.checks
    }
    // A first list collects which checks report the same invariants, and makes none.
    var groups = CheckList(wanted: [])
    groups.addChecks(of: level, for: world)
    var list = CheckList(wanted: groups.related(to: judged))
    list.addChecks(of: level, for: world)
    return list.checks
  }
}

/// The checks of a run while they are listed.
private struct CheckList {
  /// The invariants whose checks are made, or `nil` for all.
  let wanted: Set<Invariant>?
  private(set) var checks: [any InvariantCheck] = []
  /// The invariants of each check, made or not.
  private var groups: [[Invariant]] = []

  init(wanted: Set<Invariant>?) { self.wanted = wanted }

  /// Adds a check. One that is not wanted is not made, because some derive tables from the stack.
  private mutating func add<Check: InvariantCheck>(_ check: @autoclosure () -> Check) {
    groups.append(Check.invariants)
    if let wanted, wanted.isDisjoint(with: Check.invariants) { return }
    checks.append(check())
  }

  /// Returns these invariants and those that are judged together with them. A check that reports
  /// several invariants may turn a violation of one, found by another check, into one of the other.
  func related(to judged: [Invariant]) -> Set<Invariant> {
    var related = Set(judged)
    var count = 0
    while related.count > count {
      count = related.count
      for group in groups where !related.isDisjoint(with: group) { related.formUnion(group) }
    }
    return related
  }

  mutating func addChecks(of level: CheckLevel, for world: World) {
    let stack = world.stack
    let contextCount = max(1, stack.contexts.count)
    add(Awakenings())
    add(Visibility())
    add(LostUpdates())
    add(StaleLoads())
    add(TemporaryIDs())
    add(Inverses())
    add(SavedChanges())
    add(Instances())
    add(UnfinishedBlocks(judgesDesigns: level.judgesDesigns))
    switch level {
    case .soundness, .signature, .proof: break
    case .design, .scenario:
      add(UnitsOfWork(contextCount: contextCount))
      add(EditsInProgress(contextCount: contextCount, judgesCounts: level == .scenario))
      add(AcknowledgedSaves(stack))
      add(Durability(world))
      add(MainQueueHolds())
      add(QueueConfinement())
      add(MainQueueRequests(stack))
      add(Losses(stack))
      add(FailedSaves(contextCount: contextCount))
      add(LeftoversOfFailedSaves(stack))
      add(RaisedErrors())
      add(WillSaveLoops())
      add(ReadsBeforeMerges())
      add(LoadsBeforeMerges())
      add(HalfDoneWork(stack))
      add(ListsAtRest())
      add(CopiesAtRest())
      add(StoredReferences())
      add(DeletedRows())
      add(MergedSaves(contextCount: contextCount))
      add(EarlyReads(stack))
      add(KeptPromises(world))
      add(KeptCallPromises(world))
      add(KeptProperties(world))
      add(KeptContextPromises(world))
    case .code:
      add(QueueConfinement())
      add(EditsInProgress(contextCount: contextCount, judgesCounts: true))
      add(KeptPromises(world, judgesCode: true))
    }
  }
}
