import Vocabulary

/// Advice that several invariants share.
extension String {
  static let obtainPermanentIDsFirst =
    "call obtainPermanentIDs in the inserting context before another context uses the object. "
    + "In a child context that has the object, call obtainPermanentIDs before the child's save (ID-08)"

  static let keepWorkOffTheMainQueue =
    "keep long work off the main queue. Fetch and save in a private-queue context that is neither an "
    + "ancestor nor a child of a main-queue context, and use perform instead of waiting (CC-14)"
}

extension Quirk {
  /// The remedy for violations that this quirk causes, or `nil` if the remedy depends on the
  /// invariant.
  var remedy: String? {
    switch self {
    case .childSaveIgnoresEqualValues:
      "right before the save, refresh the object in the child and set the value again. A child's save passes over a "
        + "value that is equal to the one that the child had loaded (SV-08)"
    case .childSaveIgnoresMergePolicy:
      "right before the save, refresh the object in the child and check that it exists; changes in between are "
        + "lost. According to most reports, a child's save ignores merge policies (MP-27, SV-08)"
    case .ancestorCacheHidesUpdates:
      "merge the save into each ancestor of the reader, or refresh the object there (FE-12)"
    case .inaccessibleFaultRaises:
      "set shouldDeleteInaccessibleFaults to true, and merge deletions before reading faults (FL-12)"
    case .parentAwakensInsertedObject, .childKeepsTemporaryID, .rowHasTwoInstances,
      .deletedInsertReportsNotDeleted, .mergeNotificationLacksObjects, .contextWillSaveComesFirst,
      .objectTrumpRecreatesDeletedRow, .deletionOverrulesUpdate, .emptySaveLeavesMetadata,
      .editedInsertIsNotReported, .mergeReachesChildren, .goneObjectReadsDefaults,
      .childSaveChecksVersion, .mergedInsertionIsKept:
      nil
    }
  }
}
