public import Foundation

/// The details of Core Data errors.
extension CocoaError {
  private func value(_ key: String) -> Any? { (self as NSError).userInfo[key] }

  /// The object of a validation error.
  public var validationObject: Any? { value(NSValidationObjectErrorKey) }
  /// The name of the property of a validation error.
  public var validationKey: String? { value(NSValidationKeyErrorKey) as? String }
  /// The predicate that the value of a validation error does not satisfy.
  public var validationPredicate: NSPredicate? {
    value(NSValidationPredicateErrorKey) as? NSPredicate
  }
  /// The value of a validation error, or `nil` if the value is `nil`.
  public var validationValue: Any? { value(NSValidationValueErrorKey) }
  /// The objects that the error affects, if the error contains them.
  public var affectedObjects: [AnyObject]? { value(NSAffectedObjectsErrorKey) as? [AnyObject] }
  /// The stores that the error affects, if the error contains them.
  public var affectedStores: [AnyObject]? { value(NSAffectedStoresErrorKey) as? [AnyObject] }
  /// The conflicts of a merge error, or `nil` for a violation of a uniqueness constraint.
  public var persistentStoreSaveConflicts: [NSMergeConflict]? {
    value(NSPersistentStoreSaveConflictsErrorKey) as? [NSMergeConflict]
  }
}

extension CocoaError {
  /// The error code for an invalid object.
  public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
  /// The error code for objects of one save that violate a uniqueness constraint.
  public static var managedObjectConstraintValidation: CocoaError.Code {
    .managedObjectConstraintValidation
  }
  /// The error code for several invalid properties or objects.
  public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
  /// The error code for a mandatory property without a value.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    .validationMissingMandatoryProperty
  }
  /// The error code for a relationship with too few destinations.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }
  /// The error code for a relationship with too many destinations.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }
  /// The error code for a deletion that a relationship with the Deny rule prevents.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    .validationRelationshipDeniedDelete
  }
  /// The error code for a number that is too large.
  public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
  /// The error code for a number that is too small.
  public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
  /// The error code for a date that is too late.
  public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
  /// The error code for a date that is too early.
  public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
  /// The error code for an invalid date.
  public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
  /// The error code for a string that is too long.
  public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
  /// The error code for a string that is too short.
  public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
  /// The error code for a string that does not match its pattern.
  public static var validationStringPatternMatching: CocoaError.Code {
    .validationStringPatternMatching
  }
  /// The error code for a context that cannot be locked.
  public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
  /// The error code for a coordinator that cannot be locked.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    .persistentStoreCoordinatorLocking
  }
  /// The error code for an object ID without a row.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    .managedObjectReferentialIntegrity
  }
  /// The error code for a relationship to an object in another store.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    .managedObjectExternalRelationship
  }
  /// The error code for a row that changed in the store after its object was loaded.
  public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
  /// The error code for rows that would violate a uniqueness constraint.
  public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
  /// The error code for an unknown store type.
  public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
  /// The error code for a store type that differs from the type of the file.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
  /// The error code for an entity that no store can hold.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    .persistentStoreIncompatibleSchema
  }
  /// The error code for a store that cannot write.
  public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
  /// The error code for a save that one of several stores cannot write.
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    .persistentStoreIncompleteSave
  }
  /// The error code for save conflicts that no merge policy resolved.
  public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
  /// The error code for a general failure of Core Data.
  public static var coreData: CocoaError.Code { .coreData }
  /// The error code for a request that a store failed to carry out.
  public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
  /// The error code for a store that cannot be opened.
  public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
  /// The error code for a store that did not respond in time.
  public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
  /// The error code for a request that the store does not support.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    .persistentStoreUnsupportedRequestType
  }
  /// The error code for a store that was written with another version of the model.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    .persistentStoreIncompatibleVersionHash
  }
  /// The error code for a failed migration.
  public static var migration: CocoaError.Code { .migration }
  /// The error code for a cancelled migration.
  public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
  /// The error code for a migration that finds no model of the store.
  public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
  /// The error code for a migration that finds no mapping model.
  public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
  /// The error code for a migration that cannot read the source store.
  public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
  /// The error code for a migration that cannot write the destination store.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    .migrationManagerDestinationStore
  }
  /// The error code for a migration policy that failed.
  public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
  /// The error code for a failure of SQLite.
  public static var sqlite: CocoaError.Code { .sqlite }
  /// The error code for a mapping model that cannot be inferred.
  public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
  /// The error code for external records that cannot be imported.
  public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
  /// The error code for a history token whose subsequent transactions were deleted.
  public static var persistentHistoryTokenExpired: CocoaError.Code {
    .persistentHistoryTokenExpired
  }
}
