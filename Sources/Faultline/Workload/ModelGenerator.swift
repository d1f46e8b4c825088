package import Determinism
package import ObjectModel

/// Makes up object models: one entity with one attribute in the simplest case.
package struct ModelGenerator {
  package init() {}

  package func model(_ choices: inout Choices) -> ObjectModel {
    let count = 1 + choices.draw(below: 4, from: .shape)
    var entities = (0..<count).map { Entity(name: ModelGenerator.names[$0]) }
    // One may inherit from the first, which may be abstract then. Properties of the parent come
    // first, so the parent gets all of its own before anybody inherits them.
    let heir = count > 2 && choices.chance(1, in: 3, from: .shape) ? count - 1 : nil
    for index in entities.indices where index != heir {
      addAttributes(to: &entities[index], &choices)
    }
    for index in entities.indices where index != heir {
      addRelationship(from: index, in: &entities, heir: heir, &choices)
    }
    if let heir {
      entities[heir].parent = EntityID(0)
      entities[heir].properties = entities[0].properties
      entities[heir].hookActions = entities[0].hookActions
      addAttributes(to: &entities[heir], &choices)
      entities[0].isAbstract = choices.chance(1, in: 3, from: .shape)
    }
    return ObjectModel(entities: entities)
  }

  private static let names = ["Note", "Folder", "Tag", "Page"]
  private static let attributeNames = ["title", "stamp", "rating", "body", "flag", "extra"]

  private func addAttributes(to entity: inout Entity, _ choices: inout Choices) {
    let count = 1 + choices.draw(below: 3, from: .shape)
    for _ in 0..<count {
      let types: [AttributeType] = [.string, .integer64, .integer16, .date, .boolean, .double]
      var attribute = Attribute(type: types[choices.draw(below: types.count, from: .shape)])
      attribute.isOptional = !choices.chance(1, in: 4, from: .shape)
      if attribute.isOptional { attribute.isTransient = choices.chance(1, in: 8, from: .shape) }
      if attribute.isOptional, choices.chance(1, in: 4, from: .shape) {
        attribute.defaultValue = attribute.value(numbered: 7)
      }
      let number = entity.properties.count
      let names = ModelGenerator.attributeNames
      let name = number < names.count ? names[number] : "extra\(number)"
      entity.properties.append(Property(name: name, kind: .attribute(attribute)))
    }
    if choices.chance(1, in: 4, from: .shape) {
      let hooks: [Hook] = [.awakeFromInsert, .willSave, .awakeFromFetch]
      let hook = hooks[choices.draw(below: hooks.count, from: .shape)]
      entity.hookActions.append(
        HookAction(
          hook: hook, property: PropertyID(entity.properties.count - 1), effect: .setNext,
          onlyIfNil: hook != .awakeFromInsert))
    }
  }

  /// A pair of inverse relationships with another entity, or with the entity itself.
  private func addRelationship(
    from source: Int, in entities: inout [Entity], heir: Int?, _ choices: inout Choices
  ) {
    guard choices.chance(3, in: 4, from: .shape) else { return }
    let candidates = entities.indices.filter { $0 != heir }
    let destination = candidates[choices.draw(below: candidates.count, from: .shape)]
    var forth = relationship(to: destination, &choices)
    var back = relationship(to: source, &choices)
    let name = "\(entities[destination].name.lowercased())s\(entities[source].properties.count)"
    entities[source].properties.append(Property(name: name, kind: .relationship(forth)))
    let forthID = PropertyID(entities[source].properties.count - 1)
    let backName =
      "\(entities[source].name.lowercased())s\(entities[destination].properties.count)"
    entities[destination].properties.append(Property(name: backName, kind: .relationship(back)))
    let backID = PropertyID(entities[destination].properties.count - 1)
    forth.inverse = backID
    back.inverse = forthID
    entities[source].properties[forthID.index].kind = .relationship(forth)
    entities[destination].properties[backID.index].kind = .relationship(back)
  }

  private func relationship(to destination: Int, _ choices: inout Choices) -> Relationship {
    var relationship = Relationship(destination: EntityID(destination))
    relationship.isToMany = choices.chance(1, in: 2, from: .shape)
    if relationship.isToMany {
      relationship.isOrdered = choices.chance(1, in: 4, from: .shape)
      relationship.maximumCount = choices.chance(1, in: 8, from: .shape) ? 2 : 0
    }
    let rules: [DeleteRule] = [.nullify, .cascade, .deny, .noAction]
    relationship.deleteRule = rules[choices.pick(weights: [4, 2, 1, 1], from: .shape)]
    return relationship
  }
}
