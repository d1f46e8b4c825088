public import Foundation

// The codes of Core Data's errors in `NSCocoaErrorDomain`, as numbers and as `CocoaError.Code`.

/// Code of an error: an object is invalid.
public let NSManagedObjectValidationError = 1550
/// Code of an error: a uniqueness constraint is violated within a save.
public let NSManagedObjectConstraintValidationError = 1551
/// Code of an error: several properties, or objects, are invalid.
public let NSValidationMultipleErrorsError = 1560
/// Code of an error: a property must have a value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// Code of an error: a relationship has too few destinations.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// Code of an error: a relationship has too many destinations.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// Code of an error: a relationship whose rule is deny has destinations.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// Code of an error: a number is too large.
public let NSValidationNumberTooLargeError = 1610
/// Code of an error: a number is too small.
public let NSValidationNumberTooSmallError = 1620
/// Code of an error: a date is too late.
public let NSValidationDateTooLateError = 1630
/// Code of an error: a date is too early.
public let NSValidationDateTooSoonError = 1640
/// Code of an error: a date is none.
public let NSValidationInvalidDateError = 1650
/// Code of an error: a text is too long.
public let NSValidationStringTooLongError = 1660
/// Code of an error: a text is too short.
public let NSValidationStringTooShortError = 1670
/// Code of an error: a text does not match its pattern.
public let NSValidationStringPatternMatchingError = 1680
/// Code of an error: a text is no URI.
public let NSValidationInvalidURIError = 1690
/// Code of an error: a context could not be locked.
public let NSManagedObjectContextLockingError = 132000
/// Code of an error: a coordinator could not be locked.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// Code of an error: no row has this ID.
public let NSManagedObjectReferentialIntegrityError = 133000
/// Code of an error: a relationship leads into another store.
public let NSManagedObjectExternalRelationshipError = 133010
/// Code of an error: the store has changed since an object was loaded.
public let NSManagedObjectMergeError = 133020
/// Code of an error: two rows would agree on what has to be unique.
public let NSManagedObjectConstraintMergeError = 133021
/// Code of an error: no store has this type.
public let NSPersistentStoreInvalidTypeError = 134000
/// Code of an error: a store has another type than its file.
public let NSPersistentStoreTypeMismatchError = 134010
/// Code of an error: no store has a place for an entity.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// Code of an error: a store could not write.
public let NSPersistentStoreSaveError = 134030
/// Code of an error: one of several stores could not write.
public let NSPersistentStoreIncompleteSaveError = 134040
/// Code of an error: a save has conflicts that no policy has resolved.
public let NSPersistentStoreSaveConflictsError = 134050
/// Code of an error: Core Data has failed.
public let NSCoreDataError = 134060
/// Code of an error: a store could not carry out a request.
public let NSPersistentStoreOperationError = 134070
/// Code of an error: a store could not be opened.
public let NSPersistentStoreOpenError = 134080
/// Code of an error: a store has not answered in time.
public let NSPersistentStoreTimeoutError = 134090
/// Code of an error: a store does not know the request.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// Code of an error: a store was written by another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// Code of an error: a migration has failed.
public let NSMigrationError = 134110
/// Code of an error: a migration was cancelled.
public let NSMigrationCancelledError = 134120
/// Code of an error: a migration would leave rows that are not unique.
public let NSMigrationConstraintViolationError = 134111
/// Code of an error: a migration has found no model of the store.
public let NSMigrationMissingSourceModelError = 134130
/// Code of an error: a migration has found no mapping model.
public let NSMigrationMissingMappingModelError = 134140
/// Code of an error: a migration could not read the store.
public let NSMigrationManagerSourceStoreError = 134150
/// Code of an error: a migration could not write the store.
public let NSMigrationManagerDestinationStoreError = 134160
/// Code of an error: a migration policy has failed.
public let NSEntityMigrationPolicyError = 134170
/// Code of an error: SQLite has failed.
public let NSSQLiteError = 134180
/// Code of an error: a mapping model could not be inferred.
public let NSInferredMappingModelError = 134190
/// Code of an error: external records could not be imported.
public let NSExternalRecordImportError = 134200
/// Code of an error: what follows a token was deleted from the history.
public let NSPersistentHistoryTokenExpiredError = 134301
/// Code of an error: a model of a migration in stages is not there, or none is the store's.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// Code of an error: what a store says of itself is not enough for a migration in stages.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// Code of an error: stages lead from a later version to an earlier one.
public let NSStagedMigrationBackwardMigrationError = 134506

extension CocoaError.Code {
  /// An object is invalid.
  public static var managedObjectValidation: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectValidationError)
  }
  /// A uniqueness constraint is violated within a save.
  public static var managedObjectConstraintValidation: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectConstraintValidationError)
  }
  /// Several properties, or objects, are invalid.
  public static var validationMultipleErrors: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationMultipleErrorsError)
  }
  /// A property must have a value.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationMissingMandatoryPropertyError)
  }
  /// A relationship has too few destinations.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationRelationshipLacksMinimumCountError)
  }
  /// A relationship has too many destinations.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationRelationshipExceedsMaximumCountError)
  }
  /// A relationship whose rule is deny has destinations.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationRelationshipDeniedDeleteError)
  }
  /// A number is too large.
  public static var validationNumberTooLarge: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationNumberTooLargeError)
  }
  /// A number is too small.
  public static var validationNumberTooSmall: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationNumberTooSmallError)
  }
  /// A date is too late.
  public static var validationDateTooLate: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationDateTooLateError)
  }
  /// A date is too early.
  public static var validationDateTooSoon: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationDateTooSoonError)
  }
  /// A date is none.
  public static var validationInvalidDate: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationInvalidDateError)
  }
  /// A text is too long.
  public static var validationStringTooLong: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationStringTooLongError)
  }
  /// A text is too short.
  public static var validationStringTooShort: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationStringTooShortError)
  }
  /// A text does not match its pattern.
  public static var validationStringPatternMatching: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationStringPatternMatchingError)
  }
  /// A context could not be locked.
  public static var managedObjectContextLocking: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectContextLockingError)
  }
  /// A coordinator could not be locked.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreCoordinatorLockingError)
  }
  /// No row has this ID.
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError)
  }
  /// A relationship leads into another store.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectExternalRelationshipError)
  }
  /// The store has changed since an object was loaded.
  public static var managedObjectMerge: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectMergeError)
  }
  /// Two rows would agree on what has to be unique.
  public static var managedObjectConstraintMerge: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectConstraintMergeError)
  }
  /// No store has this type.
  public static var persistentStoreInvalidType: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreInvalidTypeError)
  }
  /// A store has another type than its file.
  public static var persistentStoreTypeMismatch: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreTypeMismatchError)
  }
  /// No store has a place for an entity.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreIncompatibleSchemaError)
  }
  /// A store could not write.
  public static var persistentStoreSave: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreSaveError)
  }
  /// One of several stores could not write.
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreIncompleteSaveError)
  }
  /// A save has conflicts that no policy has resolved.
  public static var persistentStoreSaveConflicts: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreSaveConflictsError)
  }
  /// Core Data has failed.
  public static var coreData: CocoaError.Code { CocoaError.Code(rawValue: NSCoreDataError) }
  /// A store could not carry out a request.
  public static var persistentStoreOperation: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreOperationError)
  }
  /// A store could not be opened.
  public static var persistentStoreOpen: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreOpenError)
  }
  /// A store has not answered in time.
  public static var persistentStoreTimeout: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreTimeoutError)
  }
  /// A store does not know the request.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreUnsupportedRequestTypeError)
  }
  /// A store was written by another version of the model.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreIncompatibleVersionHashError)
  }
  /// A migration has failed.
  public static var migration: CocoaError.Code { CocoaError.Code(rawValue: NSMigrationError) }
  /// A migration was cancelled.
  public static var migrationCancelled: CocoaError.Code {
    CocoaError.Code(rawValue: NSMigrationCancelledError)
  }
  /// A migration has found no model of the store.
  public static var migrationMissingSourceModel: CocoaError.Code {
    CocoaError.Code(rawValue: NSMigrationMissingSourceModelError)
  }
  /// A migration has found no mapping model.
  public static var migrationMissingMappingModel: CocoaError.Code {
    CocoaError.Code(rawValue: NSMigrationMissingMappingModelError)
  }
  /// A migration could not read the store.
  public static var migrationManagerSourceStore: CocoaError.Code {
    CocoaError.Code(rawValue: NSMigrationManagerSourceStoreError)
  }
  /// A migration could not write the store.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    CocoaError.Code(rawValue: NSMigrationManagerDestinationStoreError)
  }
  /// A migration policy has failed.
  public static var entityMigrationPolicy: CocoaError.Code {
    CocoaError.Code(rawValue: NSEntityMigrationPolicyError)
  }
  /// SQLite has failed.
  public static var sqlite: CocoaError.Code { CocoaError.Code(rawValue: NSSQLiteError) }
  /// A mapping model could not be inferred.
  public static var inferredMappingModel: CocoaError.Code {
    CocoaError.Code(rawValue: NSInferredMappingModelError)
  }
  /// External records could not be imported.
  public static var externalRecordImport: CocoaError.Code {
    CocoaError.Code(rawValue: NSExternalRecordImportError)
  }
  /// What follows a token was deleted from the history.
  public static var persistentHistoryTokenExpired: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentHistoryTokenExpiredError)
  }
}
