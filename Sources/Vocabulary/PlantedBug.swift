/// A small realistic mistake that can be switched on, to prove that the harness finds it.
package enum PlantedBug: Int, CaseIterable, Sendable {
  /// A root's save forgets to raise the row's version.
  case forgetsVersionBump
  /// A child's save hands over all properties, not the changed ones.
  case copiesAllPropertiesOnChildSave
  /// Setting a to-one relationship does not take the object out of the old destination.
  case leavesOldInverse
  /// Setting a to-one relationship does not enter the object at the new destination.
  case skipsInverse
  /// Nullify forgets inverses that are to-one.
  case nullifySkipsToOnes
  /// Cascade does not reach the destinations of destinations.
  case cascadesOneLevel
  /// Deny is not looked at.
  case ignoresDeny
  /// A missing mandatory value passes.
  case skipsMandatoryCheck
  /// Optimistic locking compares no versions.
  case ignoresVersions
  /// Store-trump and object-trump are mixed up, as Apple's pages once did (MP-12).
  case swapsTrumps
  /// Rollback keeps the local values of the conflicting object.
  case rollbackPolicyKeepsValues
  /// A save leaves the row cache as it was.
  case leavesRowCacheStale
  /// A fault is filled from the store, whatever the ancestors have.
  case skipsAncestors
  /// A fault is filled with what another child of the same parent has not saved.
  case readsSiblings
  /// Firing a fault does not awaken the object.
  case forgetsAwakeFromFetch
  /// A merge overwrites unsaved changes.
  case mergeOverwritesChanges
  /// A merge forgets the deleted objects.
  case mergeSkipsDeletions
  /// A merge fires faults that were updated elsewhere.
  case mergeRefreshesFaults
  /// A refresh keeps the old snapshot, so that the next save conflicts.
  case refreshKeepsVersion
  /// `rollback` leaves insertions in place.
  case rollbackKeepsInsertions
  /// A fetch does not lay unsaved insertions over the rows.
  case fetchMissesInsertions
  /// A fetch does not leave out objects whose deletion is pending.
  case fetchReturnsDeleted
  /// The fetch limit is not applied again after the overlay.
  case fetchLimitOnce
  /// A temporary ID becomes permanent, the relationships that mention it do not.
  case leavesTemporaryIDInRelationships
  /// ObjectsDidChange reports changes again that it has reported beside an insertion.
  case keepsReports
  /// Deletes do not propagate before the save.
  case skipsPropagation
  /// An automatic merge is never enqueued.
  case dropsAutomaticMerge
  /// A block that is enqueued while its queue is busy is lost.
  case dropsQueuedBlock
  /// The values that a custom merge policy sets are not set.
  case policyEditsNothing
  /// Nothing is checked for uniqueness.
  case ignoresUniqueness
  /// An insertion that lost to a row with the same values is saved all the same.
  case duplicateStays
  /// A batch update leaves row versions alone.
  case batchKeepsVersion
  /// A remote merge does not look past the row cache.
  case remoteMergeTrustsCache
  /// History is merged from its beginning every time.
  case historyIsReadAgain
  /// The cache goes on answering for a store that was removed.
  case removedStoreStaysCached
  /// A save drops metadata.
  case forgetsMetadata
  /// Objects that lead to each other are let go all the same.
  case relationshipsHoldNothing
  /// Staleness interval 0 is ignored.
  case ignoresStaleness
  /// A fetched-results controller does not notice what only changes places.
  case controllerForgetsMoves
  /// `committedValues` answers what the object shows.
  case committedValuesAreCurrent
  /// A primitive value makes the object dirty.
  case setPrimitiveIsTracked
  /// Values that the model forbids can be saved.
  case ignoresForbiddenValues
  /// Undo restores attributes, relationships stay as they are.
  case undoForgetsRelationships
  /// `redo` does nothing.
  case redoDoesNothing
  /// Firing an object fires its to-many relationships, too.
  case toManyIsLoadedWithItsRow
  /// When the app is killed, each store loses the row that it got last.
  case killLosesRows
  /// A context whose save was refused by a store believes that it has saved.
  case refusedSaveForgetsChanges
  /// A store that refuses a save has written the updates among it all the same.
  case refusedSaveBumpsVersions
  /// A batch request is not refused.
  case batchIgnoresRefusal
  /// A block that is enqueued while its queue is suspended is lost.
  case dropsBlockOfSuspendedQueue
  /// An ordered relationship that has the same members in another order counts as unchanged.
  case orderAloneIsNoChange

  // Those of `heldOut`.

  /// A child's permanent IDs are unknown to its ancestors.
  case obtainedIDStaysInOneContext
  /// A child loads its parent's transient values, too.
  case loadBringsTransients
  /// Objects that a child's save deletes are deleted in the parent without their delete rules.
  case handedOverDeletionPropagatesNothing
  /// A save that had nothing to save posts nothing.
  case emptySaveStaysSilent
  /// Overwrite leaves what was not touched here as it is in the store.
  case overwriteMergesByProperty
  /// An optional to-many relationship needs its minimum count when it is empty, too.
  case emptyOptionalNeedsMinimum
  /// An object that loses a one-to-one destination to another object still leads there.
  case formerOwnerKeepsDestination
  /// After undo and another change, what was undone can still be redone.
  case changeKeepsRedo
  /// The fetch offset is applied again after the overlay.
  case fetchOffsetTwice
  /// A batch delete leaves the IDs of its rows in the relationships of others.
  case batchDeleteLeavesMembers
  /// A merge passes by deleted objects that are faults.
  case mergeSparesDeletedFaults
  /// History says nothing of deletions.
  case historyForgetsDeletions
  /// A fetched-results controller does not notice what was only refreshed.
  case controllerIgnoresRefreshes
  /// `willSave` is not sent again to objects that change themselves in it.
  case willSaveRunsOnce
  /// Two missing values are a violation of uniqueness.
  case missingValuesClash
  /// A store that is added becomes the first one.
  case addedStoreComesFirst
  /// `refreshAllObjects` throws unsaved changes away.
  case refreshAllDropsChanges
  /// A store in memory that is removed still has its rows when it is added again.
  case removedMemoryStoreKeepsRows
  /// A `performAndWait` within one on the same queue does not give back what it took.
  case nestedWaitKeepsQueue
  /// A root's save of several rows leaves the last of those that it writes as it was.
  case tearsSaves
  /// What a context has saved is merged automatically when it saves the next time.
  case mergesOneSaveLate

  /// Written when there were search strategies, guidance and most passes, and never used to change
  /// them: what it takes to find these was not tuned for.
  package static let heldOut: [PlantedBug] = allCases.filter {
    $0.rawValue >= obtainedIDStaysInOneContext.rawValue
  }

  /// How options and reports spell it.
  package var name: String { "\(self)" }
}

/// A set of planted bugs; empty outside tests and demonstrations.
package struct PlantedBugSet: Hashable, Sendable {
  /// The bugs below 64, and those from there to 127.
  private var (low, high): (UInt64, UInt64) = (0, 0)

  package init(_ bugs: [PlantedBug] = []) {
    for bug in bugs {
      if bug.rawValue < 64 { low |= bug.bit } else { high |= bug.bit }
    }
  }

  package func contains(_ bug: PlantedBug) -> Bool {
    (bug.rawValue < 64 ? low : high) & bug.bit != 0
  }

  package mutating func remove(_ bug: PlantedBug) {
    if bug.rawValue < 64 { low &= ~bug.bit } else { high &= ~bug.bit }
  }
}

extension PlantedBug {
  fileprivate var bit: UInt64 { 1 << (UInt64(rawValue) & 63) }
}
