import Execution
import ObjectModel
import Vocabulary

/// Edits that replace the entities or properties of objects.
extension ProgramEdit {
  /// Turns every object of `old` into an object of `new`, with the most similar properties. Returns
  /// false if a property has no counterpart.
  mutating func replaceEntity(_ old: EntityID, with new: EntityID) -> Bool {
    let counterparts = model[old].propertyIDs.map { model.counterpart(of: $0, in: old, new) }
    return replaceProperties(of: old, with: new, counterparts) { $0 } && relationshipsFit
  }

  /// A Boolean value that indicates whether every related object is a valid destination of the
  /// relationship.
  private var relationshipsFit: Bool {
    let program = programs[0]
    let entities = EntityTable(of: program)
    func fits(_ name: ObjectName, _ property: PropertyID, _ others: [HeldInstance]) -> Bool {
      guard let entity = entities[name],
        let relationship = model[entity][property].relationship
      else { return false }
      return others.allSatisfy { other in
        entities[other.name].map { model.entity($0, inherits: relationship.destination) }
          ?? false
      }
    }
    func fits(_ step: AddressedStep) -> Bool {
      switch step.step {
      case .relate(let name, let property, let other):
        fits(name, property, other.map { [$0] } ?? [])
      case .add(let name, let property, let other), .remove(let name, let property, let other):
        fits(name, property, [other])
      case .replace(let name, let property, let others): fits(name, property, others)
      default: (step.step.block ?? []).allSatisfy(fits)
      }
    }
    // The entity of a name is unknown if no step inserts it.
    return program.names.indices.allSatisfy { entities[ObjectName($0)] != nil }
      && (program.steps + program.stack.observers.flatMap(\.steps)).allSatisfy(fits)
  }

  /// Replaces an attribute of an entity with another of its attributes everywhere.
  mutating func replaceProperty(_ old: PropertyID, with new: PropertyID, of entity: EntityID) {
    var counterparts = model[entity].propertyIDs.map(Optional.some)
    counterparts[old.index] = new
    _ = replaceProperties(of: entity, with: entity, counterparts) { $0 }
  }

  /// Renumbers the values that objects of `entity` are given as 1, 2 and so on, in the order of the
  /// steps.
  mutating func renumberValues(of entity: EntityID) {
    var seen: [Int] = []
    let counterparts = model[entity].propertyIDs.map(Optional.some)
    _ = replaceProperties(of: entity, with: entity, counterparts) { number in
      if !seen.contains(number) { seen.append(number) }
      return 1 + (seen.firstIndex(of: number) ?? 0)
    }
  }

  private mutating func replaceProperties(
    of old: EntityID, with new: EntityID, _ counterparts: [PropertyID?],
    renumbering renumbered: @escaping (Int) -> Int
  ) -> Bool {
    let (model, entities) = (model, source.entities)
    // The text of a promise cannot be changed.
    let isPromised = stack.promisedEntities.contains { entity in
      [old, new].contains { model.entity($0, inherits: entity) }
    }
    if isPromised { return false }
    var fits = true
    func mapped(_ property: PropertyID) -> PropertyID {
      guard let counterpart = counterparts[property.index] else {
        fits = false
        return property
      }
      return counterpart
    }
    func mapped(_ value: Value, of property: PropertyID) -> Value {
      let counterpart = mapped(property)
      // Without a counterpart, `counterpart` is still a property of the old entity.
      guard fits, let attribute = model[new][counterpart].attribute else { return value }
      if let original = model[old][property].attribute, value == original.defaultValue {
        return attribute.defaultValue
      }
      guard let number = value.number else { return value }
      // An integer may have the number 0, but no token does.
      return attribute.value(numbered: max(1, renumbered(number)))
    }
    // If the entity stays the same, requests for a parent entity are changed too.
    func isMeant(_ owner: StepMapping.Owner) -> Bool {
      switch owner {
      case .object(let name): entities[name] == old
      case .request(let entity):
        entity == old || old == new && model.entity(old, inherits: entity)
      }
    }
    var mapping = StepMapping()
    mapping.entity = { $0 == old ? new : $0 }
    mapping.property = { isMeant($1) ? mapped($0) : $0 }
    mapping.destination = { model.destination(of: $0, from: $1) }
    mapping.value = { isMeant($2) ? mapped($0, of: $1) : $0 }
    mapSteps { mapping($0) }
    for index in stack.controllers.indices
    where isMeant(.request(stack.controllers[index].request.entity)) {
      stack.controllers[index].request = mapping.map(stack.controllers[index].request)
      stack.controllers[index].sectionProperty =
        stack.controllers[index].sectionProperty.map { mapped($0) }
    }
    return fits
  }

  /// Replaces the entities of two objects with the kinship's entity, and the relationships of their
  /// entities with the kinship's. With `asOne`, a single object replaces both. Returns false if a
  /// property has no counterpart.
  mutating func relate(
    _ old: ObjectName, _ new: ObjectName, asOne isMerging: Bool, by kinship: Kinship
  ) -> Bool {
    let (model, entities) = (model, source.entities)
    guard let first = entities[new], let second = entities[old], isMerging || old != new else {
      return false
    }
    for entity in first == second ? [first] : [first, second] {
      guard replaceEntity(entity, by: kinship) else { return false }
    }
    mapLeaves { step in
      guard let relation = step.relation,
        [first, second].contains(entities[relation.name])
      else { return step }
      var others = relation.others
      if old == new { others = others.map { HeldInstance($0.context, relation.name) } }
      let property = relation.isToMany ? kinship.ofToMany : kinship.ofToOne
      let isToMany = model[kinship.entity][property].relationship?.isToMany ?? false
      let changed: Step? =
        switch step.step {
        case .replace where isToMany: .replace(relation.name, property, others)
        case .remove where isToMany: others.first.map { .remove(relation.name, property, $0) }
        case .remove: .relate(relation.name, property, nil)
        case _ where isToMany: others.first.map { .add(relation.name, property, $0) }
        default: .relate(relation.name, property, others.first)
        }
      return AddressedStep(step.context, changed ?? step.step)
    }
    if isMerging, old != new {
      removeSteps { step in
        if case .insert(_, as: old) = step.step { true } else { false }
      }
      mapSteps { $0.mapNames { $0 == old ? new : $0 } }
    }
    return true
  }

  /// Turns every object of `entity` into an object of the kinship's entity. Returns false if a
  /// property has no counterpart.
  mutating func replaceEntity(_ entity: EntityID, by kinship: Kinship) -> Bool {
    if entity == kinship.entity { return true }
    let counterparts = model[entity].propertyIDs.map { property in
      model[entity][property].relationship == nil
        ? model.counterpart(of: property, in: entity, kinship.entity) : kinship.ofToOne
    }
    return replaceProperties(of: entity, with: kinship.entity, counterparts) { $0 }
  }
}

/// An entity whose objects may be related to each other and to themselves, with the relationships
/// that replace to-one and to-many relationships.
struct Kinship: Hashable {
  let entity: EntityID
  let ofToOne: PropertyID
  let ofToMany: PropertyID
}

extension ObjectModel {
  /// All kinships of the model. For each entity, kinships with a single relationship come first.
  var kinships: [Kinship] {
    concreteEntities.flatMap { entity in
      let toMany = relationships(amongObjectsOf: entity, isToMany: true)
      let toOne = relationships(amongObjectsOf: entity, isToMany: false)
      return (toOne + toMany).map { Kinship(entity: entity, ofToOne: $0, ofToMany: $0) }
        + toOne.flatMap { one in
          toMany.map { Kinship(entity: entity, ofToOne: one, ofToMany: $0) }
        }
    }
  }

  private func relationships(amongObjectsOf entity: EntityID, isToMany: Bool) -> [PropertyID] {
    self[entity].propertyIDs.filter { property in
      guard let relationship = self[entity][property].relationship else { return false }
      return relationship.isToMany == isToMany
        && self.entity(entity, inherits: relationship.destination)
    }
  }

  /// Returns the property of `new` with the same name, or else the first property of the same sort.
  fileprivate func counterpart(
    of property: PropertyID, in old: EntityID, _ new: EntityID
  ) -> PropertyID? {
    let original = self[old][property]
    func isAlike(_ other: Property) -> Bool {
      switch (original.kind, other.kind) {
      case (.attribute, .attribute(let attribute)): !attribute.isTransient
      case (.relationship(let a), .relationship(let b)):
        a.isToMany == b.isToMany && a.isOrdered == b.isOrdered
      default: false
      }
    }
    let properties = self[new].propertyIDs.filter { isAlike(self[new][$0]) }
    return properties.first { self[new][$0].name == original.name } ?? properties.first
  }
}

extension Value {
  /// The number from which the value was generated. Nil if the value was not generated.
  fileprivate var number: Int? {
    let words = words
    return words[0] == 0 && words[1] != .max && objectID == nil ? words[1] : nil
  }
}

extension AddressedStep {
  /// The object whose relationship the step changes, and the destinations. Nil if the step changes
  /// no relationship.
  var relation: (name: ObjectName, others: [HeldInstance], isToMany: Bool)? {
    switch step {
    case .relate(let name, _, let other): (name, other.map { [$0] } ?? [], false)
    case .add(let name, _, let other), .remove(let name, _, let other): (name, [other], true)
    case .replace(let name, _, let others): (name, others, true)
    default: nil
    }
  }
}
