import Determinism
import ObjectModel
import Prose

extension ModelDocument {
  /// The model that this document declares, or the first place where it contradicts itself.
  func resolved() throws(InputError) -> ObjectModel {
    var resolver = try ModelResolver(entities, file: file)
    return try resolver.model()
  }
}

/// Turns names into numbers: entities first, then which inherits from which, then the properties
/// that each declares, and last what needs all of them: inverses and uniqueness constraints.
private struct ModelResolver {
  struct DeclaredProperty {
    let element: ModelElement
    var property: Property
  }

  /// Where a property is declared: its entity, and which of that entity's own properties it is.
  package struct Place: Hashable {
    let entity: EntityID
    let index: Int
  }

  let declarations: [ModelDocument.EntityDeclaration]
  var names: [String] = []
  var numbers = LookupTable<String, EntityID>()
  /// Each entity's ancestors, the most general first, and the entity itself.
  var lineages: [[EntityID]] = []
  /// What each entity declares itself.
  var declared: [[DeclaredProperty]] = []
  var symbols = SymbolTable()

  /// Knows the entities by their names.
  init(_ declarations: [ModelDocument.EntityDeclaration], file: String) throws(InputError) {
    self.declarations = declarations
    guard !declarations.isEmpty else {
      throw InputError(file: file, message: "declares no entity; a model needs at least one")
    }
    // An `ObjectID` keeps its entity in 16 bits.
    guard declarations.count <= 0xFFFF else {
      throw InputError(
        file: file,
        message: "declares \(declarations.count) entities; at most 65535 can be told apart")
    }
    for (index, declaration) in declarations.enumerated() {
      let name = try declaration.element.name(of: "an entity")
      if let first = numbers[name] {
        throw declaration.element.error(
          "a second entity \(quoted(name)); the first is on line "
            + "\(declarations[first.index].element.line), rename one")
      }
      numbers[name] = EntityID(index)
      names.append(name)
    }
  }

  mutating func model() throws(InputError) -> ObjectModel {
    try resolveParents()
    try readProperties()
    try rejectRedeclarations()
    try resolveInverses()
    var entities: [Entity] = []
    for (index, declaration) in declarations.enumerated() {
      let lineage = lineages[index]
      var entity = Entity(name: names[index])
      entity.isAbstract = try declaration.element.flag("isAbstract")
      entity.parent = lineage.dropLast().last
      entity.properties = lineage.flatMap { declared[$0.index].map(\.property) }
      for ancestor in lineage {
        entity.uniquenessConstraints += try uniquenessConstraints(of: ancestor)
      }
      entities.append(entity)
    }
    return ObjectModel(entities: entities, symbols: symbols)
  }

  // MARK: - Steps

  private mutating func resolveParents() throws(InputError) {
    var parents: [EntityID?] = []
    for declaration in declarations {
      parents.append(try entity("parentEntity", of: declaration.element))
    }
    for index in declarations.indices {
      var lineage = [EntityID(index)]
      var parent = parents[index]
      // An entity that only inherits from a cycle is not to blame: one that is in it will be found.
      while let current = parent, lineage.count <= declarations.count {
        guard current.index != index else {
          throw declarations[index].element.error(
            "\(quoted(names[index])) inherits from itself; remove one parentEntity on the way")
        }
        lineage.append(current)
        parent = parents[current.index]
      }
      lineages.append(lineage.reversed())
    }
  }

  private mutating func readProperties() throws(InputError) {
    for (index, declaration) in declarations.enumerated() {
      var properties: [DeclaredProperty] = []
      for property in declaration.properties {
        switch property {
        case .attribute(let element):
          let name = try element.name(of: "an attribute of \(quoted(names[index]))")
          let kind = Property.Kind.attribute(try Attribute(element, symbols: &symbols))
          properties.append(.init(element: element, property: Property(name: name, kind: kind)))
        case .relationship(let element):
          let name = try element.name(of: "a relationship of \(quoted(names[index]))")
          guard let destination = try entity("destinationEntity", of: element) else {
            throw element.error(
              "\(quoted(name)) has no destinationEntity; "
                + suggestion(for: "", among: names))
          }
          let kind = Property.Kind.relationship(
            try Relationship(element, destination: destination))
          properties.append(.init(element: element, property: Property(name: name, kind: kind)))
        }
      }
      declared.append(properties)
    }
  }

  private func rejectRedeclarations() throws(InputError) {
    for (index, lineage) in lineages.enumerated() {
      var known = LookupTable<String, Place>()
      for ancestor in lineage {
        for (position, property) in declared[ancestor.index].enumerated() {
          guard let first = known[property.property.name] else {
            known[property.property.name] = Place(entity: ancestor, index: position)
            continue
          }
          throw property.element.error(
            "\(quoted(names[index])) has \(quoted(property.property.name)) already, from line "
              + "\(self[first].element.line); rename one")
        }
      }
    }
  }

  private mutating func resolveInverses() throws(InputError) {
    for index in declared.indices {
      for position in declared[index].indices {
        let place = Place(entity: EntityID(index), index: position)
        if let inverse = try inverse(of: place) {
          guard case .relationship(var relationship) = self[place].property.kind else { continue }
          relationship.inverse = number(of: inverse)
          declared[index][position].property.kind = .relationship(relationship)
        }
      }
    }
  }

  /// The relationship that leads back. It must name this one, and lead to this one's entity or, if
  /// it is content with fewer, to one that inherits from it.
  private func inverse(of place: Place) throws(InputError) -> Place? {
    let element = self[place].element
    guard let relationship = self[place].property.relationship,
      let inverseName = element["inverseName"]
    else { return nil }
    let destination = relationship.destination
    if let named = try entity("inverseEntity", of: element),
      !lineages[destination.index].contains(named)
    {
      throw element.error(
        "inverseEntity is \(quoted(names[named.index])); it should be the destination, "
          + quoted(names[destination.index]))
    }
    guard let inverse = find(inverseName, in: destination) else {
      throw element.error(
        "\(quoted(names[destination.index])) has no relationship \(quoted(inverseName)); "
          + suggestion(for: inverseName, among: relationshipNames(of: destination)))
    }
    guard let back = self[inverse].property.relationship else {
      throw element.error(
        "the inverse \(description(of: inverse)) is an attribute; "
          + suggestion(for: inverseName, among: relationshipNames(of: destination)))
    }
    let name = self[place].property.name
    guard self[inverse].element["inverseName"] == name else {
      let other = self[inverse].element["inverseName"].map { "names \(quoted($0))" }
      throw element.error(
        "\(description(of: place)) names the inverse \(description(of: inverse)), which "
          + "\(other ?? "names no inverse"); it should name \(quoted(name))")
    }
    guard find(name, in: back.destination) == place else {
      throw element.error(
        "\(description(of: place)) names the inverse \(description(of: inverse)), which leads to "
          + "\(quoted(names[back.destination.index])); it should lead to "
          + quoted(names[place.entity.index]))
    }
    return inverse
  }

  private func uniquenessConstraints(of entity: EntityID) throws(InputError) -> [[PropertyID]] {
    var constraints: [[PropertyID]] = []
    for constraint in declarations[entity.index].uniquenessConstraints where !constraint.isEmpty {
      var properties: [PropertyID] = []
      for element in constraint {
        guard let name = element["value"] else {
          throw element.error("a constraint without a value; it should name a property")
        }
        guard let place = find(name, in: entity) else {
          throw element.error(
            "\(quoted(names[entity.index])) has no property \(quoted(name)); "
              + suggestion(for: name, among: propertyNames(of: entity)))
        }
        guard !self[place].property.isToMany, !self[place].property.isTransient else {
          throw element.error(
            "\(quoted(name)) is \(self[place].property.isToMany ? "to-many" : "transient"), which "
              + "no store can keep unique; name a stored attribute or a to-one relationship")
        }
        guard !properties.contains(number(of: place)) else {
          throw element.error("\(quoted(name)) stands in one constraint twice; once is enough")
        }
        properties.append(number(of: place))
      }
      constraints.append(properties)
    }
    return constraints
  }

  // MARK: - Looking up

  private subscript(place: Place) -> DeclaredProperty { declared[place.entity.index][place.index] }

  private func find(_ name: String, in entity: EntityID) -> Place? {
    for ancestor in lineages[entity.index] {
      let index = declared[ancestor.index].firstIndex { $0.property.name == name }
      if let index { return Place(entity: ancestor, index: index) }
    }
    return nil
  }

  /// Properties are numbered through an entity's lineage.
  private func number(of place: Place) -> PropertyID {
    let inherited = lineages[place.entity.index].dropLast()
    return PropertyID(inherited.reduce(place.index) { $0 + declared[$1.index].count })
  }

  /// The entity that an XML attribute names; nil if there is no such attribute.
  private func entity(_ key: String, of element: ModelElement) throws(InputError) -> EntityID? {
    guard let name = element[key] else { return nil }
    guard let entity = numbers[name] else {
      throw element.error(
        "\(key) is \(quoted(name)), which is no entity; " + suggestion(for: name, among: names))
    }
    return entity
  }

  private func propertyNames(of entity: EntityID) -> [String] {
    lineages[entity.index].flatMap { declared[$0.index].map(\.property.name) }
  }

  private func relationshipNames(of entity: EntityID) -> [String] {
    lineages[entity.index].flatMap { declared[$0.index].map(\.property) }
      .filter { $0.relationship != nil }.map(\.name)
  }

  private func description(of place: Place) -> String {
    "'\(names[place.entity.index]).\(self[place].property.name)'"
  }
}

extension ModelElement {
  /// The name that this element must have, in a form that the text of a scenario can carry.
  func name(of thing: String) throws(InputError) -> String {
    guard let name = self["name"] else { throw error("\(thing) without a name; add name=\"…\"") }
    let isName =
      name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      && name.first?.isNumber == false
    guard isName else {
      throw error(
        "\(quoted(name)) cannot name \(thing); a name is made of a to z, digits and _, no digit first"
      )
    }
    return name
  }
}
