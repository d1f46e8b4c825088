import Vocabulary

/// Advice that several invariants share.
extension String {
  static let obtainPermanentIDsFirst =
    "call obtainPermanentIDs in the context that inserts the object, before another one gets hold of it, or "
    + "in the child that has it before the object is saved (ID-08)"

  static let keepWorkOffTheMainQueue =
    "keep what takes long off the main queue: fetch and save in a context on a queue of its own that "
    + "is no ancestor or child of the main queue's, and wait for none there: perform (CC-14)"
}

extension Quirk {
  /// The remedy for violations that this quirk causes, or `nil` if the remedy depends on the
  /// invariant.
  var remedy: String? {
    switch self {
    case .childSaveIgnoresMergePolicy, .childSaveIgnoresEqualValues:
      "refresh the object in the child once its parent has the other change, before the child saves, and "
        + "look whether it is still there; by most reports no policy is asked between child and parent "
        + "(MP-27, SV-08)"
    case .ancestorCacheHidesUpdates:
      "merge the save into each ancestor of the reader, or refresh the object there (FE-12)"
    case .inaccessibleFaultRaises:
      "set shouldDeleteInaccessibleFaults, and merge deletions before faults are read (FL-12)"
    case .parentAwakensInsertedObject, .childKeepsTemporaryID, .rowHasTwoInstances,
      .deletedInsertReportsNotDeleted, .mergeNotificationLacksObjects, .contextWillSaveComesFirst,
      .objectTrumpRecreatesDeletedRow, .deletionOverrulesUpdate, .emptySaveLeavesMetadata,
      .editedInsertIsNotReported, .mergeReachesChildren, .goneObjectReadsDefaults,
      .childSaveChecksVersion, .mergedInsertionIsKept:
      nil
    }
  }
}
