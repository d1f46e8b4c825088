extension Quirk {
  /// The behaviour of Core Data as a sentence, for readers who do not know the quirk's name.
  package var sentence: String {
    switch self {
    case .parentAwakensInsertedObject:
      "saving a child context sends awakeFromInsert to the parent's new instance again"
    case .childKeepsTemporaryID:
      "saving the root context leaves temporary IDs in the contexts below it"
    case .rowHasTwoInstances:
      "a leftover temporary ID and the permanent ID name two instances in one context"
    case .childSaveIgnoresMergePolicy:
      "saving a child context overwrites the parent's values, whatever the merge policy"
    case .childSaveIgnoresEqualValues:
      "saving a child context omits values that equal the values that the child loaded"
    case .ancestorCacheHidesUpdates:
      "a parent context's old copy of an object hides newer values above the parent"
    case .inaccessibleFaultRaises: "firing a fault whose row was deleted raises an exception"
    case .deletedInsertReportsNotDeleted:
      "an inserted object that is deleted before its first save reports isDeleted as false"
    case .mergeNotificationLacksObjects:
      "the ObjectsDidChange notification of a merge names no objects"
    case .contextWillSaveComesFirst:
      "a context posts the WillSave notification before it sends 'willSave' to its objects"
    case .objectTrumpRecreatesDeletedRow:
      "under the object-trump policy, an update of a deleted row creates the row again"
    case .deletionOverrulesUpdate:
      "except under the error policy, a deletion wins over any change of the row"
    case .emptySaveLeavesMetadata: "a save without changes does not write the store's metadata"
    case .editedInsertIsNotReported:
      "an edit of an inserted object that was already reported is not reported as an update"
    case .mergeReachesChildren:
      "merging into a context also triggers the automatic merges of its children"
    case .goneObjectReadsDefaults:
      "an object that its context has released reads its default values"
    case .childSaveChecksVersion:
      "saving a child context conflicts if its parent has saved newer values meanwhile"
    case .mergedInsertionIsKept: "a context retains an object that a merge registers as inserted"
    }
  }
}
