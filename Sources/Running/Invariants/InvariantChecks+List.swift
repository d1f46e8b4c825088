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
    let stack = world.stack
    let contextCount = max(1, stack.contexts.count)
    var list: [any InvariantCheck] = []
    // A check that is not wanted is not made, because some derive tables from the stack.
    func add<Check: InvariantCheck>(_ check: @autoclosure () -> Check) {
      if judged.map({ Check.invariants.contains(where: $0.contains) }) ?? true {
        list.append(check())
      }
    }
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
      add(KeptPromises(world))
      add(KeptCallPromises(world))
    case .code:
      add(QueueConfinement())
      add(EditsInProgress(contextCount: contextCount, judgesCounts: true))
    }
    return list
  }
}
