public import Foundation

/// What a migration does with the objects of an entity.
public enum NSEntityMappingType: UInt, Sendable {
  /// As `customEntityMappingType`.
  case undefinedEntityMappingType = 0
  /// What its policy does.
  case customEntityMappingType = 1
  /// The entity is new: there is nothing to begin with.
  case addEntityMappingType = 2
  /// The entity is there no more, and its objects go.
  case removeEntityMappingType = 3
  /// The entity is the same in both models.
  case copyEntityMappingType = 4
  /// The entity has other properties.
  case transformEntityMappingType = 5
}

/// How a property of the destination gets its value.
open class NSPropertyMapping: NSObject {
  /// The name of the property.
  open var name: String?
  /// What the value is computed by, with the variables `$source`, `$destination`, `$manager`,
  /// `$entityMapping`, `$propertyMapping` and `$entityPolicy`. Without one the property keeps its
  /// default.
  open var valueExpression: SimulatedNSExpression?
  /// What the app notes of it.
  open var userInfo: [AnyHashable: Any]?

  /// A mapping of no property yet.
  public override init() {}

  /// By name and expression.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPropertyMapping)?.text == text
  }

  /// The same in each run.
  open override var hash: Int { name?.count ?? 0 }

  /// The same in each run.
  open override var description: String { text }

  var text: String { "\(name ?? "") = \(valueExpression?.side.text ?? "nothing")" }
}

/// How the objects of an entity become those of another.
open class NSEntityMapping: NSObject {
  /// The name, by which the manager finds what came of an object.
  open var name: String! = ""
  /// What is done.
  open var mappingType = NSEntityMappingType.undefinedEntityMappingType
  /// The entity of the source; nil of an entity that is new.
  open var sourceEntityName: String?
  /// The version of that entity; of no effect.
  open var sourceEntityVersionHash: Data?
  /// The entity of the destination; nil of an entity that goes.
  open var destinationEntityName: String?
  /// The version of that entity; of no effect.
  open var destinationEntityVersionHash: Data?
  /// How attributes get their values.
  open var attributeMappings: [NSPropertyMapping]?
  /// How relationships get theirs, once all objects are there.
  open var relationshipMappings: [NSPropertyMapping]?
  /// Which objects of the source: an array, or a request for them; nil for all of the entity.
  open var sourceExpression: SimulatedNSExpression?
  /// What the app notes of it.
  open var userInfo: [AnyHashable: Any]?
  /// The class of its policy, with its module or without; nil for `NSEntityMigrationPolicy`.
  open var entityMigrationPolicyClassName: String?

  /// A mapping of no entity yet.
  public override init() {}

  /// By all that a migration asks it for.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSEntityMapping)?.text == text
  }

  /// The same in each run.
  open override var hash: Int { name?.count ?? 0 }

  /// The same in each run.
  open override var description: String { text }

  var text: String {
    let properties = (attributeMappings ?? []) + (relationshipMappings ?? [])
    return "\(name ?? "") \(mappingType.rawValue) \(sourceEntityName ?? "") to "
      + "\(destinationEntityName ?? "") by \(entityMigrationPolicyClassName ?? "")"
      + " of \(sourceExpression?.side.text ?? "all"): "
      + properties.map(\.text).sorted().joined(separator: ", ")
  }
}
