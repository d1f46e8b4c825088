public import Foundation

/// An entity of a model.
open class NSEntityDescription: NSObject, @unchecked Sendable {
  /// The name, by which contexts find it.
  open var name: String?
  /// The class of its objects. A class is found by its full name, as `App.Note`, when the run uses
  /// it (`Note(context:)`, a fetch request for `Note`), and in the modules whose code inserts
  /// objects and makes fetch requests. Objects of unknown classes are plain managed objects.
  open var managedObjectClassName: String! = "NSManagedObject"
  /// Whether it has no objects of its own.
  open var isAbstract = false
  /// Its own properties; `propertiesByName` has the inherited ones, too.
  open var properties: [NSPropertyDescription] {
    get { ownProperties }
    set {
      ownProperties = newValue
      for property in newValue where property.entity == nil { property.entity = self }
    }
  }
  private var ownProperties: [NSPropertyDescription] = []
  /// The entities that inherit from it, by name.
  open var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(subentities.map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  /// The entities that inherit from it.
  open var subentities: [NSEntityDescription] {
    get { ownSubentities }
    set {
      ownSubentities = newValue
      for entity in newValue { entity.superentity = self }
    }
  }
  private var ownSubentities: [NSEntityDescription] = []
  /// The entity from which it inherits.
  open internal(set) weak var superentity: NSEntityDescription?
  /// Each a list of attribute names on whose values no two rows may agree.
  open var uniquenessConstraints: [[Any]] = []
  /// What the app notes of it.
  open var userInfo: [AnyHashable: Any]? = [:]
  /// The name by which a migration finds it in the version before: its own unless it was set.
  open var renamingIdentifier: String? {
    get { ownRenamingIdentifier ?? name }
    set { ownRenamingIdentifier = newValue }
  }
  var ownRenamingIdentifier: String?
  /// Changes the version hash where nothing else does.
  open var versionHashModifier: String?
  /// Of no effect: indexes make fetches faster.
  open var indexes: [NSFetchIndexDescription] {
    get { ownIndexes }
    set {
      ownIndexes = newValue
      for index in newValue { index.entity = self }
    }
  }
  private var ownIndexes: [NSFetchIndexDescription] = []
  /// The model that it belongs to.
  open internal(set) weak var managedObjectModel: NSManagedObjectModel!

  /// Its place in the model.
  var index = 0

  /// An entity without a name.
  public override init() {}

  /// The inherited properties, then its own: attributes and relationships.
  var allProperties: [NSPropertyDescription] {
    declaredProperties.filter { !($0 is NSFetchedPropertyDescription) }
  }

  private var declaredProperties: [NSPropertyDescription] {
    let own = properties.filter { $0.entity === self }
    return (superentity?.declaredProperties ?? []) + own
  }

  /// The properties by name, inherited ones included.
  open var propertiesByName: [String: NSPropertyDescription] {
    Dictionary(declaredProperties.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The property of this name, inherited ones included.
  open subscript(name: String) -> NSPropertyDescription? { propertiesByName[name] }

  /// The attributes by name, likewise.
  open var attributesByName: [String: NSAttributeDescription] {
    propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
  }

  /// The relationships by name, likewise.
  open var relationshipsByName: [String: NSRelationshipDescription] {
    propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
  }

  /// The relationships whose destination is `entity`.
  open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription]
  {
    allProperties.compactMap { $0 as? NSRelationshipDescription }
      .filter { $0.destinationEntity === entity }
  }

  /// Whether this is `entity` or inherits from it.
  open func isKindOf(entity: NSEntityDescription) -> Bool {
    self === entity || superentity?.isKindOf(entity: entity) == true
  }

  /// A number for the properties: another if they change.
  open var versionHash: Data {
    let text = allProperties.map(\.versionText).sorted().joined(separator: "\n")
    return VersionHash.of(
      "\(name ?? "") \(isAbstract) \(versionHashModifier ?? "")\n\(text)")
  }

  /// The entity of this name in the model of a context; nil if there is none.
  open class func entity(
    forEntityName name: String, in context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
  }

  /// Inserts an object of the entity of this name. Traps if the context's model has none.
  public class func insertNewObject(
    forEntityName name: String, into context: NSManagedObjectContext, file: String = #fileID
  ) -> NSManagedObject {
    context.state.noteCaller(file)
    let method: (String, NSManagedObjectContext) -> NSManagedObject =
      insertNewObject(forEntityName:into:)
    return method(name, context)
  }

  /// The same: what an override takes over, and what protocols ask for.
  @_disfavoredOverload
  open class func insertNewObject(
    forEntityName name: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    guard let entity = entity(forEntityName: name, in: context) else {
      misuse("the model of the context has no entity '\(name)'")
    }
    return context.objectClass(of: entity).init(entity: entity, insertInto: context)
  }

  /// The class of its objects, wherever it was declared.
  var managedObjectClass: NSManagedObject.Type {
    guard let name = managedObjectClassName, name != "NSManagedObject" else {
      return NSManagedObject.self
    }
    return RunState.current.managedObjectClass(named: name) ?? NSManagedObject.self
  }
}

extension NSManagedObject {
  /// What `NSManagedObject(entity:insertInto:)` becomes when a source is prepared: the object has
  /// the class of the entity.
  public static func ofEntityClass(
    entity: NSEntityDescription, insertInto context: NSManagedObjectContext?, file: String = #fileID
  ) -> NSManagedObject {
    RunState.current.noteCaller(file)
    let type = context?.objectClass(of: entity) ?? entity.managedObjectClass
    return type.init(entity: entity, insertInto: context)
  }
}
