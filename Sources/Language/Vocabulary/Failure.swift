package import ObjectModel

/// Counterpart of the codes in `CoreDataErrors.h`, under their Swift names.
package enum ErrorCode: Int, CaseIterable, Sendable {
  case managedObjectReferentialIntegrity = 133000
  case persistentStoreCrossStoreRelation = 133010
  case managedObjectMerge = 133020
  case managedObjectConstraintMerge = 133021
  case persistentStoreSave = 134030
  case validationManagedObject = 1550
  case validationMultipleErrors = 1560
  case validationMissingMandatoryProperty = 1570
  case validationRelationshipLacksMinimumCount = 1580
  case validationRelationshipExceedsMaximumCount = 1590
  case validationRelationshipDeniedDelete = 1600
  case validationNumberTooLarge = 1610
  case validationNumberTooSmall = 1620
  case validationDateTooLate = 1630
  case validationDateTooSoon = 1640
  case validationStringTooLong = 1660
  case validationStringTooShort = 1670

  package var name: String { ErrorCode.names[self, default: ""] }

  /// Computed once, because asking the runtime for the name of a case takes as long as a step.
  private static let names = Dictionary(uniqueKeysWithValues: allCases.map { ($0, "\($0)") })
}

/// The reason why a call failed.
package enum Failure: Hashable, Sendable {
  /// A property whose value fails validation.
  package struct Issue: Hashable, Sendable {
    package var code: ErrorCode
    package var object: ObjectID
    package var property: PropertyID
    /// The value of an attribute or to-one relationship. Null for a to-many relationship.
    package var value: Value

    package init(
      _ code: ErrorCode, _ object: ObjectID, _ property: PropertyID, value: Value = .null
    ) {
      self.code = code
      self.object = object
      self.property = property
      self.value = value
    }
  }

  /// Counterpart of `NSMergeConflict`.
  package struct Conflict: Hashable, Sendable {
    package var object: ObjectID
    /// The version that the context had loaded. 0 in a conflict with a parent context, unless
    /// `Quirk.childSaveChecksVersion` is on.
    package var oldVersion: Int
    /// The current version of the row, or 0 if the row is missing. In a conflict with a parent
    /// context, 0 under the same condition as `oldVersion`.
    package var newVersion: Int
    /// The attributes and to-one destinations that the context had loaded, by slot (MP-05). Present
    /// if the context is behind the row cache (MP-04) or in conflict with its parent.
    package var objectSnapshot: [Value]? = nil
    /// The values in the row cache. `nil` if the row is missing, or in a conflict with a parent.
    package var cachedSnapshot: [Value]? = nil
    /// The values in the store. Present only if the row cache is behind the store.
    package var persistedSnapshot: [Value]? = nil

    package init(object: ObjectID, oldVersion: Int, newVersion: Int) {
      self.object = object
      self.oldVersion = oldVersion
      self.newVersion = newVersion
    }
  }

  /// Counterpart of `NSConstraintConflict`.
  package struct ConstraintConflict: Hashable, Sendable {
    /// The entity that declares the constraint.
    package var entity: EntityID
    package var constraint: [PropertyID]
    /// The conflicting objects of the saving context, ordered by ID.
    package var objects: [ObjectID]
    /// The row that already has the same values. `nil` if the objects conflict only with each
    /// other.
    package var databaseObject: ObjectID?

    package init(
      entity: EntityID, constraint: [PropertyID], objects: [ObjectID], databaseObject: ObjectID?
    ) {
      self.entity = entity
      self.constraint = constraint
      self.objects = objects
      self.databaseObject = databaseObject
    }
  }

  /// A request that neither a store nor a context executes.
  package enum UnsupportedRequest: Hashable, Sendable {
    /// A batch request for an entity that is kept in an in-memory store, or in no store (FE-18).
    case batch(EntityID)
    /// `NSSaveChangesRequest`, which no context executes (SV-24).
    case saveChanges
  }

  /// Errors 1570 to 1670, or 1560 for more than one issue.
  case validation([Issue])
  /// Error 133020.
  case mergeConflicts([Conflict])
  /// Error 133021: two rows would have equal values in a uniqueness constraint.
  case constraintConflicts([ConstraintConflict])
  /// Error 133000: no row has this ID.
  case missingObject(ObjectID)
  /// Error 133010: a relationship of `object` leads to an object in another store.
  case crossStore(ObjectID, PropertyID)
  /// NSObjectInaccessibleException: the fault could not be fulfilled.
  case inaccessible(ObjectID)
  /// NSInvalidArgumentException: the two objects belong to different contexts.
  case differentContexts
  /// The instance no longer belongs to a context, after a saved deletion, a rollback or a reset.
  case noContext
  /// No store of the coordinator accepts this entity, or the coordinator has no stores.
  case noStore(EntityID)
  /// Error 134030: a store could not write because its disk is full or broken.
  case refusedWrite(StoreID)
  /// The object's store no longer belongs to the coordinator.
  case unreachableStore(ObjectID)
  /// NSInvalidArgumentException: a saved object cannot be assigned to a store (RL-05).
  case alreadySaved(ObjectID)
  /// Neither the stores nor the context can execute the request.
  case unsupportedRequest(UnsupportedRequest)
  /// `willSave` kept changing its object, round after round (LC-09).
  case willSaveLoop(ObjectID)
  /// The context was used outside its queue (CC-12).
  case wrongQueue(ContextID)
}
