import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Generates fetch requests.
extension StepGenerator {
  func request(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> FetchRequest {
    // Abstract entities have results, too: the objects of their subentities.
    let entity = EntityID(choices.draw(below: model.entities.count, from: .workload))
    var request = FetchRequest(entity: entity)
    request.predicate = predicate(of: entity, in: context, world, &choices)
    addSortDescriptors(to: &request, &choices)
    if choices.chance(1, in: 5, from: .workload) {
      request.fetchLimit = 1 + choices.draw(below: 3, from: .workload)
      request.fetchOffset = choices.draw(below: 3, from: .workload)
    }
    request.includesPendingChanges = !choices.chance(1, in: 6, from: .workload)
    request.returnsObjectsAsFaults = !choices.chance(1, in: 4, from: .workload)
    request.shouldRefreshRefetchedObjects = choices.chance(1, in: 16, from: .workload)
    if model.entities[entity.index].family.count > 1 {
      request.includesSubentities = !choices.chance(1, in: 6, from: .workload)
    }
    if stack.stores.count > 1, choices.chance(1, in: 6, from: .workload) {
      request.affectedStores = [store(under: context, &choices)]
    }
    setResultType(of: &request, &choices)
    return request
  }

  private func setResultType(of request: inout FetchRequest, _ choices: inout Choices) {
    let types: [FetchRequest.ResultType] = [.managedObject, .managedObjectID, .dictionary, .count]
    request.resultType = types[choices.pick(weights: [16, 2, 2, 1], from: .workload)]
    guard request.resultType == .dictionary, choices.chance(1, in: 2, from: .workload) else {
      return
    }
    let entity = model[request.entity]
    let candidates = entity.propertyIDs.filter { !entity[$0].isToMany && !entity[$0].isTransient }
    guard !candidates.isEmpty else { return }
    let picked = (0..<2).map { _ in
      candidates[choices.draw(below: candidates.count, from: .workload)]
    }
    request.propertiesToFetch = picked[0] == picked[1] ? [picked[0]] : picked.sorted()
  }

  private func addSortDescriptors(to request: inout FetchRequest, _ choices: inout Choices) {
    var candidates = storedAttributes(of: request.entity)
    guard !candidates.isEmpty, choices.chance(1, in: 3, from: .workload) else { return }
    repeat {
      let index = choices.draw(below: candidates.count, from: .workload)
      request.sortDescriptors.append(
        .init(
          property: candidates.remove(at: index),
          ascending: !choices.chance(1, in: 2, from: .workload)))
    } while !candidates.isEmpty && request.sortDescriptors.count < 2
      && choices.chance(1, in: 4, from: .workload)
  }

  func storedAttributes(of entity: EntityID) -> [PropertyID] {
    model.entities[entity.index].storedAttributeIDs
  }

  // MARK: Predicates

  /// Generates zero to two comparisons.
  func predicate(
    of entity: EntityID, in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> [Comparison] {
    let attributes = storedAttributes(of: entity)
    var predicate: [Comparison] = []
    if !attributes.isEmpty, choices.chance(1, in: 3, from: .workload) {
      let property = attributes[choices.draw(below: attributes.count, from: .workload)]
      predicate.append(comparison(with: property, of: entity, &choices))
    }
    guard choices.chance(1, in: 4, from: .workload) else { return predicate }
    // The second comparison prefers a relationship, then a second attribute.
    if let destination = destination(of: entity, in: context, world, &choices) {
      predicate.append(destination)
    } else if !attributes.isEmpty {
      let property = attributes[choices.draw(below: attributes.count, from: .workload)]
      predicate.append(comparison(with: property, of: entity, &choices))
    }
    return predicate
  }

  private func comparison(
    with property: PropertyID, of entity: EntityID, _ choices: inout Choices
  ) -> Comparison {
    guard let attribute = model.entities[entity.index].properties[property.index].attribute else {
      preconditionFailure("\(model[entity][property].name) is no attribute")
    }
    let relation = Comparison.Relation.allCases[choices.draw(below: 4, from: .workload)]
    return Comparison(
      property: property, relation: relation,
      operand: .value(operand(for: attribute, property, of: entity, &choices)))
  }

  /// Returns `null`, or a value that the program may have written.
  func operand(
    for attribute: Attribute, _ property: PropertyID, of entity: EntityID,
    _ choices: inout Choices
  ) -> Value {
    if choices.chance(1, in: 4, from: .workload) { return .null }
    let span = max(1, nextValue - StepGenerator.firstValue)
    let number = StepGenerator.firstValue + choices.draw(below: span, from: .workload)
    let domain = domain(of: attribute, property, of: entity)
    return domain.isNarrow(number, &choices)
      ? domain.narrowValue(&choices) : domain.distinctValue(number)
  }

  private func destination(
    of entity: EntityID, in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Comparison? {
    let toOnes = model.entities[entity.index].relationshipIDs.filter {
      model.entities[entity.index].properties[$0.index].relationship?.isToMany == false
    }
    guard !toOnes.isEmpty else { return nil }
    let property = toOnes[choices.draw(below: toOnes.count, from: .workload)]
    let relations: [Comparison.Relation] = [.equal, .notEqual]
    let relation = relations[choices.pick(weights: [3, 1], from: .workload)]
    if choices.chance(1, in: 5, from: .workload) {
      return Comparison(property: property, relation: relation, operand: .value(.null))
    }
    guard let relationship = model[entity][property].relationship,
      let held = pick(
        in: context, world,
        where: { model.entity($0.id.entity, inherits: relationship.destination) }, &choices)
    else { return nil }
    return Comparison(
      property: property, relation: relation, operand: .object(HeldInstance(context, held.name)))
  }
}
