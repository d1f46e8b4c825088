public import Foundation

// The codes of Core Data's errors in `NSCocoaErrorDomain`, as numbers and as `CocoaError.Code`.

/// The error code for an invalid object.
public let NSManagedObjectValidationError = 1550
/// The error code for objects of one save that violate a uniqueness constraint.
public let NSManagedObjectConstraintValidationError = 1551
/// The error code for several invalid properties or objects.
public let NSValidationMultipleErrorsError = 1560
/// The error code for a mandatory property without a value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// The error code for a relationship with too few destinations.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// The error code for a relationship with too many destinations.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// The error code for a deletion that a relationship with the Deny rule prevents.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// The error code for a number that is too large.
public let NSValidationNumberTooLargeError = 1610
/// The error code for a number that is too small.
public let NSValidationNumberTooSmallError = 1620
/// The error code for a date that is too late.
public let NSValidationDateTooLateError = 1630
/// The error code for a date that is too early.
public let NSValidationDateTooSoonError = 1640
/// The error code for an invalid date.
public let NSValidationInvalidDateError = 1650
/// The error code for a string that is too long.
public let NSValidationStringTooLongError = 1660
/// The error code for a string that is too short.
public let NSValidationStringTooShortError = 1670
/// The error code for a string that does not match its pattern.
public let NSValidationStringPatternMatchingError = 1680
/// The error code for an invalid URI.
public let NSValidationInvalidURIError = 1690
/// The error code for a context that cannot be locked.
public let NSManagedObjectContextLockingError = 132000
/// The error code for a coordinator that cannot be locked.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// The error code for an object ID without a row.
public let NSManagedObjectReferentialIntegrityError = 133000
/// The error code for a relationship to an object in another store.
public let NSManagedObjectExternalRelationshipError = 133010
/// The error code for a row that changed in the store after its object was loaded.
public let NSManagedObjectMergeError = 133020
/// The error code for rows that would violate a uniqueness constraint.
public let NSManagedObjectConstraintMergeError = 133021
/// The error code for an unknown store type.
public let NSPersistentStoreInvalidTypeError = 134000
/// The error code for a store type that differs from the type of the file.
public let NSPersistentStoreTypeMismatchError = 134010
/// The error code for an entity that no store can hold.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// The error code for a store that cannot write.
public let NSPersistentStoreSaveError = 134030
/// The error code for a save that one of several stores cannot write.
public let NSPersistentStoreIncompleteSaveError = 134040
/// The error code for save conflicts that no merge policy resolved.
public let NSPersistentStoreSaveConflictsError = 134050
/// The error code for a general failure of Core Data.
public let NSCoreDataError = 134060
/// The error code for a request that a store failed to carry out.
public let NSPersistentStoreOperationError = 134070
/// The error code for a store that cannot be opened.
public let NSPersistentStoreOpenError = 134080
/// The error code for a store that did not respond in time.
public let NSPersistentStoreTimeoutError = 134090
/// The error code for a request that the store does not support.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// The error code for a store that was written with another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// The error code for a failed migration.
public let NSMigrationError = 134110
/// The error code for a cancelled migration.
public let NSMigrationCancelledError = 134120
/// The error code for a migration whose rows would violate a uniqueness constraint.
public let NSMigrationConstraintViolationError = 134111
/// The error code for a migration that finds no model of the store.
public let NSMigrationMissingSourceModelError = 134130
/// The error code for a migration that finds no mapping model.
public let NSMigrationMissingMappingModelError = 134140
/// The error code for a migration that cannot read the source store.
public let NSMigrationManagerSourceStoreError = 134150
/// The error code for a migration that cannot write the destination store.
public let NSMigrationManagerDestinationStoreError = 134160
/// The error code for a migration policy that failed.
public let NSEntityMigrationPolicyError = 134170
/// The error code for a failure of SQLite.
public let NSSQLiteError = 134180
/// The error code for a mapping model that cannot be inferred.
public let NSInferredMappingModelError = 134190
/// The error code for external records that cannot be imported.
public let NSExternalRecordImportError = 134200
/// The error code for a history token whose subsequent transactions were deleted.
public let NSPersistentHistoryTokenExpiredError = 134301
/// The error code for a staged migration that lacks a model, or has no model of the store.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// The error code for a staged migration of a store whose metadata is insufficient.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// The error code for migration stages that lead from a later version to an earlier one.
public let NSStagedMigrationBackwardMigrationError = 134506

extension CocoaError.Code {
  /// The error code for an invalid object.
  public static var managedObjectValidation: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectValidationError)
  }
  /// The error code for objects of one save that violate a uniqueness constraint.
  public static var managedObjectConstraintValidation: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectConstraintValidationError)
  }
  /// The error code for several invalid properties or objects.
  public static var validationMultipleErrors: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationMultipleErrorsError)
  }
  /// The error code for a mandatory property without a value.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationMissingMandatoryPropertyError)
  }
  /// The error code for a relationship with too few destinations.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationRelationshipLacksMinimumCountError)
  }
  /// The error code for a relationship with too many destinations.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationRelationshipExceedsMaximumCountError)
  }
  /// The error code for a deletion that a relationship with the Deny rule prevents.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationRelationshipDeniedDeleteError)
  }
  /// The error code for a number that is too large.
  public static var validationNumberTooLarge: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationNumberTooLargeError)
  }
  /// The error code for a number that is too small.
  public static var validationNumberTooSmall: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationNumberTooSmallError)
  }
  /// The error code for a date that is too late.
  public static var validationDateTooLate: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationDateTooLateError)
  }
  /// The error code for a date that is too early.
  public static var validationDateTooSoon: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationDateTooSoonError)
  }
  /// The error code for an invalid date.
  public static var validationInvalidDate: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationInvalidDateError)
  }
  /// The error code for a string that is too long.
  public static var validationStringTooLong: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationStringTooLongError)
  }
  /// The error code for a string that is too short.
  public static var validationStringTooShort: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationStringTooShortError)
  }
  /// The error code for a string that does not match its pattern.
  public static var validationStringPatternMatching: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationStringPatternMatchingError)
  }
  /// The error code for a context that cannot be locked.
  public static var managedObjectContextLocking: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectContextLockingError)
  }
  /// The error code for a coordinator that cannot be locked.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreCoordinatorLockingError)
  }
  /// The error code for an object ID without a row.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError)
  }
  /// The error code for a relationship to an object in another store.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectExternalRelationshipError)
  }
  /// The error code for a row that changed in the store after its object was loaded.
  public static var managedObjectMerge: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectMergeError)
  }
  /// The error code for rows that would violate a uniqueness constraint.
  public static var managedObjectConstraintMerge: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectConstraintMergeError)
  }
  /// The error code for an unknown store type.
  public static var persistentStoreInvalidType: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreInvalidTypeError)
  }
  /// The error code for a store type that differs from the type of the file.
  public static var persistentStoreTypeMismatch: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreTypeMismatchError)
  }
  /// The error code for an entity that no store can hold.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreIncompatibleSchemaError)
  }
  /// The error code for a store that cannot write.
  public static var persistentStoreSave: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreSaveError)
  }
  /// The error code for a save that one of several stores cannot write.
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreIncompleteSaveError)
  }
  /// The error code for save conflicts that no merge policy resolved.
  public static var persistentStoreSaveConflicts: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreSaveConflictsError)
  }
  /// The error code for a general failure of Core Data.
  public static var coreData: CocoaError.Code { CocoaError.Code(rawValue: NSCoreDataError) }
  /// The error code for a request that a store failed to carry out.
  public static var persistentStoreOperation: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreOperationError)
  }
  /// The error code for a store that cannot be opened.
  public static var persistentStoreOpen: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreOpenError)
  }
  /// The error code for a store that did not respond in time.
  public static var persistentStoreTimeout: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreTimeoutError)
  }
  /// The error code for a request that the store does not support.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreUnsupportedRequestTypeError)
  }
  /// The error code for a store that was written with another version of the model.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreIncompatibleVersionHashError)
  }
  /// The error code for a failed migration.
  public static var migration: CocoaError.Code { CocoaError.Code(rawValue: NSMigrationError) }
  /// The error code for a cancelled migration.
  public static var migrationCancelled: CocoaError.Code {
    CocoaError.Code(rawValue: NSMigrationCancelledError)
  }
  /// The error code for a migration that finds no model of the store.
  public static var migrationMissingSourceModel: CocoaError.Code {
    CocoaError.Code(rawValue: NSMigrationMissingSourceModelError)
  }
  /// The error code for a migration that finds no mapping model.
  public static var migrationMissingMappingModel: CocoaError.Code {
    CocoaError.Code(rawValue: NSMigrationMissingMappingModelError)
  }
  /// The error code for a migration that cannot read the source store.
  public static var migrationManagerSourceStore: CocoaError.Code {
    CocoaError.Code(rawValue: NSMigrationManagerSourceStoreError)
  }
  /// The error code for a migration that cannot write the destination store.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    CocoaError.Code(rawValue: NSMigrationManagerDestinationStoreError)
  }
  /// The error code for a migration policy that failed.
  public static var entityMigrationPolicy: CocoaError.Code {
    CocoaError.Code(rawValue: NSEntityMigrationPolicyError)
  }
  /// The error code for a failure of SQLite.
  public static var sqlite: CocoaError.Code { CocoaError.Code(rawValue: NSSQLiteError) }
  /// The error code for a mapping model that cannot be inferred.
  public static var inferredMappingModel: CocoaError.Code {
    CocoaError.Code(rawValue: NSInferredMappingModelError)
  }
  /// The error code for external records that cannot be imported.
  public static var externalRecordImport: CocoaError.Code {
    CocoaError.Code(rawValue: NSExternalRecordImportError)
  }
  /// The error code for a history token whose subsequent transactions were deleted.
  public static var persistentHistoryTokenExpired: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentHistoryTokenExpiredError)
  }
}
