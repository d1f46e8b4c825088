public import Foundation
import InputFiles
import ObjectModel

/// A model of the entities of an app.
///
/// A model file is read once per process. Descriptions are created on first use, because an app may
/// compare many versions with a store but uses only one.
open class NSManagedObjectModel: NSObject, @unchecked Sendable {
  /// The entities of the model. A model that a coordinator uses must not be changed.
  open var entities: [NSEntityDescription] {
    get {
      makeDescriptions()
      return ownEntities
    }
    // A property observer would not be called within an initializer of another module.
    set {
      makeDescriptions()
      ownEntities = newValue
      for (index, entity) in newValue.enumerated() {
        entity.index = index
        entity.managedObjectModel = self
      }
      bindCopies()
    }
  }
  private var ownEntities: [NSEntityDescription] = []
  /// The identifiers of the model version, which stores record.
  open var versionIdentifiers: Set<AnyHashable> = []
  private var entitiesByConfiguration: [String: [NSEntityDescription]] {
    get {
      makeDescriptions()
      return ownConfigurations
    }
    set { ownConfigurations = newValue }
  }
  private var ownConfigurations: [String: [NSEntityDescription]] = [:]
  var templates: RequestTemplates {
    get {
      makeDescriptions()
      return ownTemplates
    }
    set { ownTemplates = newValue }
  }
  private var ownTemplates = RequestTemplates()
  /// The model file whose descriptions have not been created yet.
  private var undescribed: ModelFileCache.File?
  /// Concurrent runs may share a model.
  private let lock = NSRecursiveLock()

  /// Creates a model without entities.
  public override init() {}

  convenience init(_ file: ModelFileCache.File) {
    self.init()
    describe(file)
  }

  private func describe(_ file: ModelFileCache.File) {
    undescribed = file
    if let identifier = file.classes.versionIdentifier { versionIdentifiers = [identifier] }
  }

  private func makeDescriptions() {
    lock.lock()
    defer { lock.unlock() }
    guard let file = undescribed else { return }
    undescribed = nil
    takeOver(file)
  }

  /// Creates a model from an `.xcdatamodeld` or `.xcdatamodel` source.
  ///
  /// For a compiled model (`.momd` or `.mom`) or a version of one (`.momd/Version 2.mom`), the
  /// source with the same name beside it is read. Returns `nil` if the model cannot be read. The
  /// initializer is required because a protocol of an app may require it.
  public required init?(contentsOf url: URL) {
    for path in NSManagedObjectModel.sources(of: url) {
      guard let file = ModelFileCache.file(at: path) else { continue }
      super.init()
      describe(file)
      return
    }
    return nil
  }

  private static func sources(of url: URL) -> [String] {
    guard ["momd", "mom"].contains(url.pathExtension) else { return [url.path] }
    let stem = url.deletingPathExtension()
    var folder = stem.deletingLastPathComponent()
    if folder.pathExtension == "momd" {
      folder = folder.deletingPathExtension().appendingPathExtension("xcdatamodeld")
      return [folder.appendingPathComponent(stem.lastPathComponent + ".xcdatamodel").path]
    }
    return ["xcdatamodeld", "xcdatamodel"].map { stem.appendingPathExtension($0).path }
  }

  /// Creates a model with copies of the entities of several models.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    guard let models, !models.isEmpty else { return nil }
    self.init()
    take(from: models)
  }

  // MARK: Versions

  /// The version hashes of the entities, indexed by name. A hash differs if the stored form of the
  /// entity differs.
  open var entityVersionHashesByName: [String: Data] {
    lock.lock()
    defer { lock.unlock() }
    if let undescribed { return ModelFileCache.versionHashes(of: undescribed) }
    return entitiesByName.mapValues(\.versionHash)
  }

  /// Returns a Boolean value that indicates whether the metadata of a store matches the version
  /// hashes of this model. Without a configuration, the store must contain exactly the entities of
  /// the model.
  open func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let known = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else {
      return false
    }
    let hashes = entityVersionHashesByName
    if NSManagedObjectModel.isOfAll(configuration) {
      return hashes == known
    }
    guard let entities = entities(forConfigurationName: configuration) else { return false }
    return entities.allSatisfy { entity in
      entity.name.map { known[$0] == hashes[$0] } ?? false
    }
  }

  /// Compares models by the version hashes of their entities.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectModel else { return false }
    return self === other || entityVersionHashesByName == other.entityVersionHashesByName
  }

  open override var hash: Int {
    lock.lock()
    defer { lock.unlock() }
    return undescribed?.model.entities.count ?? entities.count
  }

  /// Returns a Boolean value that indicates whether both models have the same entity classes in the
  /// same order.
  func hasSameClasses(as other: NSManagedObjectModel) -> Bool {
    entities.map(\.managedObjectClassName) == other.entities.map(\.managedObjectClassName)
  }

  /// The entities, indexed by name.
  open var entitiesByName: [String: NSEntityDescription] {
    Dictionary(entities.map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  /// The names of the configurations.
  open var configurations: [String] { entitiesByConfiguration.keys.sorted() }

  /// Returns the entities of a configuration, or all entities if `name` is `nil`.
  open func entities(forConfigurationName name: String?) -> [NSEntityDescription]? {
    guard let name, !NSManagedObjectModel.isOfAll(name) else { return entities }
    return entitiesByConfiguration[name]
  }

  /// Returns a Boolean value that indicates whether a configuration name stands for all entities.
  private static func isOfAll(_ name: String?) -> Bool {
    name == nil || name == "PF_DEFAULT_CONFIGURATION_NAME"
  }

  /// Sets the entities of a configuration. A store that is added with the configuration contains
  /// only these entities.
  open func setEntities(_ entities: [NSEntityDescription], forConfigurationName name: String) {
    entitiesByConfiguration[name] = entities
  }

  // MARK: The engine's model

  private func takeOver(_ file: ModelFileCache.File) {
    let (model, classes) = (file.model, file.classes)
    let classesByName = Dictionary(classes.entities.map { ($0.name, $0) }) { first, _ in first }
    entities = model.entities.map { entity in
      let description = NSEntityDescription()
      description.name = entity.name
      description.managedObjectClassName = SimulatedModules.fullName(
        ofClass: classesByName[entity.name]?.className ?? "NSManagedObject", inModelAt: file.path)
      description.isAbstract = entity.isAbstract
      return description
    }
    for (name, members) in classes.configurations {
      setEntities(
        entities.filter { $0.name.map(members.contains) ?? false }, forConfigurationName: name)
    }
    for (description, entity) in zip(entities, model.entities) {
      let inherited = entity.parent.map { model[$0].properties.count } ?? 0
      let noted = classesByName[entity.name]
      description.properties = entity.properties.dropFirst(inherited).map { property in
        let settings = noted?.properties.first { $0.name == property.name }?.settings
        return self.description(of: property, settings, model.symbols)
      }
      description.uniquenessConstraints = entity.uniquenessConstraints.map { constraint in
        constraint.map { entity[$0].name }
      }
      if let parent = entity.parent {
        entities[parent.index].subentities.append(description)
      }
    }
    for (description, entity) in zip(entities, model.entities) {
      for case let relationship as NSRelationshipDescription in description.properties {
        let declared = entity.properties.first { $0.name == relationship.name }?.relationship
        guard let declared else { continue }
        relationship.destinationEntity = entities[declared.destination.index]
        relationship.inverseRelationship = declared.inverse.flatMap { inverse in
          entities[declared.destination.index].allProperties[inverse.index]
            as? NSRelationshipDescription
        }
      }
    }
    note(classes)
  }

  private func description(
    of property: Property, _ settings: ModelClasses.Settings?, _ symbols: SymbolTable
  ) -> NSPropertyDescription {
    let description: NSPropertyDescription
    switch property.kind {
    case .attribute(let declared):
      let attribute = NSAttributeDescription.declared(settings)
      if settings?.isComposite != true {
        attribute.attributeType = NSAttributeType(declared.type)
      }
      attribute.declared = declared
      attribute.isOptional = declared.isOptional
      attribute.isTransient = declared.isTransient
      attribute.defaultValue = Plain.value(declared.defaultValue, of: declared.type) {
        symbols.text(of: $0)
      }
      description = attribute
    case .relationship(let declared):
      let relationship = NSRelationshipDescription()
      relationship.isOptional = declared.isOptional
      relationship.deleteRule = NSDeleteRule(declared.deleteRule)
      relationship.minCount = declared.minimumCount
      relationship.maxCount = declared.isToMany ? declared.maximumCount : 1
      relationship.isOrdered = declared.isOrdered
      description = relationship
    }
    description.name = property.name
    return description
  }

  /// Returns the entities in the form that the engine simulates, with IDs that begin at `offset`.
  func build(offset: Int, _ symbol: (String) -> Symbol) -> [Entity] {
    entities.map { description in
      var entity = Entity(name: description.name ?? "")
      entity.isAbstract = description.isAbstract
      entity.parent = description.superentity.map { EntityID(offset + $0.index) }
      let properties = description.allProperties
      entity.properties = properties.map { property in
        Property(name: property.name, kind: kind(of: property, offset: offset, symbol))
      }
      entity.uniquenessConstraints = description.uniquenessConstraints.map { constraint in
        constraint.map { item in
          let name = (item as? String) ?? (item as? NSPropertyDescription)?.name ?? "\(item)"
          guard let index = properties.firstIndex(where: { $0.name == name }) else {
            misuse("a constraint of \(entity.name) names '\(name)', which is not a property")
          }
          return PropertyID(index)
        }
      }
      return entity
    }
  }

  private func kind(
    of property: NSPropertyDescription, offset: Int, _ symbol: (String) -> Symbol
  ) -> Property.Kind {
    if let description = property as? NSAttributeDescription {
      guard let type = description.attributeType.type else {
        misuse("attribute '\(property.name)' has a type that a store cannot save")
      }
      var attribute = description.declared ?? Attribute(type: type)
      attribute.type = type
      attribute.isOptional = property.isOptional
      attribute.isTransient = property.isTransient
      attribute.forbidden = []
      description.limit(&attribute, symbol)
      attribute.defaultValue =
        description.defaultValue.map { Plain.value(of: $0, type, symbol) } ?? .null
      return .attribute(attribute)
    }
    guard let description = property as? NSRelationshipDescription,
      let destination = description.destinationEntity
    else { misuse("relationship '\(property.name)' has no destination entity") }
    var relationship = Relationship(destination: EntityID(offset + destination.index))
    relationship.isOptional = property.isOptional
    relationship.deleteRule = description.deleteRule.rule
    relationship.isToMany = description.isToMany
    relationship.isOrdered = description.isOrdered
    relationship.minimumCount = description.minCount
    relationship.maximumCount = description.isToMany ? description.maxCount : 0
    relationship.inverse = description.inverseRelationship.flatMap { inverse in
      destination.allProperties.firstIndex { $0 === inverse }.map { PropertyID($0) }
    }
    return .relationship(relationship)
  }
}
