import SimulatedCoreData
import Vocabulary

extension InvariantChecks {
  /// Returns the checks of a level, in the order in which they see actions and report violations.
  static func list(_ level: CheckLevel, for world: World) -> [any InvariantCheck] {
    let stack = world.stack
    let contextCount = max(1, stack.contexts.count)
    var list: [any InvariantCheck] = [
      Awakenings(), Visibility(), LostUpdates(), StaleLoads(), TemporaryIDs(), Inverses(),
      SavedChanges(), Instances(), UnfinishedBlocks(judgesDesigns: level.judgesDesigns),
    ]
    switch level {
    case .soundness, .signature, .proof: break
    case .design, .scenario:
      list += [
        UnitsOfWork(contextCount: contextCount),
        EditsInProgress(contextCount: contextCount, judgesCounts: level == .scenario),
        AcknowledgedSaves(stack), Durability(world), MainQueueHolds(), QueueConfinement(),
        MainQueueRequests(stack), Losses(stack), FailedSaves(contextCount: contextCount),
        LeftoversOfFailedSaves(stack), RaisedErrors(), WillSaveLoops(),
        ReadsBeforeMerges(),
        LoadsBeforeMerges(),
        HalfDoneWork(stack), ListsAtRest(), CopiesAtRest(),
        StoredReferences(), DeletedRows(), MergedSaves(contextCount: contextCount),
        KeptPromises(world), KeptCallPromises(world),
      ]
    case .code:
      list += [
        QueueConfinement(), EditsInProgress(contextCount: contextCount, judgesCounts: true),
      ]
    }
    return list
  }
}
