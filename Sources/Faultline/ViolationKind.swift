/// A kind of violation: an anomaly, and its site where the site makes it a different finding.
///
/// The raw value is the name in reports, and in claims such as `shows  lost update`. The README of
/// the scenarios lists the invariant that each kind violates.
public enum ViolationKind: String, CaseIterable, Sendable {
  /// A context refers to an object by its temporary ID after the object was saved.
  case temporaryIDLeak = "temporary ID leak"
  /// A part of the design looks an object up by a remembered temporary ID, although the object has
  /// been saved under a permanent ID.
  case temporaryIDLeakByTheStack = "temporary ID leak by the stack"
  /// `awakeFromInsert` is called more than once for an object.
  case duplicateAwakeFromInsert = "duplicate awakeFromInsert"
  /// A context has two instances for one row.
  case twoInstancesForOneRow = "two instances for one row"
  /// A relationship contradicts its inverse.
  case brokenInverse = "broken inverse"
  /// A context shows an unsaved change of a descendant or a sibling.
  case dirtyRead = "dirty read"
  /// A root's save reports a change that is not in the store.
  case lostSave = "lost save"
  /// A context shows a value that it loaded from an ancestor and that was rolled back there.
  case abortedRead = "aborted read"
  /// A save overwrites a value in the parent that its context has never seen.
  case lostUpdate = "lost update"
  /// A save overwrites a value in the store that its context has never seen.
  case lostUpdateInTheStore = "lost update in the store"
  /// A child's save succeeds, and a value that it set is missing in the parent.
  case silentlyIgnoredSave = "silently ignored save"
  /// A root's save succeeds, and a value that it set is missing in the store.
  case silentlyIgnoredSaveInTheStore = "silently ignored save in the store"
  /// A load shows an old value that an ancestor still has.
  case staleReadThroughACachedAncestor = "stale read through a cached ancestor"
  /// A load shows an old value that the row cache still has.
  case staleReadThroughTheRowCache = "stale read through the row cache"
  /// An enqueued block has never run.
  case lostBlock = "lost block"
  /// Lanes wait for each other, so that the wait-for graph has a cycle.
  case deadlock = "deadlock"
  /// Lanes wait for each other, and steps of the stack's observers or entry points closed the
  /// cycle.
  case deadlockByTheStack = "deadlock by the stack"
  /// The reactions to a step never end.
  case endlessReaction = "endless reaction"
  /// A context reads two different values of one property between two saves.
  case nonRepeatableRead = "non-repeatable read"
  /// A save overwrites a value in the parent after a merge kept an older edit of it.
  case lostUpdateThroughAMerge = "lost update through a merge"
  /// A save overwrites a value in the store after a merge kept an older edit of it.
  case lostUpdateThroughAMergeInTheStore = "lost update through a merge in the store"
  /// Two overlapping units of work each read a value that the other changes, and both save to one
  /// parent.
  case writeSkew = "write skew"
  /// Two overlapping units of work each read a value that the other changes, and both save to the
  /// store.
  case writeSkewInTheStore = "write skew in the store"
  /// A fetched results controller at rest shows other objects than the stores, or another order.
  case staleList = "stale list"
  /// A list at rest differs from the stores although its context merges saves of other contexts.
  case staleListInAFollowingContext = "stale list in a following context"
  /// A step uses a context outside its queue.
  case wrongQueueAccess = "wrong-queue access"
  /// A step of the stack's observers or entry points uses a context outside its queue.
  case wrongQueueAccessByTheStack = "wrong-queue access by the stack"
  /// A block holds the main queue for longer than the stack's budget, in virtual time.
  case mainQueueBlocked = "main queue blocked"
  /// A block asks a store while it holds the main queue.
  case storeAccessOnTheMainQueue = "store access on the main queue"
  /// A change that a save reported as saved is gone after the app was killed.
  case acknowledgedSaveGone = "acknowledged save gone"
  /// Values that an observer or an entry point saved remain in a parent context, which nothing
  /// saves.
  case saveLeftInAParent = "save left in a parent"
  /// A context is discarded with unsaved changes, or an observer resets it.
  case unsavedChangesDiscarded = "unsaved changes discarded"
  /// A step of the stack discards a context with unsaved changes, or resets it.
  case unsavedChangesDiscardedByTheStack = "unsaved changes discarded by the stack"
  /// The stores have a part of a root's save, or an incomplete save.
  case tornStore = "torn store"
  /// A save of the program fails by a conflict with a save of another context.
  case failedSave = "failed save"
  /// A save that an observer or entry point calls fails by a conflict.
  case failedSaveByTheStack = "failed save by the stack"
  /// A save meets the same conflict by which an earlier save of this context has failed.
  case saveFailsForGood = "save fails for good"
  /// A save of the design fails for values that an earlier failed save left in the context.
  case poisonedContext = "poisoned context"
  /// A step of the program raises an error because the row of its object is gone.
  case raisedError = "raised error"
  /// A step of an observer or entry point raises an error because it does not find its object.
  case raisedErrorByTheStack = "raised error by the stack"
  /// At the end, a context that merges nothing shows an old value, or a deleted object.
  case staleCopy = "stale copy"
  /// At the end, a context that merges saves of other contexts shows an old value, or a deleted
  /// object.
  case staleCopyInAFollowingContext = "stale copy in a following context"
  /// A program reads an old value between a save and the merge that brings the new value.
  case staleReadBeforeAMerge = "stale read before a merge"
  /// At the end, a relationship in a store leads to an object that no store has.
  case danglingReference = "dangling reference"
  /// A step of the program reads a fault whose row is gone. The read returns nil, and the object
  /// counts as deleted.
  case objectDeletedByBeingRead = "object deleted by being read"
  /// A step of an observer or entry point reads a fault whose row is gone.
  case objectDeletedByBeingReadByTheStack = "object deleted by being read by the stack"
  /// A program discards unsaved changes that an observer, or a delayed save of an entry point, has
  /// already saved.
  case halfDoneWorkSaved = "half-done work saved"
  /// A context merges one save twice, so that lists and observers are notified twice.
  case saveMergedTwice = "save merged twice"
  /// The design merges a save into the context that has saved, or into its parent. Both have the
  /// changes already.
  case ownSaveMerged = "own save merged"
  /// An entry point reads data before a save of it that the same call has enqueued.
  case staleReadBeforeASave = "stale read before a save"
  /// A promise of the stack is broken, although each context kept it as far as it could know.
  case brokenPromise = "broken promise"
  /// An entry point breaks a promise about its calls.
  case brokenPromiseOfAnEntryPoint = "broken promise of an entry point"
  /// A context breaks a promise about its objects or its notifications.
  case brokenPromiseOfAContext = "broken promise of a context"
}
