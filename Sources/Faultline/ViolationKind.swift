/// What a violation is called: the anomaly, and where it happened if that makes it another one.
///
/// The raw value is the name in reports, and in claims such as `shows  lost update`. The README of
/// the scenarios says which invariant each violates.
public enum ViolationKind: String, CaseIterable, Sendable {
  case temporaryIDLeak = "temporary ID leak"
  case duplicateAwakeFromInsert = "duplicate awakeFromInsert"
  case twoInstancesForOneRow = "two instances for one row"
  case brokenInverse = "broken inverse"
  case dirtyRead = "dirty read"
  case lostSave = "lost save"
  case abortedRead = "aborted read"
  case lostUpdate = "lost update"
  case lostUpdateInTheStore = "lost update in the store"
  case silentlyIgnoredSave = "silently ignored save"
  case silentlyIgnoredSaveInTheStore = "silently ignored save in the store"
  case staleReadThroughACachedAncestor = "stale read through a cached ancestor"
  case staleReadThroughTheRowCache = "stale read through the row cache"
  case lostBlock = "lost block"
  case deadlock = "deadlock"
  case deadlockByTheStack = "deadlock by the stack"
  case endlessReaction = "endless reaction"
  case nonRepeatableRead = "non-repeatable read"
  case lostUpdateThroughAMerge = "lost update through a merge"
  case lostUpdateThroughAMergeInTheStore = "lost update through a merge in the store"
  case writeSkew = "write skew"
  case writeSkewInTheStore = "write skew in the store"
  case staleList = "stale list"
  case wrongQueueAccess = "wrong-queue access"
  case wrongQueueAccessByTheStack = "wrong-queue access by the stack"
  case mainQueueBlocked = "main queue blocked"
  case storeAccessOnTheMainQueue = "store access on the main queue"
  case acknowledgedSaveGone = "acknowledged save gone"
  case unsavedChangesDiscarded = "unsaved changes discarded"
  case unsavedChangesDiscardedByTheStack = "unsaved changes discarded by the stack"
  case tornStore = "torn store"
  /// A save of the program fails by a conflict with what another context has saved.
  case failedSave = "failed save"
  /// A save that an observer or entry point calls fails by a conflict.
  case failedSaveByTheStack = "failed save by the stack"
  /// A save meets a conflict by which a save of this context has failed before.
  case saveFailsForGood = "save fails for good"
  /// A step of the program raises an error because the row of its object is gone.
  case raisedError = "raised error"
  /// A step of an observer or entry point does not find its object.
  case raisedErrorByTheStack = "raised error by the stack"
  /// At the end a context that merges nothing shows an old value, or a deleted object.
  case staleCopy = "stale copy"
  /// At the end a context that merges what others save shows an old value, or a deleted object.
  case staleCopyInAFollowingContext = "stale copy in a following context"
  /// A program reads an old value between a save and the merge that brings the new one.
  case staleReadBeforeAMerge = "stale read before a merge"
  /// At the end a relationship in a store leads to an object that no store has.
  case danglingReference = "dangling reference"
}
