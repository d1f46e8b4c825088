public import Foundation

/// A description of an entity of a model.
open class NSEntityDescription: NSObject, @unchecked Sendable {
  /// The name, by which contexts find the entity.
  open var name: String?
  /// The class of the entity's objects.
  ///
  /// The class is looked up by its full name, such as `App.Note`. It is known once the run uses it,
  /// as in `Note(context:)` or a fetch request for `Note`. It is also looked up in the modules
  /// whose code inserts objects and creates fetch requests. Objects of unknown classes are plain
  /// managed objects.
  open var managedObjectClassName: String! = "NSManagedObject"
  /// A Boolean value that indicates whether the entity is abstract. An abstract entity has no
  /// direct instances.
  open var isAbstract = false
  /// The properties that the entity declares. Inherited properties are in `propertiesByName`.
  open var properties: [NSPropertyDescription] {
    get { ownProperties }
    set {
      ownProperties = newValue
      for property in newValue where property.entity == nil { property.entity = self }
    }
  }
  private var ownProperties: [NSPropertyDescription] = []
  /// The direct subentities, indexed by name.
  open var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(subentities.map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  /// The direct subentities.
  open var subentities: [NSEntityDescription] {
    get { ownSubentities }
    set {
      ownSubentities = newValue
      for entity in newValue { entity.superentity = self }
    }
  }
  private var ownSubentities: [NSEntityDescription] = []
  /// The entity that this entity inherits from.
  open internal(set) weak var superentity: NSEntityDescription?
  /// The uniqueness constraints, each a list of attributes. No two rows may have equal values for
  /// all of them.
  open var uniquenessConstraints: [[Any]] = []
  /// App-defined information about the entity.
  open var userInfo: [AnyHashable: Any]? = [:]
  /// The name by which a migration finds the entity in the previous version of the model. By
  /// default, this is the name of the entity.
  open var renamingIdentifier: String? {
    get { ownRenamingIdentifier ?? name }
    set { ownRenamingIdentifier = newValue }
  }
  var ownRenamingIdentifier: String?
  /// A value that changes the version hash when no other part of the entity changes.
  open var versionHashModifier: String?
  /// The fetch indexes, which have no effect, because indexes only make fetches faster.
  open var indexes: [NSFetchIndexDescription] {
    get { ownIndexes }
    set {
      ownIndexes = newValue
      for index in newValue { index.entity = self }
    }
  }
  private var ownIndexes: [NSFetchIndexDescription] = []
  /// The model that contains the entity.
  open internal(set) weak var managedObjectModel: NSManagedObjectModel!

  /// The position of the entity in its model.
  var index = 0

  /// Creates an entity without a name.
  public override init() {}

  /// The inherited attributes and relationships, followed by those that the entity declares.
  var allProperties: [NSPropertyDescription] {
    declaredProperties.filter { !($0 is NSFetchedPropertyDescription) }
  }

  private var declaredProperties: [NSPropertyDescription] {
    let own = properties.filter { $0.entity === self }
    return (superentity?.declaredProperties ?? []) + own
  }

  /// The properties, including inherited properties, indexed by name.
  open var propertiesByName: [String: NSPropertyDescription] {
    Dictionary(declaredProperties.map { ($0.name, $0) }) { first, _ in first }
  }

  /// Returns the property with this name, which may be inherited.
  open subscript(name: String) -> NSPropertyDescription? { propertiesByName[name] }

  /// The attributes, including inherited attributes, indexed by name.
  open var attributesByName: [String: NSAttributeDescription] {
    propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
  }

  /// The relationships, including inherited relationships, indexed by name.
  open var relationshipsByName: [String: NSRelationshipDescription] {
    propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
  }

  /// Returns the relationships whose destination is `entity`.
  open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription]
  {
    allProperties.compactMap { $0 as? NSRelationshipDescription }
      .filter { $0.destinationEntity === entity }
  }

  /// Returns a Boolean value that indicates whether the entity is `entity` or inherits from it.
  open func isKindOf(entity: NSEntityDescription) -> Bool {
    self === entity || superentity?.isKindOf(entity: entity) == true
  }

  /// A hash of the entity's definition, which differs if the entity or its properties change.
  open var versionHash: Data {
    let text = allProperties.map(\.versionText).sorted().joined(separator: "\n")
    return VersionHash.of(
      "\(name ?? "") \(isAbstract) \(versionHashModifier ?? "")\n\(text)")
  }

  /// Returns the entity with this name in the model of a context, or `nil` if the model has none.
  open class func entity(
    forEntityName name: String, in context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
  }

  /// Inserts a new object of the entity with this name. Traps if the context's model has no such
  /// entity.
  public class func insertNewObject(
    forEntityName name: String, into context: NSManagedObjectContext, file: String = #fileID
  ) -> NSManagedObject {
    context.state.noteCaller(file)
    let method: (String, NSManagedObjectContext) -> NSManagedObject =
      insertNewObject(forEntityName:into:)
    return method(name, context)
  }

  /// Inserts a new object of the entity with this name. Subclasses override this method, and
  /// protocols may require it.
  @_disfavoredOverload
  open class func insertNewObject(
    forEntityName name: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    guard let entity = entity(forEntityName: name, in: context) else {
      misuse("the model of the context has no entity '\(name)'")
    }
    return context.objectClass(of: entity).init(entity: entity, insertInto: context)
  }

  /// The class of the entity's objects, or `NSManagedObject` if the class is unknown.
  var managedObjectClass: NSManagedObject.Type {
    guard let name = managedObjectClassName, name != "NSManagedObject" else {
      return NSManagedObject.self
    }
    return RunState.current.managedObjectClass(named: name) ?? NSManagedObject.self
  }
}

extension NSManagedObject {
  /// Creates an object of the class of its entity. A prepared source uses this method for
  /// `NSManagedObject(entity:insertInto:)`.
  public static func ofEntityClass(
    entity: NSEntityDescription, insertInto context: NSManagedObjectContext?, file: String = #fileID
  ) -> NSManagedObject {
    RunState.current.noteCaller(file)
    let type = context?.objectClass(of: entity) ?? entity.managedObjectClass
    return type.init(entity: entity, insertInto: context)
  }
}
