public import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// The key for the object of a validation error.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The key for the name of the property of a validation error.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The key for the value of a validation error.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The key for the individual errors of an error about several objects.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The key for the conflicts of a merge error, an array of `NSMergeConflict`.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The key for the predicate that a value does not satisfy.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The key for the objects that an error affects.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The key for the stores that an error affects.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The domain of SQLite errors. No simulated store reports such errors.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"

/// A conflict between an object that a save tried to write and its row, which was changed or
/// deleted after the context loaded it.
public final class NSMergeConflict: NSObject {
  /// The object that could not be saved.
  public let sourceObject: NSManagedObject
  /// The version that the context loaded, or 0 for a conflict with a parent context.
  public let oldVersionNumber: Int
  /// The current version of the row, or 0 if the row was deleted or the conflict is with a parent
  /// context.
  public let newVersionNumber: Int
  /// The values that the context loaded (MP-05).
  public let objectSnapshot: [String: Any]?
  /// The values in the row cache.
  public let cachedSnapshot: [String: Any]?
  /// The values in the store.
  public let persistedSnapshot: [String: Any]?

  /// A description that contains the object and the versions. It is the same in each run.
  public override var description: String {
    "NSMergeConflict of \(sourceObject.objectID), version \(oldVersionNumber) against "
      + "\(newVersionNumber == 0 ? "none" : "\(newVersionNumber)")"
  }

  init(_ conflict: Failure.Conflict, in context: NSManagedObjectContext) {
    sourceObject = context.object(for: conflict.object)
    oldVersionNumber = conflict.oldVersion
    newVersionNumber = conflict.newVersion
    let entity = context.run.model[conflict.object.entity]
    func snapshot(_ values: [Value]?) -> [String: Any]? {
      guard let values else { return nil }
      var snapshot: [String: Any] = [:]
      for property in entity.properties where !property.isToMany {
        snapshot[property.name] = context.plain(values[property.slot], property) ?? NSNull()
      }
      return snapshot
    }
    objectSnapshot = snapshot(conflict.objectSnapshot)
    cachedSnapshot = snapshot(conflict.cachedSnapshot)
    persistedSnapshot = snapshot(conflict.persistedSnapshot)
  }
}

/// A conflict between objects of a save, and possibly a stored row, that violates a uniqueness
/// constraint.
public final class NSConstraintConflict: NSObject {
  /// The names of the constrained attributes.
  public let constraint: [String]
  /// The values of the constrained attributes.
  public let constraintValues: [String: Any]
  /// The object whose stored row conflicts, or `nil` if only the saved objects conflict.
  public let databaseObject: NSManagedObject?
  /// The conflicting objects of the saving context.
  public let conflictingObjects: [NSManagedObject]

  /// A description with the constrained attributes and the IDs of the conflicting objects, without
  /// the object of the row. It is the same in each run.
  public override var description: String {
    "NSConstraintConflict of \(constraint.joined(separator: ", ")) between "
      + conflictingObjects.map { "\($0.objectID)" }.joined(separator: ", ")
  }

  /// Creates a conflict without a constraint and without objects.
  public override init() {
    (constraint, constraintValues, databaseObject, conflictingObjects) = ([], [:], nil, [])
  }

  init(_ conflict: Failure.ConstraintConflict, in context: NSManagedObjectContext) {
    let entity = context.run.model[conflict.entity]
    constraint = conflict.constraint.map { entity[$0].name }
    databaseObject = conflict.databaseObject.map { context.object(for: $0) }
    conflictingObjects = conflict.objects.map { context.object(for: $0) }
    let object = conflictingObjects.first
    constraintValues = Dictionary(
      constraint.compactMap { name in object?.value(forKey: name).map { (name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}

extension RunState {
  func mergeError(_ conflicts: [NSMergeConflict]) -> NSError {
    cocoa(
      133020, "could not merge changes", [NSPersistentStoreSaveConflictsErrorKey: conflicts])
  }

  func constraintError(_ conflicts: [NSConstraintConflict]) -> NSError {
    cocoa(
      133021, "a uniqueness constraint is violated",
      [NSPersistentStoreSaveConflictsErrorKey: conflicts])
  }

  /// Returns the error that Core Data throws for a failure, or the exception that it raises.
  func error(for failure: Failure, in context: NSManagedObjectContext) -> NSError {
    switch failure {
    case .validation(let issues):
      let errors = issues.map { error(for: $0, in: context) }
      if errors.count == 1 { return errors[0] }
      return cocoa(
        NSValidationMultipleErrorsError, "several properties are invalid",
        [NSDetailedErrorsKey: errors])
    case .mergeConflicts(let conflicts):
      return mergeError(conflicts.map { NSMergeConflict($0, in: context) })
    case .constraintConflicts(let conflicts):
      return constraintError(conflicts.map { NSConstraintConflict($0, in: context) })
    case .missingObject: return cocoa(133000, "no row has this ID")
    case .crossStore: return cocoa(133010, "a relationship leads to an object in another store")
    case .refusedWrite: return cocoa(134030, "the store could not write")
    case .inaccessible: return cocoa(133000, "the fault could not be fulfilled")
    case .noStore(let entity):
      return cocoa(134020, "no store accepts the entity \(run.model[entity].name)")
    case .unreachableStore: return cocoa(134020, "the object's store is not in the coordinator")
    case .differentContexts: return raised("objects of different contexts are related")
    case .noContext: return raised("the object no longer belongs to a context")
    case .alreadySaved: return raised("a saved object cannot be assigned to a store")
    case .unsupportedRequest: return raised("the request is not supported")
    case .willSaveLoop: return raised("willSave kept changing its object")
    case .wrongQueue: return raised("the context is used outside its queue")
    }
  }

  private func error(
    for issue: Failure.Issue, in context: NSManagedObjectContext
  ) -> NSError {
    let property = property(issue.property, of: issue.object.entity)
    var userInfo: [String: Any] = [
      NSValidationObjectErrorKey: context.object(for: issue.object),
      NSValidationKeyErrorKey: property.name,
    ]
    userInfo[NSValidationValueErrorKey] = context.plain(issue.value, property)
    return cocoa(issue.code.rawValue, "\(property.name): \(issue.code.name)", userInfo)
  }

  func cocoa(
    _ code: Int, _ text: String, _ userInfo: [String: Any] = [:]
  ) -> NSError {
    NSError(
      domain: NSCocoaErrorDomain, code: code,
      userInfo: userInfo.merging([NSLocalizedDescriptionKey: text]) { own, _ in own })
  }

  /// Returns an error that stands for an exception that Core Data raises.
  func raised(_ text: String) -> NSError {
    NSError(
      domain: "NSInvalidArgumentException", code: 0, userInfo: [NSLocalizedDescriptionKey: text])
  }
}
