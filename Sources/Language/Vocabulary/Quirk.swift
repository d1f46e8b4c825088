/// A behaviour of Core Data that contradicts Apple's reference, or that differs between systems.
///
/// Each quirk can be turned off alone. The engine then behaves as Apple's pages promise.
package enum Quirk: Int, CaseIterable, Sendable {
  /// A child's save awakens the parent's new instance again (LC-02). If off, an instance awakens
  /// once in its lifetime.
  case parentAwakensInsertedObject
  /// The root's save leaves temporary IDs in its descendants (ID-06). If off, IDs become permanent
  /// in all contexts at once.
  case childKeepsTemporaryID
  /// A leftover temporary ID and the permanent ID name two instances in one context (ID-17). If
  /// off, both IDs name the same instance (ID-16).
  case rowHasTwoInstances
  /// A child's save overwrites the parent's values, whatever the merge policy (MP-27). If off, the
  /// child's policy decides, as it does for stores.
  case childSaveIgnoresMergePolicy
  /// A child's save omits values that equal the values that the child had loaded (SV-08). If off,
  /// all assigned values are handed over.
  case childSaveIgnoresEqualValues
  /// An ancestor's old copy hides newer values above it (FE-12). If off, each load refreshes the
  /// copies in between.
  case ancestorCacheHidesUpdates
  /// Firing a fault whose row is missing raises an exception (FL-12). If off, the object is marked
  /// deleted and its properties read nil.
  case inaccessibleFaultRaises
  /// An inserted object that is deleted before its first save reports `isDeleted` as false (LC-19).
  /// If off, `isDeleted` is true at once (CT-A8).
  case deletedInsertReportsNotDeleted
  /// ObjectsDidChange of a merge names no objects. If off, it names all of them (NT-12).
  case mergeNotificationLacksObjects

  // Contested quirks: neither outcome is settled, so no profile has them.

  /// ContextWillSave is posted before the objects' `willSave`. If off, it is posted after.
  case contextWillSaveComesFirst
  /// Under object-trump, as under overwrite, an update recreates a deleted row. If off, the
  /// deletion wins.
  case objectTrumpRecreatesDeletedRow
  /// Except under the error policy, a deletion wins over any change of the row. If off,
  /// store-trump and rollback drop the deletion.
  case deletionOverrulesUpdate
  /// A save without changes leaves metadata unwritten. If off, the save writes metadata
  /// (CS-A13).
  case emptySaveLeavesMetadata
  /// An edit of an already reported insertion is not reported (C3). If off, the object is reported
  /// as updated (NM-A2).
  case editedInsertIsNotReported
  /// A context's merge triggers the automatic merges of its children, as a save does. If
  /// off, only saves trigger them (NT-29).
  case mergeReachesChildren
  /// An object that its context has released reads defaults (C11, FL-09). If off, reading it raises
  /// an exception.
  case goneObjectReadsDefaults
  /// A child's save conflicts if its parent has saved newer values meanwhile. If off, the
  /// save overwrites them (MP-27).
  case childSaveChecksVersion
  /// The context retains an instance that a merge registers as inserted (C2, NM-A12). If off,
  /// nothing retains the instance (RL-A7).
  case mergedInsertionIsKept

  /// The quirks that belong to no profile, because sources disagree on whether Core Data has them.
  package static let contested = allCases.filter { quirk in
    !Profile.allCases.contains { $0.quirks.contains(quirk) }
  }

  /// The name in scenarios and options.
  package var name: String { "\(self)" }
}

/// A set of quirks.
package struct QuirkSet: Hashable, Sendable {
  private var bits: UInt32 = 0

  package init(_ quirks: [Quirk] = []) {
    for quirk in quirks { insert(quirk) }
  }

  package func contains(_ quirk: Quirk) -> Bool { bits & (1 << quirk.rawValue) != 0 }
  package mutating func insert(_ quirk: Quirk) { bits |= 1 << quirk.rawValue }
  package mutating func remove(_ quirk: Quirk) { bits &= ~(1 << quirk.rawValue) }

  package func removing(_ quirk: Quirk) -> QuirkSet {
    var result = self
    result.remove(quirk)
    return result
  }

  package var quirks: [Quirk] { Quirk.allCases.filter(contains) }
}

/// A range of systems, as the set of quirks that they show.
package enum Profile: String, CaseIterable, Sendable {
  /// The behaviour that Apple's pages promise, without quirks.
  case documented
  /// iOS 5 to 9, as described by reports of that time.
  case legacy
  /// Current systems.
  case current

  package var quirks: QuirkSet {
    switch self {
    case .documented: QuirkSet()
    case .legacy:
      QuirkSet([
        .parentAwakensInsertedObject, .childKeepsTemporaryID, .rowHasTwoInstances,
        .childSaveIgnoresMergePolicy, .childSaveIgnoresEqualValues, .ancestorCacheHidesUpdates,
        .inaccessibleFaultRaises, .deletedInsertReportsNotDeleted, .mergeNotificationLacksObjects,
      ])
    case .current:
      QuirkSet([
        .parentAwakensInsertedObject, .childKeepsTemporaryID, .childSaveIgnoresMergePolicy,
        .childSaveIgnoresEqualValues, .ancestorCacheHidesUpdates,
      ])
    }
  }
}
