extension Quirk {
  /// The behaviour of Core Data as a sentence, for readers who do not know the quirk's name.
  package var sentence: String {
    switch self {
    case .parentAwakensInsertedObject:
      "saving a child context awakens the parent's new instance from insert again"
    case .childKeepsTemporaryID:
      "saving the root context leaves temporary IDs in the contexts below it"
    case .rowHasTwoInstances:
      "a leftover temporary ID and the permanent ID name two instances in one context"
    case .childSaveIgnoresMergePolicy:
      "saving a child context overwrites what its parent has, whatever the merge policy"
    case .childSaveIgnoresEqualValues:
      "saving a child context leaves out values that equal what the child had loaded"
    case .ancestorCacheHidesUpdates:
      "the copy that a parent context has outranks what is newer above it"
    case .inaccessibleFaultRaises: "firing a fault whose row is gone raises an exception"
    case .deletedInsertReportsNotDeleted:
      "an inserted object that is deleted before it was saved says that it is not deleted"
    case .mergeNotificationLacksObjects:
      "the ObjectsDidChange notification of a merge names no objects"
    case .contextWillSaveComesFirst:
      "the WillSave notification of a context is posted before its objects get 'willSave'"
    case .objectTrumpRecreatesDeletedRow:
      "under object-trump, an update of a deleted row makes the row again"
    case .deletionOverrulesUpdate:
      "a deletion goes through whatever became of the row, but under the error policy"
    case .emptySaveLeavesMetadata: "a save without changes does not write the store's metadata"
    case .editedInsertIsNotReported:
      "an inserted object that was reported and is then edited is not reported as updated"
    case .mergeReachesChildren:
      "merging into a context sets off the automatic merges of its children"
    case .goneObjectReadsDefaults: "an object that its context has let go of reads its defaults"
    case .childSaveChecksVersion:
      "saving a child context conflicts if its parent has saved newer values meanwhile"
    case .mergedInsertionIsKept: "the context keeps an instance that a merge registers as inserted"
    }
  }
}
