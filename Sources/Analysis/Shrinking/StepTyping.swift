import Execution
import ObjectModel
import Vocabulary

/// Checks that steps use only properties that the entities of their objects have.
struct StepTyping {
  let model: ObjectModel
  let entities: EntityTable

  func isWellTyped(_ addressed: AddressedStep) -> Bool {
    switch addressed.step {
    case .insert(let entity, as: let name):
      // A name has a single entity.
      return entities[name] == entity
    case .get(let name, let property, as: let new):
      guard let new else { return self.property(property, of: name) != nil }
      return leads(property, of: name, to: [HeldInstance(addressed.context, new)], isToMany: false)
    case .increment(let name, let property, by: _):
      return self.property(property, of: name)?.attribute?.type.greatestInteger != nil
    case .set(let name, let property, _), .setPrimitive(let name, let property, _):
      return self.property(property, of: name)?.attribute != nil
    case .relate(let name, let property, let other):
      return leads(property, of: name, to: other.map { [$0] } ?? [], isToMany: false)
    case .add(let name, let property, let other), .remove(let name, let property, let other):
      return leads(property, of: name, to: [other], isToMany: true)
    case .replace(let name, let property, let others):
      return leads(property, of: name, to: others, isToMany: true)
    case .fetch(let request, as: let new?):
      // The name must stand for an object that the request can find.
      return isWellTyped(request) && request.resultType == .managedObject
        && entities[new].map { $0 == request.entity } ?? true
    case .fetch(let request, as: nil), .count(let request):
      return isWellTyped(request)
    case .batch(let request):
      return (request.tree?.paths ?? []).allSatisfy {
        model.end(of: $0, from: request.entity) != nil
      }
    default:
      return (addressed.step.block ?? []).allSatisfy(isWellTyped)
    }
  }

  private func isWellTyped(_ request: FetchRequest) -> Bool {
    let count = model[request.entity].properties.count
    let properties =
      request.propertiesToFetch + request.aggregates.compactMap(\.property)
      + request.propertiesToGroupBy
    let paths = request.sortDescriptors.map(\.keyPath) + (request.tree?.paths ?? [])
    guard request.groupsWhatItFetches else { return false }
    return properties.allSatisfy { $0.index < count }
      && paths.allSatisfy { model.end(of: $0, from: request.entity) != nil }
      && request.predicate.allSatisfy { comparison in
        guard comparison.property.index < count else { return false }
        guard case .object(let other) = comparison.operand else { return true }
        guard let relationship = model[request.entity][comparison.property].relationship else {
          return false
        }
        return entities[other.name].map { model.entity($0, inherits: relationship.destination) }
          ?? true
      }
  }

  /// Returns the property, if objects under `name` have it.
  private func property(_ property: PropertyID, of name: ObjectName) -> Property? {
    guard let entity = entities[name], property.index < model[entity].properties.count else {
      return nil
    }
    return model[entity][property]
  }

  private func leads(
    _ property: PropertyID, of name: ObjectName, to others: [HeldInstance], isToMany: Bool
  ) -> Bool {
    guard let relationship = self.property(property, of: name)?.relationship,
      relationship.isToMany == isToMany
    else { return false }
    return others.allSatisfy { other in
      entities[other.name].map { model.entity($0, inherits: relationship.destination) } ?? true
    }
  }
}
