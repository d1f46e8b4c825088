public import Foundation

/// A policy that carries out an entity mapping of a migration. The migration has three passes, and
/// in each pass the manager processes one entity mapping after another.
open class NSEntityMigrationPolicy: NSObject {
  /// Creates a policy. The manager creates one policy for each entity mapping.
  public required override init() {}

  /// Called before the other methods for a mapping.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Creates a destination object for a source object, sets its attributes, and associates both
  /// objects. Called in the first pass.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard let name = mapping.destinationEntityName else { return }
    let made = NSEntityDescription.insertNewObject(
      forEntityName: name, into: manager.destinationContext)
    for property in mapping.attributeMappings ?? [] {
      guard let key = property.name, let expression = property.valueExpression else { continue }
      guard made.entity.attributesByName[key] != nil else {
        throw manager.failure("the entity \(name) has no attribute '\(key)'")
      }
      let value = manager.value(
        of: expression, mapping, property, self, source: sInstance, destination: made)
      made.setValue(value is NSNull ? nil : value, forKey: key)
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
  }

  /// Called after all objects of the mapping were created.
  open func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Sets the relationships of a destination object. Called in the second pass.
  open func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [dInstance])
    guard let source = sources.first else { return }
    for property in mapping.relationshipMappings ?? [] {
      guard let key = property.name, let expression = property.valueExpression else { continue }
      guard let relationship = dInstance.entity.relationshipsByName[key] else {
        throw manager.failure("an object of \(dInstance.entity.name ?? "") has no '\(key)'")
      }
      let value = manager.value(
        of: expression, mapping, property, self, source: source, destination: dInstance)
      let members = MigrationCall.objects(value)
      if !relationship.isToMany {
        dInstance.setValue(members.first, forKey: key)
      } else if relationship.isOrdered {
        dInstance.setValue(NSOrderedSet(array: members), forKey: key)
      } else {
        dInstance.setValue(Set(members), forKey: key)
      }
    }
  }

  /// Called after all relationships of the mapping were set.
  open func endRelationshipCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Throws an error if the migrated objects violate a rule of the app. Called in the third pass.
  open func performCustomValidation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Called after the other methods for a mapping.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Calls a method that an expression names, as in
  /// `FUNCTION($entityPolicy, "text:", $source.title)`. Prepared classes override this method to
  /// call their `@objc` methods. Returns `nil` if the class has no method of this name.
  open func __called(_ selector: String, _ arguments: [Any?]) -> Any?? { nil }
}
