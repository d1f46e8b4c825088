import ObjectModel
import Vocabulary

/// The values of attributes that batch requests of a stack write, and that its requests compare
/// with stored values. Programs use them, too, because parts of an app meet in equal values: a
/// server's record and the user's object have the same key.
struct DesignValues {
  private struct Use: Equatable {
    let entity: EntityID
    let property: PropertyID
    let value: Value
  }

  private var uses: [Use] = []

  init(_ stack: Stack) {
    for step in stack.ownSteps {
      // Visits the steps of blocks, too.
      _ = step.contains { inner in
        collect(inner.step)
        return false
      }
    }
    for controller in stack.controllers {
      note(controller.request.predicate, of: controller.request.entity)
    }
  }

  /// Returns the values of an attribute of an entity, in the order of their first use.
  func values(of property: PropertyID, _ entity: EntityID, in model: ObjectModel) -> [Value] {
    if uses.isEmpty { return [] }
    return uses.filter {
      $0.property == property
        && (model.entity(entity, inherits: $0.entity) || model.entity($0.entity, inherits: entity))
    }.map(\.value)
  }

  private mutating func collect(_ step: Step) {
    switch step {
    case .batch(let request):
      note(request.predicate, of: request.entity)
      switch request.kind {
      case .delete: break
      case .update(let values): note(values, of: request.entity)
      case .insert(let records): for values in records { note(values, of: request.entity) }
      }
    case .fetch(let request, as: _), .count(let request):
      note(request.predicate, of: request.entity)
    default: break
    }
  }

  private mutating func note(_ predicate: [Comparison], of entity: EntityID) {
    for comparison in predicate {
      guard case .value(let value) = comparison.operand else { continue }
      note([PropertyValue(comparison.property, value)], of: entity)
    }
  }

  private mutating func note(_ values: [PropertyValue], of entity: EntityID) {
    for item in values where !item.value.isNull {
      let use = Use(entity: entity, property: item.property, value: item.value)
      if !uses.contains(use) { uses.append(use) }
    }
  }
}
