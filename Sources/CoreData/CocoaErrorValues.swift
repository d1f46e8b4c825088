public import Foundation

/// What an error of Core Data is about, and its codes as they stand in a `catch`.
extension CocoaError {
  private func value(_ key: String) -> Any? { (self as NSError).userInfo[key] }

  /// Of a validation error, the object.
  public var validationObject: Any? { value(NSValidationObjectErrorKey) }
  /// Of a validation error, the name of the property.
  public var validationKey: String? { value(NSValidationKeyErrorKey) as? String }
  /// Of a validation error by a predicate, the predicate that does not hold.
  public var validationPredicate: NSPredicate? {
    value(NSValidationPredicateErrorKey) as? NSPredicate
  }
  /// Of a validation error, the value; nil for nil.
  public var validationValue: Any? { value(NSValidationValueErrorKey) }
  /// The objects that the error is about, if it says so.
  public var affectedObjects: [AnyObject]? { value(NSAffectedObjectsErrorKey) as? [AnyObject] }
  /// The stores that the error is about, if it says so.
  public var affectedStores: [AnyObject]? { value(NSAffectedStoresErrorKey) as? [AnyObject] }
  /// Of a merge error, the conflicts; nil of one about uniqueness.
  public var persistentStoreSaveConflicts: [NSMergeConflict]? {
    value(NSPersistentStoreSaveConflictsErrorKey) as? [NSMergeConflict]
  }
}

extension CocoaError {
  /// An object is invalid.
  public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
  /// A uniqueness constraint is violated within a save.
  public static var managedObjectConstraintValidation: CocoaError.Code {
    .managedObjectConstraintValidation
  }
  /// Several properties, or objects, are invalid.
  public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
  /// A property must have a value.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    .validationMissingMandatoryProperty
  }
  /// A relationship has too few destinations.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// A relationship has too many destinations.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// A relationship whose rule is deny has destinations.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    .validationRelationshipDeniedDelete
  }
  /// A number is too large.
  public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
  /// A number is too small.
  public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
  /// A date is too late.
  public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
  /// A date is too early.
  public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
  /// A date is none.
  public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
  /// A text is too long.
  public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
  /// A text is too short.
  public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
  /// A text does not match its pattern.
  public static var validationStringPatternMatching: CocoaError.Code {
    .validationStringPatternMatching
  }
  /// A context could not be locked.
  public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
  /// A coordinator could not be locked.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    .persistentStoreCoordinatorLocking
  }
  /// No row has this ID.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    .managedObjectReferentialIntegrity
  }
  /// A relationship leads into another store.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    .managedObjectExternalRelationship
  }
  /// The store has changed since an object was loaded.
  public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
  /// Two rows would agree on what has to be unique.
  public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
  /// No store has this type.
  public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
  /// A store has another type than its file.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
  /// No store has a place for an entity.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    .persistentStoreIncompatibleSchema
  }
  /// A store could not write.
  public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
  /// One of several stores could not write.
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    .persistentStoreIncompleteSave
  }
  /// A save has conflicts that no policy has resolved.
  public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
  /// Core Data has failed.
  public static var coreData: CocoaError.Code { .coreData }
  /// A store could not carry out a request.
  public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
  /// A store could not be opened.
  public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
  /// A store has not answered in time.
  public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
  /// A store does not know the request.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    .persistentStoreUnsupportedRequestType
  }
  /// A store was written by another version of the model.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    .persistentStoreIncompatibleVersionHash
  }
  /// A migration has failed.
  public static var migration: CocoaError.Code { .migration }
  /// A migration was cancelled.
  public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
  /// A migration has found no model of the store.
  public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
  /// A migration has found no mapping model.
  public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
  /// A migration could not read the store.
  public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
  /// A migration could not write the store.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    .migrationManagerDestinationStore
  }
  /// A migration policy has failed.
  public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
  /// SQLite has failed.
  public static var sqlite: CocoaError.Code { .sqlite }
  /// A mapping model could not be inferred.
  public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
  /// External records could not be imported.
  public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
  /// What follows a token was deleted from the history.
  public static var persistentHistoryTokenExpired: CocoaError.Code {
    .persistentHistoryTokenExpired
  }
}
