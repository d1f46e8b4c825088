package import Determinism
package import ObjectModel

/// Generates object models. The simplest model has one entity with one attribute.
///
/// Entities are first drafted with their own declarations, then assembled. Properties are numbered
/// from the root entity down, and inverses can be numbered only when all properties are known.
package struct ModelGenerator {
  package init() {}

  package func model(_ choices: inout Choices) -> ObjectModel {
    let count = 1 + choices.draw(below: ModelGenerator.names.count, from: .shape)
    var drafts = (0..<count).map { Draft(name: ModelGenerator.names[$0]) }
    for index in drafts.indices {
      if index > 0, choices.chance(1, in: 5, from: .shape) {
        drafts[index].parent = choices.draw(below: index, from: .shape)
      }
      addAttributes(to: index, in: &drafts, &choices)
    }
    for index in drafts.indices where drafts.contains(where: { $0.parent == index }) {
      drafts[index].isAbstract = choices.chance(1, in: 4, from: .shape)
    }
    for index in drafts.indices { addRelationship(from: index, in: &drafts, &choices) }
    for index in drafts.indices { addInsertion(to: index, in: &drafts, &choices) }
    return ObjectModel(entities: entities(drafts))
  }

  private static let names = ["Note", "Folder", "Tag", "Page", "Draft"]

  /// An entity without inherited properties.
  struct Draft {
    var name: String
    /// The index of the parent entity, which is lower than the entity's own.
    var parent: Int?
    var isAbstract = false
    var properties: [Property] = []
    /// The index of the inverse of each of `properties`, among the declared properties of its
    /// destination.
    var inverses: [Int?] = []
    /// The uniqueness constraints, as names of properties. Some of these may be inherited.
    var constraints: [[String]] = []
    var actions: [(hook: Hook, property: String, effect: HookAction.Effect, guarded: Guard)] = []

    struct Guard {
      var onlyIfNil = false
      var isPrimitive = false
    }

    init(name: String) { self.name = name }

    mutating func append(_ property: Property, inverse: Int? = nil) {
      properties.append(property)
      inverses.append(inverse)
    }
  }

  /// Returns the properties of an entity, inherited properties first.
  func properties(of index: Int, in drafts: [Draft]) -> [Property] {
    (drafts[index].parent.map { properties(of: $0, in: drafts) } ?? []) + drafts[index].properties
  }

  // MARK: Relationships

  /// Adds a pair of inverse relationships with another entity, or with the entity itself. Some
  /// relationships have no inverse.
  private func addRelationship(
    from source: Int, in drafts: inout [Draft], _ choices: inout Choices
  ) {
    guard choices.chance(3, in: 4, from: .shape) else { return }
    let destination = choices.draw(below: drafts.count, from: .shape)
    // Names are numbered across all entities. Otherwise an entity could inherit a name and declare
    // it again.
    let number = drafts.reduce(0) { $0 + $1.properties.count }
    let forth = relationship(from: source, to: destination, in: drafts, &choices)
    let name = drafts[destination].name.lowercased() + "s\(number)"
    let forthNumber = drafts[source].properties.count
    guard !choices.chance(1, in: 6, from: .shape) else {
      return drafts[source].append(Property(name: name, kind: .relationship(forth)))
    }
    let back = relationship(from: destination, to: source, in: drafts, &choices)
    let backName = drafts[source].name.lowercased() + "s\(number + 1)"
    let backNumber = drafts[destination].properties.count + (source == destination ? 1 : 0)
    drafts[source].append(Property(name: name, kind: .relationship(forth)), inverse: backNumber)
    drafts[destination].append(
      Property(name: backName, kind: .relationship(back)), inverse: forthNumber)
  }

  private func relationship(
    from source: Int, to destination: Int, in drafts: [Draft], _ choices: inout Choices
  ) -> Relationship {
    var relationship = Relationship(destination: EntityID(destination))
    relationship.isToMany = choices.chance(1, in: 2, from: .shape)
    if relationship.isToMany {
      relationship.isOrdered = choices.chance(1, in: 4, from: .shape)
      relationship.minimumCount = choices.chance(1, in: 12, from: .shape) ? 2 : 0
      relationship.maximumCount = choices.chance(1, in: 8, from: .shape) ? 2 : 0
    }
    // A mandatory destination must be insertable before this object, or no save could succeed.
    if destination < source, !drafts[destination].isAbstract {
      relationship.isOptional = !choices.chance(1, in: 6, from: .shape)
    }
    let rules: [DeleteRule] = [.nullify, .cascade, .deny, .noAction]
    relationship.deleteRule = rules[choices.pick(weights: [4, 2, 1, 1], from: .shape)]
    return relationship
  }

  // MARK: Putting together

  private func entities(_ drafts: [Draft]) -> [Entity] {
    let inheritedCounts = drafts.indices.map { index in
      drafts[index].parent.map { properties(of: $0, in: drafts).count } ?? 0
    }
    var entities: [Entity] = []
    for draft in drafts {
      var entity = draft.parent.map { entities[$0] } ?? Entity(name: "")
      entity.name = draft.name
      entity.isAbstract = draft.isAbstract
      entity.parent = draft.parent.map { EntityID($0) }
      for (property, inverse) in zip(draft.properties, draft.inverses) {
        var property = property
        if var relationship = property.relationship, let inverse {
          relationship.inverse = PropertyID(
            inheritedCounts[relationship.destination.index] + inverse)
          property.kind = .relationship(relationship)
        }
        entity.properties.append(property)
      }
      entity.uniquenessConstraints += draft.constraints.map { constraint in
        constraint.compactMap { entity.property(named: $0) }
      }
      for action in draft.actions {
        guard let property = entity.property(named: action.property) else { continue }
        entity.hookActions.append(
          HookAction(
            hook: action.hook, property: property, effect: action.effect,
            onlyIfNil: action.guarded.onlyIfNil, isPrimitive: action.guarded.isPrimitive))
      }
      entities.append(entity)
    }
    return entities
  }
}
