/// A behaviour of Core Data that contradicts Apple's reference, or that differs between systems.
///
/// Each can be turned off alone; what then happens instead is what Apple's pages promise.
package enum Quirk: Int, CaseIterable, Sendable {
  /// A child's save awakens the parent's new instance again (LC-02). Off: once in a lifetime.
  case parentAwakensInsertedObject
  /// The root's save leaves temporary IDs in the contexts below (ID-06). Off: they become permanent
  /// everywhere at once.
  case childKeepsTemporaryID
  /// A leftover temporary ID and the permanent one name two instances in one context (ID-17).
  /// Off: either finds the same instance (ID-16).
  case rowHasTwoInstances
  /// A child's save overwrites what its parent has, whatever the merge policy (MP-27).
  /// Off: the child's policy decides, as it does towards a store.
  case childSaveIgnoresMergePolicy
  /// A child's save leaves out values that equal what the child had loaded (SV-08).
  /// Off: everything that was set is handed over.
  case childSaveIgnoresEqualValues
  /// An ancestor's old copy outranks what is newer above it (FE-12).
  /// Off: copies are brought up to date on the way down.
  case ancestorCacheHidesUpdates
  /// Firing a fault whose row is gone raises (FL-12). Off: the object is marked deleted and reads
  /// nil.
  case inaccessibleFaultRaises
  /// An insertion that is deleted before it was saved does not say so (LC-19). Off: `isDeleted` is
  /// true at once (CT-A8).
  case deletedInsertReportsNotDeleted
  /// ObjectsDidChange of a merge names no objects. Off: all of them (NT-12).
  case mergeNotificationLacksObjects

  // Contested: neither outcome is settled, so no profile has them.

  /// ContextWillSave is posted before the objects' `willSave`. Off: after.
  case contextWillSaveComesFirst
  /// An update against a row that is gone re-creates it under object-trump, as it does under
  /// overwrite. Off: the deletion wins.
  case objectTrumpRecreatesDeletedRow
  /// A deletion goes through whatever became of the row meanwhile, but under the error policy
  /// . Off: store-trump and rollback drop it.
  case deletionOverrulesUpdate
  /// A save without changes leaves metadata unwritten. Off: it is written (CS-A13).
  case emptySaveLeavesMetadata
  /// An insertion that was reported and is then edited is reported as nothing new (C3). Off: as
  /// updated (NM-A2).
  case editedInsertIsNotReported
  /// A context's merge sets off the automatic merges of its children, as a save does.
  /// Off: only saves do (NT-29).
  case mergeReachesChildren
  /// An object that its context has left reads defaults (C11, FL-09). Off: reading it raises.
  case goneObjectReadsDefaults
  /// A child's save conflicts if its parent has saved newer values meanwhile.
  /// Off: it overwrites them (MP-27).
  case childSaveChecksVersion
  /// An instance that a merge registers as inserted stays (C2, NM-A12). Off: nothing holds it
  /// (RL-A7).
  case mergedInsertionIsKept

  /// Those that no profile has: either outcome may be the true one.
  package static let contested = allCases.filter { quirk in
    !Profile.allCases.contains { $0.quirks.contains(quirk) }
  }

  /// How scenarios and options spell it.
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

/// A system, as the set of quirks that it shows.
package enum Profile: String, CaseIterable, Sendable {
  /// What Apple's pages promise: no quirk.
  case documented
  /// iOS 5 to 9: what the reports of that time describe.
  case legacy
  /// Today's systems.
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
