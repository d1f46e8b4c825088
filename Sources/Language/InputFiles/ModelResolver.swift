import Determinism
import ObjectModel
import Prose

extension ModelDocument {
  /// Returns the model that this document declares, with notes on ignored parts. Throws all errors
  /// in the model together.
  func resolved() throws(InputError) -> (ObjectModel, ModelNotes) {
    var resolver = try ModelResolver(self)
    return (try resolver.model(), resolver.reading.notes)
  }
}

/// Resolves the names in a model: entities first, then parents, then declared properties, and
/// finally inverses and uniqueness constraints.
///
/// The resolver continues after an error, so that all errors are found. It does not report names
/// that are unknown only because of an earlier error.
struct ModelResolver {
  struct DeclaredProperty {
    let element: ModelElement
    var property: Property
  }

  /// The place of a property: the entity that declares it, and its index among the entity's own
  /// properties.
  struct Place: Hashable {
    let entity: EntityID
    let index: Int
  }

  let declarations: [ModelDocument.EntityDeclaration]
  var reading: ModelReading
  /// The names of entities. An entity without a name has an empty string.
  var names: [String] = []
  var numbers = LookupTable<String, EntityID>()
  /// The ancestors of each entity, root first, followed by the entity itself.
  var lineages: [[EntityID]] = []
  /// Boolean values that indicate whether an ancestor of the entity is unknown, indexed by entity.
  var lacksAncestors: [Bool] = []
  /// The properties that each entity declares itself, indexed by entity.
  var declared: [[DeclaredProperty]] = []
  /// The names of properties that could not be read, indexed by entity.
  var unreadable: [[String]] = []
  /// The names of the entity's own transient relationships, which are not simulated, indexed by
  /// entity.
  var transientRelationships: [[String]] = []

  /// Creates a resolver and registers the entities by name.
  init(_ document: ModelDocument) throws(InputError) {
    declarations = document.entities
    reading = ModelReading(notes: document.notes)
    guard !declarations.isEmpty else {
      throw InputError(
        file: document.file, message: "declares no entity; a model needs at least one")
    }
    // An `ObjectID` stores its entity in 16 bits.
    guard declarations.count <= 0xFFFF else {
      throw InputError(
        file: document.file,
        message: "declares \(declarations.count) entities; at most 65535 are supported")
    }
    for (index, declaration) in declarations.enumerated() {
      let name = declaration.element["name"] ?? ""
      names.append(name)
      do throws(InputError) {
        _ = try declaration.element.name(of: "an entity")
      } catch {
        reading.errors.add(error)
      }
      if name.isEmpty { continue }
      if let first = numbers[name] {
        reading.errors.add(
          declaration.element.error(
            "a second entity \(quoted(name)); the first is on line "
              + "\(declarations[first.index].element.line), rename one"))
      } else {
        numbers[name] = EntityID(index)
      }
    }
  }

  mutating func model() throws(InputError) -> ObjectModel {
    resolveParents()
    readProperties()
    rejectRedeclarations()
    rejectOversizedEntities()
    resolveInverses()
    var entities: [Entity] = []
    let constraints = declarations.indices.map { uniquenessConstraints(of: EntityID($0)) }
    for (index, declaration) in declarations.enumerated() {
      let lineage = lineages[index]
      var entity = Entity(name: names[index])
      entity.isAbstract = declaration.element.flag("isAbstract", &reading.errors)
      entity.parent = lineage.dropLast().last
      entity.properties = lineage.flatMap { declared[$0.index].map(\.property) }
      entity.uniquenessConstraints = lineage.flatMap { constraints[$0.index] }
      entities.append(entity)
    }
    // `ObjectModel` traps on inconsistent entities.
    try reading.errors.throwIfAny()
    return ObjectModel(entities: entities, symbols: reading.symbols)
  }

  // MARK: - Steps

  private mutating func resolveParents() {
    var parents: [EntityID?] = []
    for declaration in declarations {
      let parent = entity("parentEntity", of: declaration.element)
      parents.append(parent)
      lacksAncestors.append(parent == nil && declaration.element["parentEntity"] != nil)
    }
    for index in declarations.indices where isOnCycle(index, parents) {
      reading.errors.add(
        declarations[index].element.error(
          "\(quoted(names[index])) inherits from itself; remove one parentEntity of the cycle"))
      // Break the cycle here, so that it is reported once.
      parents[index] = nil
      lacksAncestors[index] = true
    }
    for index in declarations.indices {
      var lineage = [EntityID(index)]
      while let parent = parents[lineage[lineage.count - 1].index] { lineage.append(parent) }
      lineages.append(lineage.reversed())
    }
    lacksAncestors = lineages.map { $0.contains { lacksAncestors[$0.index] } }
  }

  private func isOnCycle(_ index: Int, _ parents: [EntityID?]) -> Bool {
    var parent = parents[index]
    var stepCount = 0
    // An entity that inherits from a cycle without being part of it is not reported.
    while let current = parent, stepCount <= parents.count {
      if current.index == index { return true }
      parent = parents[current.index]
      stepCount += 1
    }
    return false
  }

  private mutating func readProperties() {
    for (index, declaration) in declarations.enumerated() {
      declared.append([])
      unreadable.append([])
      transientRelationships.append([])
      for property in declaration.properties {
        do throws(InputError) {
          switch property {
          case .attribute(let element): try readAttribute(element, of: index)
          case .relationship(let element): try readRelationship(element, of: index)
          }
        } catch {
          reading.errors.add(error)
        }
      }
    }
  }

  private mutating func readAttribute(_ element: ModelElement, of index: Int) throws(InputError) {
    let name = try element.name(of: "an attribute of \(quoted(names[index]))")
    let attribute = Attribute(element, called: "\(names[index]).\(name)", &reading)
    declared[index].append(
      .init(element: element, property: Property(name: name, kind: .attribute(attribute))))
  }

  private mutating func readRelationship(
    _ element: ModelElement, of index: Int
  ) throws(InputError) {
    let name = try element.name(of: "a relationship of \(quoted(names[index]))")
    let destination = entity("destinationEntity", of: element)
    let relationship = Relationship(
      element, destination: destination ?? EntityID(index), &reading.errors)
    if element["destinationEntity"] == nil {
      reading.errors.add(
        element.error(
          "\(quoted(name)) has no destinationEntity; " + suggestion(for: "", among: entityNames)))
    }
    guard destination != nil else { return unreadable[index].append(name) }
    if element.flag("transient", &reading.errors) {
      reading.notes.passOver(.transientRelationship, "\(names[index]).\(name)")
      return transientRelationships[index].append(name)
    }
    declared[index].append(
      .init(element: element, property: Property(name: name, kind: .relationship(relationship))))
  }

  private mutating func rejectRedeclarations() {
    for (index, lineage) in lineages.enumerated() {
      var known = LookupTable<String, Place>()
      for ancestor in lineage {
        for (position, property) in declared[ancestor.index].enumerated() {
          let name = property.property.name
          guard let first = known[name] else {
            known[name] = Place(entity: ancestor, index: position)
            continue
          }
          // A duplicate in an ancestor is reported for the ancestor only.
          guard ancestor.index == index else { continue }
          reading.errors.add(
            property.element.error(
              "\(quoted(names[index])) has \(quoted(name)) already, from line "
                + "\(self[first].element.line); rename one"))
        }
      }
    }
  }

  private mutating func rejectOversizedEntities() {
    for (index, lineage) in lineages.enumerated() {
      let inherited = lineage.dropLast().reduce(0) { $0 + declared[$1.index].count }
      let count = inherited + declared[index].count
      // Report only the topmost of several related entities that are too large.
      guard count > Entity.propertyLimit, inherited <= Entity.propertyLimit else { continue }
      reading.errors.add(
        declarations[index].element.error(
          "\(quoted(names[index])) has \(count) properties with those that it inherits; at most "
            + "\(Entity.propertyLimit) can be simulated"))
    }
  }

  // MARK: - Looking up

  subscript(place: Place) -> DeclaredProperty { declared[place.entity.index][place.index] }

  func find(_ name: String, in entity: EntityID) -> Place? {
    for ancestor in lineages[entity.index] {
      let index = declared[ancestor.index].firstIndex { $0.property.name == name }
      if let index { return Place(entity: ancestor, index: index) }
    }
    return nil
  }

  /// Returns the index of a property among all properties of its entity, inherited ones included.
  func number(of place: Place) -> PropertyID {
    let inherited = lineages[place.entity.index].dropLast()
    return PropertyID(inherited.reduce(place.index) { $0 + declared[$1.index].count })
  }

  func isTransientRelationship(_ name: String, of entity: EntityID) -> Bool {
    lineages[entity.index].contains { transientRelationships[$0.index].contains(name) }
  }

  /// Returns a Boolean value that indicates whether an earlier error can explain that an entity
  /// lacks a property.
  func mayHave(_ name: String, _ entity: EntityID) -> Bool {
    lacksAncestors[entity.index]
      || lineages[entity.index].contains { unreadable[$0.index].contains(name) }
  }

  /// Returns the entity that an XML attribute names, or `nil` without such an attribute or entity.
  mutating func entity(_ key: String, of element: ModelElement) -> EntityID? {
    guard let name = element[key] else { return nil }
    guard let entity = numbers[name] else {
      reading.errors.add(
        element.error(
          "\(key) is \(quoted(name)), which is not an entity; "
            + suggestion(for: name, among: entityNames)))
      return nil
    }
    return entity
  }

  /// The names of entities, without duplicates.
  private var entityNames: [String] {
    names.indices.filter { numbers[names[$0]]?.index == $0 }.map { names[$0] }
  }

  func propertyNames(of entity: EntityID) -> [String] {
    lineages[entity.index].flatMap { declared[$0.index].map(\.property.name) }
  }

  func relationshipNames(of entity: EntityID) -> [String] {
    lineages[entity.index].flatMap { declared[$0.index].map(\.property) }
      .filter { $0.relationship != nil }.map(\.name)
  }

  func description(of place: Place) -> String {
    "'\(names[place.entity.index]).\(self[place].property.name)'"
  }
}
