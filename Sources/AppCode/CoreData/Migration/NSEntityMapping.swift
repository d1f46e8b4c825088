public import Foundation

/// The way in which a migration treats the objects of an entity.
public enum NSEntityMappingType: UInt, Sendable {
  /// An unspecified type, treated as `customEntityMappingType`.
  case undefinedEntityMappingType = 0
  /// A custom mapping that the migration policy carries out.
  case customEntityMappingType = 1
  /// A mapping of an entity that only the destination model has.
  case addEntityMappingType = 2
  /// A mapping of an entity that the destination model no longer has, so the entity's objects are
  /// not migrated.
  case removeEntityMappingType = 3
  /// A mapping of an entity that is equal in both models.
  case copyEntityMappingType = 4
  /// A mapping of an entity whose properties differ.
  case transformEntityMappingType = 5
}

/// A description of the way in which a property of the destination gets its value.
open class NSPropertyMapping: NSObject {
  /// The name of the destination property.
  open var name: String?
  /// The expression that computes the value. It may use the variables `$source`, `$destination`,
  /// `$manager`, `$entityMapping`, `$propertyMapping` and `$entityPolicy`. Without an expression,
  /// the property keeps its default value.
  open var valueExpression: SimulatedNSExpression?
  /// App-defined information about the mapping.
  open var userInfo: [AnyHashable: Any]?

  /// Creates a mapping without a property.
  public override init() {}

  /// Compares mappings by name and expression.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPropertyMapping)?.text == text
  }

  /// A hash value that is the same in each run.
  open override var hash: Int { name?.count ?? 0 }

  /// A description that is the same in each run.
  open override var description: String { text }

  var text: String { "\(name ?? "") = \(valueExpression?.side.text ?? "nothing")" }
}

/// A description of the way in which objects of a source entity become objects of a destination
/// entity.
open class NSEntityMapping: NSObject {
  /// The name of the mapping, by which the migration manager finds related objects.
  open var name: String! = ""
  /// The kind of the mapping.
  open var mappingType = NSEntityMappingType.undefinedEntityMappingType
  /// The name of the source entity, or `nil` for an entity that is new.
  open var sourceEntityName: String?
  /// The version hash of the source entity. Has no effect.
  open var sourceEntityVersionHash: Data?
  /// The name of the destination entity, or `nil` for an entity that is removed.
  open var destinationEntityName: String?
  /// The version hash of the destination entity. Has no effect.
  open var destinationEntityVersionHash: Data?
  /// The mappings of attributes.
  open var attributeMappings: [NSPropertyMapping]?
  /// The mappings of relationships, which are carried out after all objects were created.
  open var relationshipMappings: [NSPropertyMapping]?
  /// An expression for the source objects to migrate, an array or a fetch request. If it is `nil`,
  /// all objects of the source entity are migrated.
  open var sourceExpression: SimulatedNSExpression?
  /// App-defined information about the mapping.
  open var userInfo: [AnyHashable: Any]?
  /// The class name of the migration policy, with or without its module. If it is `nil`, the policy
  /// is an `NSEntityMigrationPolicy`.
  open var entityMigrationPolicyClassName: String?

  /// Creates a mapping without entities.
  public override init() {}

  /// Compares mappings by all properties that affect a migration.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSEntityMapping)?.text == text
  }

  /// A hash value that is the same in each run.
  open override var hash: Int { name?.count ?? 0 }

  /// A description that is the same in each run.
  open override var description: String { text }

  var text: String {
    let properties = (attributeMappings ?? []) + (relationshipMappings ?? [])
    return "\(name ?? "") \(mappingType.rawValue) \(sourceEntityName ?? "") to "
      + "\(destinationEntityName ?? "") by \(entityMigrationPolicyClassName ?? "")"
      + " of \(sourceExpression?.side.text ?? "all"): "
      + properties.map(\.text).sorted().joined(separator: ", ")
  }
}
