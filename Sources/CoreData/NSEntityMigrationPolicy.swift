public import Foundation

/// How a migration carries out the mapping of an entity: in three passes, in each of which the
/// manager asks it for one entity mapping after another.
open class NSEntityMigrationPolicy: NSObject {
  /// A policy: the manager makes one for each entity mapping.
  public required override init() {}

  /// Called before anything else of a mapping.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// First pass: makes an object of the destination for one of the source, sets its attributes, and
  /// has the manager note that the one came of the other.
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

  /// Called when all objects of the mapping are there.
  open func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Second pass: sets the relationships of an object of the destination.
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

  /// Called when all relationships of the mapping are set.
  open func endRelationshipCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Third pass: throws what the app has against it.
  open func performCustomValidation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Called after everything else of a mapping.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Calls a method that an expression names, as `FUNCTION($entityPolicy, "text:", $source.title)`:
  /// a prepared class overrides it for its `@objc` methods. Nil if it has none of this name.
  open func __called(_ selector: String, _ arguments: [Any?]) -> Any?? { nil }
}
