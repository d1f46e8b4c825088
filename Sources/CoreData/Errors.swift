public import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// Key of a validation error: the object.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// Key of a validation error: the name of the property.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// Key of a validation error: the value.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// Key of an error for several objects: the errors.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// Key of a merge error: an array of `NSMergeConflict`.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// Key of a validation error: the predicate that does not hold.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// Key of an error: the objects that it is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// Key of an error: the stores that it is about.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// Domain of the errors of SQLite, which no store has here.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"

/// An object that a save could not write, because the store has another version of its row.
public final class NSMergeConflict: NSObject {
  /// The object.
  public let sourceObject: NSManagedObject
  /// The version that the context had loaded; 0 towards a parent.
  public let oldVersionNumber: Int
  /// The version that is there; 0 if the row is gone, or towards a parent.
  public let newVersionNumber: Int
  /// What the context had loaded (MP-05).
  public let objectSnapshot: [String: Any]?
  /// What the row cache has.
  public let cachedSnapshot: [String: Any]?
  /// What the store has.
  public let persistedSnapshot: [String: Any]?

  /// The object and the versions: the same in each run.
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

/// Objects of a save, and perhaps a row, that agree on what has to be unique.
public final class NSConstraintConflict: NSObject {
  /// The names of the attributes.
  public let constraint: [String]
  /// Their values.
  public let constraintValues: [String: Any]
  /// The object that has the row; nil if only the objects are in each other's way.
  public let databaseObject: NSManagedObject?
  /// The objects of the saving context.
  public let conflictingObjects: [NSManagedObject]

  /// The constraint and the objects: the same in each run.
  public override var description: String {
    "NSConstraintConflict of \(constraint.joined(separator: ", ")) between "
      + conflictingObjects.map { "\($0.objectID)" }.joined(separator: ", ")
  }

  /// A conflict about nothing.
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

  /// The error that Core Data throws, or the reason for which it raises.
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
    case .crossStore: return cocoa(133010, "a relationship leads into another store")
    case .refusedWrite: return cocoa(134030, "the store could not write")
    case .inaccessible: return cocoa(133000, "the fault could not be fulfilled")
    case .noStore(let entity):
      return cocoa(134020, "no store takes \(run.model[entity].name)")
    case .unreachableStore: return cocoa(134020, "the object's store is not among the stores")
    case .differentContexts: return raised("objects of different contexts are related")
    case .noContext: return raised("the object belongs to no context any more")
    case .alreadySaved: return raised("an object that was saved is assigned to a store")
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

  /// What Core Data raises where it does not return an error.
  func raised(_ text: String) -> NSError {
    NSError(
      domain: "NSInvalidArgumentException", code: 0, userInfo: [NSLocalizedDescriptionKey: text])
  }
}
