import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Generates programs for stacks that make promises about their data.
extension StepGenerator {
  /// Looks up each object of a delivery by the key that a promise keeps unique, and inserts the
  /// missing objects. Returns `nil` if the stack promises no unique keys.
  ///
  /// In half of the cases, a delivery repeats the delivery before it, if both are of one entity. A
  /// server that is asked twice answers twice.
  mutating func findOrCreate(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> [AddressedStep]? {
    let keyed = concrete.filter { promisedKey(of: $0) != nil }
    guard !keyed.isEmpty else { return nil }
    let entity = keyed[choices.draw(below: keyed.count, from: .workload)]
    guard let key = promisedKey(of: entity), let attribute = model[entity][key].attribute else {
      return nil
    }
    let isRepeated = choices.chance(1, in: 2, from: .workload)
    var keys: [Value] = []
    if isRepeated, let latest = delivery, latest.entity == entity {
      keys = latest.keys
    } else {
      for _ in 0...choices.draw(below: 3, from: .workload) {
        keys.append(newValue(for: attribute, key, of: entity, &choices))
      }
    }
    delivery = (entity, keys)
    return keys.flatMap { value -> [AddressedStep] in
      var lookUp = FetchRequest(entity: entity)
      lookUp.predicate = [Comparison(property: key, relation: .equal, operand: .value(value))]
      lookUp.fetchLimit = 1
      let (name, needs) = newObject(of: entity, in: context, world, &choices)
      let insertion = needs + [AddressedStep(context, .set(name, key, value))]
      return [
        AddressedStep(context, .fetch(lookUp)),
        AddressedStep(context, .when(Condition(.found, isNegated: true), insertion)),
      ]
    }
  }

  /// Returns the first attribute of an entity whose values a promise keeps unique.
  func promisedKey(of entity: EntityID) -> PropertyID? {
    for promise in stack.dataPromises where model.entity(entity, inherits: promise.claim.entity) {
      guard case .unique(let keys) = promise.claim.statement, keys.count == 1,
        let attribute = model[entity][keys[0]].attribute, !attribute.isTransient
      else { continue }
      return keys[0]
    }
    return nil
  }
}
