import Vocabulary

/// A rare branch of the engine. Campaigns count the runs that reach each mark. `make coverage`
/// lists the marks that no run reaches.
package enum Mark: Int, CaseIterable, Sendable {
  /// A commit failed because rows had changed since they were loaded.
  case mergeConflict
  /// The row cache, not the context, was behind the store.
  case cacheBehindStore
  /// An update re-created a row that was gone.
  case rowRecreated
  /// An update was dropped because its row was gone.
  case updateLostToDeletion
  /// A custom merge policy edited an object that it had resolved.
  case policyEdited
  /// A deletion succeeded although the row had changed.
  case deletionOverrules
  /// A deletion was dropped because the row had changed.
  case deletionDropped
  /// A commit failed because a value was not unique.
  case constraintConflict
  /// A row took the values of a conflicting insertion.
  case constraintRowUpdated
  /// A duplicate left its context.
  case duplicateLeft
  /// An update that would have made a duplicate was dropped.
  case duplicateUpdateDropped
  case storeRemoved
  /// A save failed because a store could not write (SV-18).
  case saveIsRefused
  /// A batch request failed because a store could not write.
  case batchIsRefused
  /// Permanent IDs were requested while no store could provide them.
  case noStoreForPermanentID
  /// Metadata waited because the save had no other changes.
  case metadataLeft
  /// A remote merge dropped a row that the cache still had.
  case remoteDeletionCached
  case historyMerged
  /// With a staleness interval of 0, the store had a newer row than the row cache, or no row.
  case staleRowReplaced

  // Queries and undo
  /// A saved state of the running event had to be renamed.
  case renamedInEventStart
  /// A temporary ID on an undo stack became permanent.
  case renamedInUndoGroup
  /// An event ended while deletions waited for the save (RL-10).
  case propagationWaitsForSave
  /// A fault without a row raised an error because of a setting of its context (FL-12).
  case faultRaisesBySetting
  /// A hook set a value through the primitive setter (LC-04).
  case primitiveHookAction
  /// `willSave` kept changing its object until the save gave up (LC-09).
  case willSaveLoop
  /// A child's save passed an untracked value to its parent (CT-06).
  case untrackedValueHandedOver
  /// A child's insertion already had an instance in the parent (ID-34).
  case insertionIsKnownAbove
  /// An object that had been saved to the parent was inserted again (ID-34).
  case insertedOnceMore
  /// A value was refused because it is forbidden (SV-A7).
  case forbiddenValue
  /// A program read an instance that had left its context (C11).
  case goneObjectRead
  /// Only an undo stack keeps an instance registered.
  case undoKeepsInstance
  /// A rollback emptied undo or redo stacks that had groups (UN-03).
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
  /// Undo restored an object that had left its context.
  case undoneDeparture
  /// Undo restored an object whose row is permanently deleted (UN-08).
  case undoneSavedDeletion
  /// An undone change left the object clean.
  case undoneToClean
  /// A change could not be undone because the object's row is missing.
  case undoMissesRow
  /// A group was redone.
  case redone

  // To-many faults
  /// A collection was fired when its row was already newer than its object (RL-16).
  case collectionIsNewer
  /// A refresh that kept changes made a collection a fault again.
  case refreshUnfires
  /// Undo restored a state in which a collection was not fired.
  case undoSparesCollection

  // Deleted objects that are still referenced
  /// Delete propagation found no row (RD-A9).
  case propagationMeetsNothing
  /// A save removed a deleted object from a relationship (RL-15).
  case collectionRepaired
  /// A rollback met an object that was deleted because its row was missing.
  case inaccessibleRolledBack
  /// A child saved an edit of an object that its parent has deleted.
  case updateMeetsNothingAbove

  // Order
  /// A save put the members of an ordered relationship into another order in the store.
  case orderWritten
  /// A child's save put the members of an ordered relationship into another order in its parent.
  case orderHandedOver
  /// A refresh reapplied unsaved changes to an order that had changed in the meantime (FL-02).
  case orderReapplied

  // Fetches
  /// A matching row was omitted because its unsaved values do not match (FE-01).
  case pendingChangeLeavesResults
  /// Unsaved objects moved other results beyond the limit (FE-06).
  case pendingResultsAreCut
  /// Dictionaries were fetched while the context had unsaved changes of the entity (FE-04).
  case dictionariesMissPendingChanges
  /// IDs were fetched, and unsaved objects came last regardless of the sort order (FE-05).
  case pendingIDsComeLast
  /// An unsaved object of the entity belongs to a store that was not searched (FE-20).
  case affectedStoresExclude

  // Controllers
  case sectionAppears
  case sectionVanishes
  case objectEntersList
  case objectLeavesList
  case listedObjectMoves
  case listedObjectStays
  /// A reset stopped a controller that listened.
  case listIsSilenced

  // Batch requests
  /// A row changed, but a row cache still shows the old values (FE-17).
  case batchPassesRowCache
  /// A batch insertion ignored a record, because a row has its unique values (FE-28).
  case batchRecordIgnored
  /// A batch insertion overwrote the row with the unique values of a record (FE-28).
  case batchRowOverwritten
  /// A batch deleted a row that was a destination of other rows.
  case batchDeletesDestination

  // Queues
  /// A block was enqueued on a queue that was suspended.
  case blockIsHeldBack

  // Failures
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

  /// Creates the mark of a failure, or returns `nil` if the failure's branch has another mark.
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

/// The marks that a world has reached. All sets are equal, so that marks do not distinguish worlds.
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

  /// Returns the marks that are not in `earlier`, in order.
  package func marks(since earlier: MarkSet) -> [Mark] {
    var new = MarkSet()
    (new.low, new.high) = (low & ~earlier.low, high & ~earlier.high)
    return new.marks
  }

  /// Returns a Boolean value that indicates whether two sets have the same marks, which `==`
  /// ignores.
  package func hasSameMarks(as other: MarkSet) -> Bool { low == other.low && high == other.high }

  /// The marks, in order.
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
