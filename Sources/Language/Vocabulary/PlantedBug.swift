/// A small, realistic bug that can be enabled in the engine, to show that campaigns find it.
package enum PlantedBug: Int, CaseIterable, Sendable {
  /// A root's save does not raise the row's version.
  case forgetsVersionBump
  /// A child's save hands over all properties instead of the changed ones.
  case copiesAllPropertiesOnChildSave
  /// Setting a to-one relationship does not remove the object from the old destination's inverse.
  case leavesOldInverse
  /// Setting a to-one relationship does not add the object to the new destination's inverse.
  case skipsInverse
  /// The nullify rule ignores to-one inverses.
  case nullifySkipsToOnes
  /// The cascade rule does not reach the destinations of destinations.
  case cascadesOneLevel
  /// The deny rule is ignored.
  case ignoresDeny
  /// Validation accepts a missing mandatory value.
  case skipsMandatoryCheck
  /// Optimistic locking compares no versions.
  case ignoresVersions
  /// Store-trump and object-trump are swapped, as in an old version of Apple's pages (MP-12).
  case swapsTrumps
  /// Rollback keeps the local values of the conflicting object.
  case rollbackPolicyKeepsValues
  /// A save does not update the row cache.
  case leavesRowCacheStale
  /// A fault is filled from the store even if an ancestor has the object.
  case skipsAncestors
  /// A fault is filled with unsaved values of a sibling context.
  case readsSiblings
  /// Firing a fault does not awaken the object.
  case forgetsAwakeFromFetch
  /// A merge overwrites unsaved changes.
  case mergeOverwritesChanges
  /// A merge ignores deleted objects.
  case mergeSkipsDeletions
  /// A merge fires faults whose rows another context updated.
  case mergeRefreshesFaults
  /// A refresh keeps the old snapshot, so that the next save conflicts.
  case refreshKeepsVersion
  /// `rollback` leaves insertions in place.
  case rollbackKeepsInsertions
  /// A fetch does not add unsaved insertions to its results.
  case fetchMissesInsertions
  /// A fetch returns objects whose deletion is pending.
  case fetchReturnsDeleted
  /// The fetch limit is not applied again after pending changes are added to the results.
  case fetchLimitOnce
  /// A temporary ID becomes permanent, but relationships keep the temporary ID.
  case leavesTemporaryIDInRelationships
  /// ObjectsDidChange repeats changes that were already reported together with an insertion.
  case keepsReports
  /// Deletes do not propagate before the save.
  case skipsPropagation
  /// An automatic merge is never enqueued.
  case dropsAutomaticMerge
  /// A block that is enqueued while its queue is busy never runs.
  case dropsQueuedBlock
  /// The assignments of a custom merge policy have no effect.
  case policyEditsNothing
  /// Uniqueness constraints are not checked.
  case ignoresUniqueness
  /// An insertion that lost a uniqueness conflict to a row is saved anyway.
  case duplicateStays
  /// A batch update does not raise row versions.
  case batchKeepsVersion
  /// A remote merge reads the row cache instead of the store.
  case remoteMergeTrustsCache
  /// Each merge of persistent history starts from the beginning of the history.
  case historyIsReadAgain
  /// The row cache still serves rows of a removed store.
  case removedStoreStaysCached
  /// A save drops metadata.
  case forgetsMetadata
  /// Objects are released although related objects refer to them.
  case relationshipsHoldNothing
  /// A staleness interval of 0 is ignored.
  case ignoresStaleness
  /// A fetched-results controller does not report objects that only move.
  case controllerForgetsMoves
  /// `committedValues` returns the current values.
  case committedValuesAreCurrent
  /// Setting a primitive value marks the object as changed.
  case setPrimitiveIsTracked
  /// Validation accepts values that the model forbids.
  case ignoresForbiddenValues
  /// Undo restores attributes but not relationships.
  case undoForgetsRelationships
  /// `redo` does nothing.
  case redoDoesNothing
  /// Firing an object also fires its to-many relationships.
  case toManyIsLoadedWithItsRow
  /// When the app is killed, each store loses its newest row.
  case killLosesRows
  /// A context treats its changes as saved although a store refused the save.
  case refusedSaveForgetsChanges
  /// A store that refuses a save still writes the updates of that save.
  case refusedSaveBumpsVersions
  /// A store that refuses writes still executes batch requests.
  case batchIgnoresRefusal
  /// A block that is enqueued while its queue is suspended never runs.
  case dropsBlockOfSuspendedQueue
  /// Reordering the members of an ordered relationship does not count as a change.
  case orderAloneIsNoChange

  // Members of `heldOut`.

  /// The permanent IDs that a child obtains are unknown to its ancestors.
  case obtainedIDStaysInOneContext
  /// A child also loads its parent's transient values.
  case loadBringsTransients
  /// Deletions handed over by a child's save do not apply delete rules in the parent.
  case handedOverDeletionPropagatesNothing
  /// A save without changes posts no notification.
  case emptySaveStaysSilent
  /// The overwrite policy keeps the store's values of properties that the context did not change.
  case overwriteMergesByProperty
  /// An empty optional to-many relationship fails its minimum count.
  case emptyOptionalNeedsMinimum
  /// An object that loses a one-to-one destination to another object keeps its reference to it.
  case formerOwnerKeepsDestination
  /// A change after undo does not clear the redo stack.
  case changeKeepsRedo
  /// The fetch offset is applied again after pending changes are added to the results.
  case fetchOffsetTwice
  /// A batch delete leaves the IDs of deleted rows in relationships of other rows.
  case batchDeleteLeavesMembers
  /// A merge ignores deleted objects that are faults.
  case mergeSparesDeletedFaults
  /// Persistent history contains no deletions.
  case historyForgetsDeletions
  /// A fetched-results controller does not report objects that were only refreshed.
  case controllerIgnoresRefreshes
  /// `willSave` is not called again for objects that change themselves in it.
  case willSaveRunsOnce
  /// Two missing values violate uniqueness.
  case missingValuesClash
  /// An added store becomes the coordinator's first store.
  case addedStoreComesFirst
  /// `refreshAllObjects` discards unsaved changes.
  case refreshAllDropsChanges
  /// An in-memory store still has its rows when it is removed and added again.
  case removedMemoryStoreKeepsRows
  /// A nested `performAndWait` on the same queue does not release the queue when it ends.
  case nestedWaitKeepsQueue
  /// A root's save of several rows does not write the last of them.
  case tearsSaves
  /// Other contexts merge a context's save automatically only at its next save.
  case mergesOneSaveLate
  /// A block that is enqueued on a busy queue runs before the blocks that wait there.
  case newestBlockRunsFirst

  /// Bugs that never influenced the search for failures.
  ///
  /// They were planted after search strategies, guidance and most passes of the shrinker existed,
  /// and were never used to tune these.
  package static let heldOut: [PlantedBug] = allCases.filter {
    $0.rawValue >= obtainedIDStaysInOneContext.rawValue
  }

  /// The name in options and reports.
  package var name: String { "\(self)" }
}

/// A set of planted bugs. It is empty outside tests and demonstrations.
package struct PlantedBugSet: Hashable, Sendable {
  /// Bit masks of the bugs with raw values below 64, and from 64 to 127.
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
