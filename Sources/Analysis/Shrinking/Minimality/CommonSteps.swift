import Execution
import Generation
import ObjectModel
import Vocabulary

extension Program {
  /// Steps that are common in the code of every app, about the objects that this program inserts. A
  /// smaller program may contain them in addition to the program's own steps.
  ///
  /// The steps are in the first context and use the first name of each entity. A `StepAlphabet`
  /// substitutes other contexts and names. The steps cover the simplest attribute of each entity,
  /// with its default and two other values, required attributes, and to-one relationships.
  ///
  /// Batch requests, merges and questions about contexts are excluded, because the program itself
  /// contains them if they matter.
  var commonSteps: [AddressedStep] {
    var common: [Step] = [.save]
    let (names, entities) = (insertedNames, EntityTable(of: self))
    for (index, name) in names.enumerated() {
      guard let entity = entities[name] else { continue }
      if names[..<index].allSatisfy({ entities[$0] != entity }) {
        common += commonSteps(on: name, of: entity)
      }
      // Relate the object to other objects of its entity, or to itself if there are none. An
      // alphabet may also substitute one name for both objects.
      let isAlone = names.allSatisfy { $0 == name || entities[$0] != entity }
      for other in names where other != name || isAlone {
        guard let target = entities[other] else { continue }
        common += relations(of: name, entity, to: other, target)
      }
    }
    return common.map { AddressedStep(ContextID(0), $0) }
  }

  /// Batch requests on the inserted entities, or on the first entity if the program inserts none,
  /// and a merge of the result of a request.
  var batchSteps: [AddressedStep] {
    let inserted = EntityTable(of: self)
    let names = insertedNames.compactMap { inserted[$0] }
    let entities = model.concreteEntities.filter(names.contains)
    let context = ContextID(0)
    var steps: [Step] = [.mergeChanges(.batch(context, ordinal: 1))]
    for entity in entities.isEmpty ? Array(model.concreteEntities.prefix(1)) : entities {
      steps += batchRequests(on: entity).map { .batch($0) }
    }
    return steps.map { AddressedStep(context, $0) }
  }

  private func batchRequests(on entity: EntityID) -> [BatchRequest] {
    let requests = [
      BatchRequest(entity: entity, kind: .insert([[]])),
      BatchRequest(entity: entity, kind: .delete),
    ]
    guard let property = simplestAttribute(of: entity),
      let attribute = model[entity][property].attribute
    else { return requests }
    let value = PropertyValue(property, everydayValue(1, of: attribute, property, entity))
    return requests + [BatchRequest(entity: entity, kind: .update([value]))]
  }

  /// Returns the first stored attribute that no hook writes, or else the first stored attribute.
  private func simplestAttribute(of entity: EntityID) -> PropertyID? {
    let stored = model[entity].storedAttributeIDs
    let hookActions = model[entity].hookActions
    return stored.first { property in !hookActions.contains { $0.property == property } }
      ?? stored.first
  }

  /// Returns a common value within the limits of the model.
  private func everydayValue(
    _ number: Int, of attribute: Attribute, _ property: PropertyID, _ entity: EntityID
  ) -> Value {
    ValueDomain(attribute, property, of: model[entity], isShared: false).everydayValue(number)
  }

  private var insertedNames: [ObjectName] { steps.flatMap(\.insertedNames) }

  private func commonSteps(on name: ObjectName, of entity: EntityID) -> [Step] {
    var steps: [Step] = [
      .insert(entity, as: name), .delete(name), .refresh(name, mergeChanges: false),
    ]
    for kind in model.entities.indices.map({ EntityID($0) })
    where model.entity(entity, inherits: kind) {
      var realising = FetchRequest(entity: kind)
      realising.returnsObjectsAsFaults = false
      steps += [.fetch(FetchRequest(entity: kind)), .fetch(realising)]
    }
    if stack.contexts.count > 1 {
      let elsewhere = HeldInstance(ContextID(1), name)
      steps += [.object(with: elsewhere, as: name), .existingObject(with: elsewhere, as: name)]
    }
    if let property = simplestAttribute(of: entity),
      let attribute = model[entity][property].attribute
    {
      let values =
        [attribute.defaultValue]
        + (1...2).map { everydayValue($0, of: attribute, property, entity) }
      steps.append(.get(name, property))
      steps += values.map { .set(name, property, $0) }
    }
    for property in model[entity].propertyIDs where property != simplestAttribute(of: entity) {
      guard let attribute = model[entity][property].attribute, !attribute.isOptional,
        attribute.defaultValue == .null
      else { continue }
      steps.append(.set(name, property, everydayValue(1, of: attribute, property, entity)))
    }
    return steps
  }

  private func relations(
    of name: ObjectName, _ entity: EntityID, to other: ObjectName, _ target: EntityID
  ) -> [Step] {
    model[entity].propertyIDs.filter { property in
      guard let relationship = model[entity][property].relationship else { return false }
      return !relationship.isToMany && model.entity(target, inherits: relationship.destination)
    }.map { .relate(name, $0, HeldInstance(ContextID(0), other)) }
  }
}
