import ObjectModel
import Vocabulary

/// Writes a model as the statements that build it in code.
struct ModelSource {
  let model: ObjectModel
  /// The class names of entities that have a custom class.
  var classes: [EntityID: String] = [:]
  private let literals: SwiftLiteral

  init(_ model: ObjectModel) {
    self.model = model
    literals = SwiftLiteral(symbols: model.symbols)
  }

  /// Returns the method `makeModel`.
  func method() throws(Refusal) -> Statement {
    var names = LocalNames()
    let entities = model.entities.map { names.claim(decapitalized($0.name), or: "Entity") }
    var body: [Statement] = []
    for (entity, name) in zip(model.entities, entities) {
      body.append(.line("let \(name) = NSEntityDescription()"))
      body.append(.line("\(name).name = \(SwiftLiteral.text(entity.name))"))
      if entity.isAbstract { body.append(.line("\(name).isAbstract = true")) }
    }
    for (index, className) in classes.sorted(by: { $0.key < $1.key }) {
      body.append(
        .line(
          "\(entities[index.index]).managedObjectClassName = NSStringFromClass(\(className).self)"))
    }
    var relationships: [EntityID: [PropertyID: String]] = [:]
    for index in model.entities.indices {
      body.append(.empty)
      let id = EntityID(index)
      var own: [String] = []
      for property in ownProperties(of: id) {
        let declared = model[id][property]
        let name = names.claim(declared.name, or: "Of\(model[id].name)")
        own.append(name)
        switch declared.kind {
        case .attribute(let attribute):
          body += try statements(attribute, declared.name, name)
        case .relationship(let relationship):
          relationships[id, default: [:]][property] = name
          body += try statements(relationship, declared.name, name, entities)
        }
      }
      body.append(.line("\(entities[index]).properties = [\(own.joined(separator: ", "))]"))
      let constraints = ownConstraints(of: id)
      if !constraints.isEmpty {
        let lists = constraints.map { constraint in
          "[" + constraint.map { "\"\(model[id][$0].name)\"" }.joined(separator: ", ") + "]"
        }
        body.append(
          .line("\(entities[index]).uniquenessConstraints = [\(lists.joined(separator: ", "))]"))
      }
    }
    body += inverses(relationships) + inheritance(entities)
    body.append(.empty)
    body.append(.line("let model = NSManagedObjectModel()"))
    body.append(.line("model.entities = [\(entities.joined(separator: ", "))]"))
    body += configurations(entities)
    body.append(.line("return model"))
    return .block("private func makeModel() -> NSManagedObjectModel {", body)
  }

  /// The names of configurations, with the entities of each.
  var storeConfigurations: [(name: String, entities: [EntityID])] = []

  private func configurations(_ entities: [String]) -> [Statement] {
    storeConfigurations.map { configuration in
      let members = configuration.entities.map { entities[$0.index] }.joined(separator: ", ")
      return .line(
        "model.setEntities([\(members)], forConfigurationName: \"\(configuration.name)\")")
    }
  }

  private func ownProperties(of entity: EntityID) -> [PropertyID] {
    let inherited = model[entity].parent.map { model[$0].properties.count } ?? 0
    return Array(model[entity].propertyIDs.dropFirst(inherited))
  }

  private func ownConstraints(of entity: EntityID) -> [[PropertyID]] {
    let inherited = model[entity].parent.map { model[$0].uniquenessConstraints.count } ?? 0
    return Array(model[entity].uniquenessConstraints.dropFirst(inherited))
  }

  private func statements(
    _ attribute: Attribute, _ property: String, _ name: String
  ) throws(Refusal) -> [Statement] {
    var statements: [Statement] = [
      .line("let \(name) = NSAttributeDescription()"),
      .line("\(name).name = \(SwiftLiteral.text(property))"),
      .line("\(name).attributeType = .\(attribute.type.constant)"),
    ]
    if !attribute.isOptional { statements.append(.line("\(name).isOptional = false")) }
    if attribute.isTransient { statements.append(.line("\(name).isTransient = true")) }
    if !attribute.defaultValue.isNull {
      let value = literals.text(attribute.defaultValue, attribute.type)
      statements.append(.line("\(name).defaultValue = \(value)"))
    }
    return statements + limits(of: attribute, name)
  }

  /// Returns the statement that sets validation predicates. A violated limit reports an error code,
  /// and a forbidden value reports a text.
  private func limits(of attribute: Attribute, _ name: String) -> [Statement] {
    let subject = attribute.type == .string ? "length" : "SELF"
    let limitType = attribute.type == .string ? AttributeType.integer64 : attribute.type
    let codes =
      switch attribute.type {
      case .string: ("NSValidationStringTooShortError", "NSValidationStringTooLongError")
      case .date: ("NSValidationDateTooSoonError", "NSValidationDateTooLateError")
      default: ("NSValidationNumberTooSmallError", "NSValidationNumberTooLargeError")
      }
    var rules: [(predicate: String, warning: String)] = []
    func add(_ comparison: String, _ value: Value, _ type: AttributeType, _ warning: String) {
      let literal = literals.text(value, type)
      let isPlain = if case .integer = value { true } else { false }
      let format = isPlain ? "\"\(comparison) \(literal)\"" : "\"\(comparison) %@\", \(literal)"
      let cast =
        switch type {
        case .double, .float, .boolean: " as NSNumber"
        case .date: " as NSDate"
        default: ""
        }
      rules.append(("NSPredicate(format: \(format)\(isPlain ? "" : cast))", warning))
    }
    if let least = attribute.minimum { add("\(subject) >=", least, limitType, codes.0) }
    if let greatest = attribute.maximum { add("\(subject) <=", greatest, limitType, codes.1) }
    for forbidden in attribute.forbidden {
      add("SELF !=", forbidden.value, attribute.type, SwiftLiteral.text(forbidden.warning))
    }
    if rules.isEmpty { return [] }
    let predicates = rules.map(\.predicate).joined(separator: ", ")
    let warnings = rules.map(\.warning).joined(separator: ", ")
    return [
      .line("\(name).setValidationPredicates("),
      .line("  [\(predicates)],"),
      .line("  withValidationWarnings: [\(warnings)])"),
    ]
  }

  private func statements(
    _ relationship: Relationship, _ property: String, _ name: String, _ entities: [String]
  ) throws(Refusal) -> [Statement] {
    if relationship.isToMany, relationship.maximumCount == 1 {
      throw Refusal(
        property, "with a maxCount of 1 a relationship of a model in code is a to-one relationship")
    }
    var statements: [Statement] = [
      .line("let \(name) = NSRelationshipDescription()"),
      .line("\(name).name = \(SwiftLiteral.text(property))"),
      .line("\(name).destinationEntity = \(entities[relationship.destination.index])"),
    ]
    if !relationship.isOptional { statements.append(.line("\(name).isOptional = false")) }
    if relationship.minimumCount != 0 {
      statements.append(.line("\(name).minCount = \(relationship.minimumCount)"))
    }
    let maximum = relationship.isToMany ? relationship.maximumCount : 1
    statements.append(.line("\(name).maxCount = \(maximum)"))
    if relationship.isOrdered { statements.append(.line("\(name).isOrdered = true")) }
    statements.append(.line("\(name).deleteRule = .\(relationship.deleteRule)DeleteRule"))
    return statements
  }

  private func inverses(_ names: [EntityID: [PropertyID: String]]) -> [Statement] {
    var statements: [Statement] = []
    for index in model.entities.indices {
      for property in ownProperties(of: EntityID(index)) {
        guard let relationship = model[EntityID(index)][property].relationship,
          let inverse = relationship.inverse, let name = names[EntityID(index)]?[property],
          let other = names[owner(of: inverse, in: relationship.destination)]?[inverse]
        else { continue }
        statements.append(.line("\(name).inverseRelationship = \(other)"))
      }
    }
    return statements.isEmpty ? [] : [.empty] + statements
  }

  /// Returns the entity that declares a property which `entity` may have inherited.
  private func owner(of property: PropertyID, in entity: EntityID) -> EntityID {
    guard let parent = model[entity].parent, property.index < model[parent].properties.count
    else { return entity }
    return owner(of: property, in: parent)
  }

  private func inheritance(_ names: [String]) -> [Statement] {
    model.entities.indices.compactMap { index in
      let children = model.entities.indices.filter {
        model.entities[$0].parent == EntityID(index)
      }
      if children.isEmpty { return nil }
      let list = children.map { names[$0] }.joined(separator: ", ")
      return .line("\(names[index]).subentities = [\(list)]")
    }
  }
}

/// The names of the variables in one method.
private struct LocalNames {
  private var used: Set<String> = ["model"]

  mutating func claim(_ word: String, or suffix: String) -> String {
    let reserved = ["default", "in", "is", "self", "import", "class", "for", "case", "extension"]
    for candidate in [word, word + suffix]
    where !reserved.contains(candidate) && used.insert(candidate).inserted {
      return candidate
    }
    var number = 2
    while !used.insert("\(word)\(suffix)\(number)").inserted { number += 1 }
    return "\(word)\(suffix)\(number)"
  }
}
