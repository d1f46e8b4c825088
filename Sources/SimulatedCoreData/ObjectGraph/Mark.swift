import Vocabulary

/// A rare branch of the engine. Campaigns count the runs that reach each; `make coverage` lists
/// those that none reaches.
package enum Mark: Int, CaseIterable, Sendable {
  /// A commit failed because rows had changed meanwhile.
  case mergeConflict
  /// The row cache, not the context, was behind the store.
  case cacheBehindStore
  /// An update re-created a row that was gone.
  case rowRecreated
  /// An update was dropped because the row was gone.
  case updateLostToDeletion
  /// A custom merge policy edited what it had resolved.
  case policyEdited
  /// A deletion went through although the row had changed.
  case deletionOverrules
  /// A deletion was dropped because the row had changed.
  case deletionDropped
  /// A commit failed because something was not unique.
  case constraintConflict
  /// A row took the values of an insertion that it was in the way of.
  case constraintRowUpdated
  /// A duplicate left its context.
  case duplicateLeft
  /// An update that would have made a duplicate was dropped.
  case duplicateUpdateDropped
  case storeRemoved
  /// A save failed because a store could not write (SV-18).
  case saveIsRefused
  /// A batch request failed for the same reason.
  case batchIsRefused
  /// Permanent IDs were asked for while no store could give them.
  case noStoreForPermanentID
  /// Metadata waited because there was nothing else to save.
  case metadataLeft
  /// A remote merge dropped a row that the cache still had.
  case remoteDeletionCached
  case historyMerged
  /// Staleness interval 0 found something newer in the store than in the row cache, or nothing.
  case staleRowReplaced

  // Asking and undo
  /// A state put aside for the running event had to be renamed.
  case renamedInEventStart
  /// A temporary ID on an undo stack became permanent.
  case renamedInUndoGroup
  /// An event ended while deletes wait for the save (RL-10).
  case propagationWaitsForSave
  /// A fault of a missing row raised because its context is set so (FL-12).
  case faultRaisesBySetting
  /// A hook set a value through the primitive setter (LC-04).
  case primitiveHookAction
  /// `willSave` kept changing its object until the save gave up (LC-09).
  case willSaveLoop
  /// A child's save handed over a value that was not tracked (CT-06).
  case untrackedValueHandedOver
  /// A child's insertion met its instance in the parent (ID-34).
  case insertionIsKnownAbove
  /// An object that had been handed to the parent was inserted again (ID-34).
  case insertedOnceMore
  /// A value was refused because it is forbidden (SV-A7).
  case forbiddenValue
  /// An instance that left its context was read (C11).
  case goneObjectRead
  /// Only an undo stack keeps an instance registered.
  case undoKeepsInstance
  /// A rollback emptied stacks that had something on them (UN-03).
  case rollbackForgetsUndo
  /// A new change emptied the redo stack.
  case changeForgetsRedo
  /// An event ended unregistered (UN-05).
  case registrationIsDisabled
  /// An insertion was undone before it was saved.
  case undoneInsertion
  /// An insertion was undone after it was saved (CT-20).
  case undoneSavedInsertion
  /// A pending deletion was undone.
  case undoneDeletion
  /// An object came back that had left its context.
  case undoneDeparture
  /// An object came back whose row is gone for good (UN-08).
  case undoneSavedDeletion
  /// An undone change left the object clean.
  case undoneToClean
  /// A change could not be undone: the object's row is missing.
  case undoMissesRow
  /// A group was redone.
  case redone

  // To-many faults
  /// A collection was fired when its row was newer than its object already (RL-16).
  case collectionIsNewer
  /// A refresh that kept changes made a collection a fault again.
  case refreshUnfires
  /// Undo went back to a state that knew nothing of a collection.
  case undoSparesCollection

  // Deleted, and still there
  /// Delete propagation met a row that is gone (RD-A9).
  case propagationMeetsNothing
  /// A deleted object was taken out of a relationship by a save (RL-15).
  case collectionRepaired
  /// A rollback met an object that was deleted for want of a row.
  case inaccessibleRolledBack
  /// A child saved an edit of what its parent has deleted.
  case updateMeetsNothingAbove

  // Order
  /// A save put the members of an ordered relationship into another order in the store.
  case orderWritten
  /// A child's save put them into another order in its parent.
  case orderHandedOver
  /// A refresh laid unsaved changes over an order that had changed meanwhile (FL-02).
  case orderReapplied

  // Fetches
  /// A row that matches was left out, because its unsaved changes do not (FE-01).
  case pendingChangeLeavesResults
  /// Unsaved objects pushed others beyond the limit (FE-06).
  case pendingResultsAreCut
  /// Dictionaries were fetched while something unsaved would have matched (FE-04).
  case dictionariesMissPendingChanges
  /// IDs were fetched, and what is unsaved came last whatever the order (FE-05).
  case pendingIDsComeLast
  /// An unsaved object would have matched but belongs to a store that was not searched (FE-20).
  case affectedStoresExclude

  // Controllers
  case sectionAppears
  case sectionVanishes
  case objectEntersList
  case objectLeavesList
  case listedObjectMoves
  case listedObjectStays
  /// A list that listened was silenced by a reset.
  case listIsSilenced

  // Batch requests
  /// A row changed that a row cache goes on showing as it was (FE-17).
  case batchPassesRowCache
  /// A row went that others lead to.
  case batchDeletesDestination

  // Queues
  /// A block was enqueued on a queue that was suspended.
  case blockIsHeldBack

  // What failed
  case objectIsMissing
  case faultIsInaccessible
  case relationshipLeavesStore
  case contextsDiffer
  case noStoreTakesEntity
  case storeIsUnreachable
  case savedObjectIsAssigned
  case requestIsUnsupported
  case wrongQueue

  package var name: String { "\(self)" }

  /// Of a failure whose branch is marked nowhere else.
  init?(_ failure: Failure) {
    switch failure {
    case .missingObject: self = .objectIsMissing
    case .inaccessible: self = .faultIsInaccessible
    case .crossStore: self = .relationshipLeavesStore
    case .differentContexts: self = .contextsDiffer
    case .noStore: self = .noStoreTakesEntity
    case .unreachableStore: self = .storeIsUnreachable
    case .alreadySaved: self = .savedObjectIsAssigned
    case .unsupportedRequest: self = .requestIsUnsupported
    case .wrongQueue: self = .wrongQueue
    case .validation, .mergeConflicts, .constraintConflicts, .noContext, .willSaveLoop,
      .refusedWrite:
      return nil
    }
  }

  init(_ change: ResultsChange) {
    switch change {
    case .insertSection: self = .sectionAppears
    case .deleteSection: self = .sectionVanishes
    case .insert: self = .objectEntersList
    case .delete: self = .objectLeavesList
    case .move: self = .listedObjectMoves
    case .update: self = .listedObjectStays
    }
  }
}

/// The marks that a world has passed. What was passed on the way does not make two worlds
/// different.
package struct MarkSet: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  package init() {}

  package func contains(_ mark: Mark) -> Bool {
    let bit = mark.rawValue
    return (bit < 64 ? low >> UInt64(bit) : high >> UInt64(bit - 64)) & 1 == 1
  }

  package mutating func insert(_ mark: Mark) {
    let bit = mark.rawValue
    if bit < 64 { low |= 1 << UInt64(bit) } else { high |= 1 << UInt64(bit - 64) }
  }

  /// Those that are not in `earlier`, in order.
  package func marks(since earlier: MarkSet) -> [Mark] {
    var new = MarkSet()
    (new.low, new.high) = (low & ~earlier.low, high & ~earlier.high)
    return new.marks
  }

  /// Unlike `==`, which does not look.
  package func hasSameMarks(as other: MarkSet) -> Bool { low == other.low && high == other.high }

  /// In order.
  package var marks: [Mark] {
    var marks: [Mark] = []
    var rest = self
    while let mark = rest.popFirst() { marks.append(mark) }
    return marks
  }

  private mutating func popFirst() -> Mark? {
    if low != 0 {
      defer { low &= low - 1 }
      return Mark(rawValue: low.trailingZeroBitCount)
    }
    if high == 0 { return nil }
    defer { high &= high - 1 }
    return Mark(rawValue: 64 + high.trailingZeroBitCount)
  }

  package static func == (a: Self, b: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}
