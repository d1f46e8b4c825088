import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Generates changes of attributes and relationships.
extension StepGenerator {
  mutating func set(in context: ContextID, _ world: World, _ choices: inout Choices) -> Step? {
    guard let (name, property, attribute) = pickAttribute(in: context, world, &choices) else {
      return nil
    }
    // A new value, nil, or the present value.
    let weights =
      switch swarm.values {
      case .distinct, .few: [8, 1, 1]
      case .nils: [5, 4, 1]
      case .unchanged: [5, 1, 4]
      }
    switch choices.pick(weights: weights, from: .workload) {
    case 1 where mayBeNil(attribute):
      return .set(name, property, .null)
    case 2:
      // Set the present value: a change that changes nothing (CT-01, SV-08).
      guard let view = world.graph.heldInstance(context, name), !view.isFault else { fallthrough }
      return .set(
        name, property, view.values[world.graph.slot(of: property, in: entities[name.index])])
    default:
      return .set(
        name, property, newValue(for: attribute, property, of: entities[name.index], &choices))
    }
  }

  /// Returns a Boolean value that indicates whether programs set the attribute to nil. An app
  /// cannot do that with a Swift scalar.
  private func mayBeNil(_ attribute: Attribute) -> Bool {
    !swarm.isDesigned || !attribute.isScalar
  }

  func increment(in context: ContextID, _ world: World, _ choices: inout Choices) -> Step? {
    func numbers(of entity: EntityID) -> [PropertyID] {
      model.entities[entity.index].attributeIDs.filter {
        model.entities[entity.index].properties[$0.index].attribute?.type.greatestInteger != nil
      }
    }
    guard
      let held = pick(
        in: context, world, where: { !$0.isPendingDeletion && !numbers(of: $0.id.entity).isEmpty },
        &choices)
    else { return nil }
    let properties = numbers(of: held.id.entity)
    return .increment(
      held.name, properties[choices.draw(below: properties.count, from: .workload)])
  }

  mutating func setPrimitive(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    guard let (name, property, attribute) = pickAttribute(in: context, world, &choices) else {
      return nil
    }
    if choices.chance(1, in: 8, from: .workload), mayBeNil(attribute) {
      return .setPrimitive(name, property, .null)
    }
    return .setPrimitive(
      name, property, newValue(for: attribute, property, of: entities[name.index], &choices))
  }

  /// Looks up an object that another context holds. Schedules a change in each context and a save
  /// of both.
  mutating func writeConflict(
    for context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    let other = anyContext(&choices)
    guard other != context,
      let held = pick(
        in: other, world,
        where: { held in
          !held.isPendingDeletion && !world.graph.permanentID(of: held.id).isTemporaryID
            && !model.entities[held.id.entity.index].attributeIDs.isEmpty
        }, &choices)
    else { return nil }
    let entity = held.id.entity
    let properties = model[entity].attributeIDs
    for context in [context, other] {
      let property = properties[choices.draw(below: properties.count, from: .workload)]
      guard let attribute = model[entity][property].attribute else { continue }
      let value = newValue(for: attribute, property, of: entity, &choices)
      due.append(AddressedStep(context, .set(held.name, property, value)))
    }
    let isReversed = choices.chance(1, in: 2, from: .workload)
    for context in isReversed ? [other, context] : [context, other] {
      due.append(AddressedStep(context, .save))
    }
    return .object(with: HeldInstance(other, held.name), as: held.name)
  }

  private func pickAttribute(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> (ObjectName, PropertyID, Attribute)? {
    guard let held = pick(in: context, world, where: { !$0.isPendingDeletion }, &choices) else {
      return nil
    }
    let entity = held.id.entity.index
    let properties = model.entities[entity].attributeIDs
    guard !properties.isEmpty else { return nil }
    let property = properties[choices.draw(below: properties.count, from: .workload)]
    guard case .attribute(let attribute) = model.entities[entity].properties[property.index].kind
    else { return nil }
    return (held.name, property, attribute)
  }

  mutating func newValue(
    for attribute: Attribute, _ property: PropertyID, of entity: EntityID,
    _ choices: inout Choices
  ) -> Value {
    let known = designValues.values(of: property, entity, in: model)
    if !known.isEmpty, choices.chance(1, in: 2, from: .workload) {
      return known[choices.draw(below: known.count, from: .workload)]
    }
    let domain = domain(of: attribute, property, of: entity)
    if domain.isNarrow(nextValue, &choices) { return domain.narrowValue(&choices) }
    defer { nextValue += 1 }
    return domain.distinctValue(nextValue)
  }

  func domain(
    of attribute: Attribute, _ property: PropertyID, of entity: EntityID
  ) -> ValueDomain {
    ValueDomain(
      attribute, property, of: model.entities[entity.index], isShared: swarm.values == .few,
      isPromised: promisedKey(of: entity)?.contains(property) == true)
  }

  func relate(in context: ContextID, _ world: World, _ choices: inout Choices) -> Step? {
    guard
      let held = pick(
        in: context, world,
        where: {
          !$0.isPendingDeletion && !model.entities[$0.id.entity.index].relationshipIDs.isEmpty
        },
        &choices)
    else { return nil }
    let entity = held.id.entity.index
    let properties = model.entities[entity].relationshipIDs
    let property = properties[choices.draw(below: properties.count, from: .workload)]
    guard let relationship = model.entities[entity].properties[property.index].relationship else {
      return nil
    }
    // Sometimes an object of another context, which Core Data refuses (RL-02).
    let source =
      contexts.count > 1 && choices.chance(1, in: 24, from: .workload)
      ? anyContext(&choices) : context
    let destination = pickDestination(of: relationship, in: source, world, &choices)
    if !relationship.isToMany {
      let isCleared = choices.chance(1, in: 6, from: .workload)
      return .relate(held.name, property, isCleared ? nil : destination)
    }
    guard let destination else { return nil }
    switch choices.pick(weights: [4, 2, 1], from: .workload) {
    case 1: return .remove(held.name, property, destination)
    case 2:
      if relationship.isOrdered, choices.chance(1, in: 2, from: .workload),
        let rearranged = rearrangement(of: property, held, in: context, world)
      {
        return .replace(held.name, property, rearranged)
      }
      // No object, one object or two objects.
      let count = [1, 2, 0][choices.pick(weights: [3, 3, 1], from: .workload)]
      let second = count == 2 ? pickDestination(of: relationship, in: source, world, &choices) : nil
      let others = second.map { $0 == destination ? [] : [$0] } ?? []
      return .replace(held.name, property, count == 0 ? [] : [destination] + others)
    default: return .add(held.name, property, destination)
    }
  }

  /// Returns the members of an ordered relationship in reverse order. Returns `nil` if the program
  /// holds fewer than two of them.
  private func rearrangement(
    of property: PropertyID, _ owner: ObjectGraph.Held, in context: ContextID, _ world: World
  ) -> [HeldInstance]? {
    guard let view = world.graph.inspect(exactly: owner.id, in: context)?.view, !view.isFault else {
      return nil
    }
    let held = world.graph.held(in: context)
    let members = view.collections[world.graph.slot(of: property, in: owner.id.entity)].reversed()
    let references = members.compactMap { id in
      held.first { $0.id == id && !$0.isPendingDeletion }.map { HeldInstance(context, $0.name) }
    }
    return references.count < 2 ? nil : references
  }

  private func pickDestination(
    of relationship: Relationship, in context: ContextID, _ world: World,
    _ choices: inout Choices
  ) -> HeldInstance? {
    // Sometimes a deleted object, as in an app that looks it up by its ID (RL-15).
    let isForAll = relationship.isToMany && choices.chance(1, in: 16, from: .workload)
    return pick(
      in: context, world,
      where: {
        (isForAll || !$0.isPendingDeletion)
          && model.entity($0.id.entity, inherits: relationship.destination)
      }, &choices
    ).map { HeldInstance(context, $0.name) }
  }
}
