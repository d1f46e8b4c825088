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

  /// Made once: to ask the runtime for the name of a case takes as long as a step.
  private static let names = Dictionary(uniqueKeysWithValues: allCases.map { ($0, "\($0)") })
}

/// Why a call failed.
package enum Failure: Hashable, Sendable {
  /// One property that may not be saved as it is.
  package struct Issue: Hashable, Sendable {
    package var code: ErrorCode
    package var object: ObjectID
    package var property: PropertyID
    /// What the attribute or to-one relationship is; null for a to-many.
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
    /// The version that the context had loaded; 0 towards a parent context, which has none.
    package var oldVersion: Int
    /// The version that is there now; 0 if the row is gone, or towards a parent context.
    package var newVersion: Int
    /// What the context had loaded, by value slot: attributes and to-one destinations (MP-05). Only
    /// if it is the context that is behind the row cache (MP-04).
    package var objectSnapshot: [Value]? = nil
    /// What the row cache has; nil if the row is gone.
    package var cachedSnapshot: [Value]? = nil
    /// What the store has, if it is the row cache that is behind the store.
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
    /// Objects of the saving context, by ID.
    package var objects: [ObjectID]
    /// The row that has the same values already; nil if only the objects are in each other's way.
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

  /// A request that is refused.
  package enum UnsupportedRequest: Hashable, Sendable {
    /// A batch request for an entity that a store in memory takes, or none at all (FE-18).
    case batch(EntityID)
    /// `NSSaveChangesRequest`, which no context executes (SV-24).
    case saveChanges
  }

  /// 1570 to 1670, or 1560 if there is more than one.
  case validation([Issue])
  /// 133020.
  case mergeConflicts([Conflict])
  /// 133021: two rows would agree on what has to be unique.
  case constraintConflicts([ConstraintConflict])
  /// 133000: no row has this ID.
  case missingObject(ObjectID)
  /// 133010: a relationship from `object` leads into another store.
  case crossStore(ObjectID, PropertyID)
  /// NSObjectInaccessibleException: the fault could not be fulfilled.
  case inaccessible(ObjectID)
  /// NSInvalidArgumentException: the two objects belong to different contexts.
  case differentContexts
  /// The instance belongs to no context any more: deleted and saved, rolled back, or reset away.
  case noContext
  /// No store of the coordinator takes this entity, or there is none at all.
  case noStore(EntityID)
  /// 134030: a store could not write, because its disk is full or broken.
  case refusedWrite(StoreID)
  /// The object's store is not among the coordinator's any more.
  case unreachableStore(ObjectID)
  /// NSInvalidArgumentException: an object that was saved cannot be assigned to a store (RL-05).
  case alreadySaved(ObjectID)
  /// Neither the stores nor the context carry such a request out.
  case unsupportedRequest(UnsupportedRequest)
  /// `willSave` kept changing its object, round after round (LC-09).
  case willSaveLoop(ObjectID)
  /// The context was used outside its queue (CC-12).
  case wrongQueue(ContextID)
}
