package import Vocabulary

extension Quirk {
  /// The contested points of which the quirk is one outcome and its absence the other.
  package var points: [FactID] {
    switch self {
    case .parentAwakensInsertedObject: ids("X-02")
    case .childKeepsTemporaryID: ids("X-01", "C12")
    case .rowHasTwoInstances: ids("X-01", "C9")
    case .childSaveIgnoresMergePolicy: []
    case .childSaveIgnoresEqualValues: ids("X-12")
    case .ancestorCacheHidesUpdates: []
    case .inaccessibleFaultRaises: ids("C14")
    case .deletedInsertReportsNotDeleted: []
    case .mergeNotificationLacksObjects: ids("X-08", "C1")
    case .contextWillSaveComesFirst: ids("X-05", "C7")
    case .objectTrumpRecreatesDeletedRow: ids("X-06", "C6")
    case .deletionOverrulesUpdate: ids("X-06", "C6")
    case .emptySaveLeavesMetadata: ids("X-07")
    case .editedInsertIsNotReported: ids("C3")
    case .mergeReachesChildren: ids("X-11")
    case .goneObjectReadsDefaults: ids("C11")
    case .childSaveChecksVersion: ids("X-03")
    case .mergedInsertionIsKept: ids("C2")
    }
  }

  private func ids(_ words: String...) -> [FactID] { words.compactMap { FactID($0) } }
}
