import Vocabulary

/// What would prevent a violation, as advice to whoever wrote the app: what to do instead, and the
/// facts that say why it helps. Nil where nothing but another Faultline would.
package func remedy(for invariant: Invariant, _ cause: Cause?) -> String? {
  if case .quirk(let quirk) = cause, let advice = remedy(for: quirk) { return advice }
  if case .quirkAndPolicy(let quirk, _) = cause, let advice = remedy(for: quirk) { return advice }
  return switch invariant {
  case .NoTemporaryIDOutlivesItsSave, .OneRowOneInstance:
    "call obtainPermanentIDs before the object is saved, in the context that inserts it or in a child "
      + "(ID-08)"
  case .ObjectsAwakenOnce:
    "do in awakeFromInsert only what may be done twice; draw numbers and insert companions where the "
      + "object is inserted (LC-02)"
  case .InverseRelationshipsAgree:
    "set relationships by their accessors, and delete no rows behind the contexts (RL-01, FE-17)"
  case .UnsavedChangesStayPrivate, .SavedChangesAreInTheStore, .KillsLeaveWhatWasCommitted,
    .EveryBlockRuns:
    nil
  case .RolledBackValuesAreNotLoaded:
    "reset or discard the children of a context that is rolled back, or roll back none that has any"
  case .SavedUpdatesAreNotLost:
    "between child and parent, where no policy is asked, refresh the object before the child saves (MP-27); "
      + "at the store keep the error policy and answer the conflict (MP-02)"
  case .SavesAreNotIgnored:
    "look after the save what became of the object, or keep the error policy, which says so"
  case .LoadsShowTheNewest:
    "merge the save, or with mergeChanges(fromRemoteContextSave:) the result of a batch request, into every "
      + "context above the reader, or give the root a stalenessInterval of 0 (FL-05)"
  case .WaitForGraphIsAcyclic where cause == .automaticMerge:
    "let no context merge automatically whose parent's queue may be waiting for it: merge in a perform of its "
      + "own (CC-07)"
  case .WaitForGraphIsAcyclic:
    "wait in one direction only: perform or async towards a queue that may be waiting, performAndWait or "
      + "sync towards none, and no sync towards the queue that the code runs on (CC-07)"
  case .EveryStepTerminates:
    "let an observer tell its own changes from others', and not react to them"
  case .ReadsAreRepeatable where cause == .design:
    "read in a context into which no child saves, or take what belongs together into values at once"
  case .ReadsAreRepeatable:
    "read what belongs together in one block, from a context that merges nothing meanwhile"
  case .MergedUpdatesAreNotLost:
    "refresh what a merge touches before it is edited on, or save first: an unsaved edit outlives a "
      + "merge and hides the conflict"
  case .SavesDoNotCross:
    "decide in one context that saves alone; at the store, under the error policy, touching the objects that "
      + "a decision rests on shows the conflict"
  case .ListsShowTheStores:
    "merge every save into the list's context, fetch the list anew after batch requests (FE-17), and let "
      + "the event of an insertion end before the list is fetched"
  case .ContextsKeepToTheirQueues: "use the context in its perform or performAndWait (CC-12)"
  case .MainQueueKeepsWithinItsBudget where cause == .program:
    "do what takes long on another queue, and come back to the main queue with what it came to"
  case .MainQueueKeepsWithinItsBudget, .MainQueueAsksNoStore:
    "keep what takes long off the main queue: fetch and save in a context on a queue of its own that "
      + "is no ancestor or child of the main queue's (CC-14), and wait for none there: perform"
  case .AcknowledgedSavesOutliveAKill:
    "tell the user that something is saved once the root has saved (SV-01)"
  case .ContextsTakeNothingWithThem: "save, or ask the user, before a context is given up or reset"
  }
}

private func remedy(for quirk: Quirk) -> String? {
  switch quirk {
  case .childSaveIgnoresMergePolicy, .childSaveIgnoresEqualValues:
    "refresh the object in the child once its parent has the other change, before the child saves, and "
      + "look whether it is still there: no policy is asked between child and parent (MP-27, SV-08)"
  case .ancestorCacheHidesUpdates:
    "merge the save into each ancestor of the reader, or refresh the object there (FE-12)"
  case .inaccessibleFaultRaises:
    "set shouldDeleteInaccessibleFaults, and merge deletions before faults are read (FL-12)"
  default: nil
  }
}
