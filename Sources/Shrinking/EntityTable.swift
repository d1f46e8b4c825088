package import Execution
package import ObjectModel
package import Vocabulary

/// The entity of each name that a program inserts an object under: of the first insertion in its
/// steps, or else in those of its observers.
///
/// Made once for many look-ups.
package struct EntityTable {
  /// Indexed by name; nil where nothing is inserted.
  private var entities: [EntityID?]

  /// - Complexity: A walk over the program.
  package init(of program: Program) {
    entities = Array(repeating: nil, count: program.names.count)
    for step in program.steps { note(step) }
    for observer in program.stack.observers {
      for step in observer.steps { note(step) }
    }
  }

  private mutating func note(_ step: AddressedStep) {
    if case .insert(let entity, as: let name) = step.step, entities[name.index] == nil {
      entities[name.index] = entity
    }
    for inner in step.step.block ?? [] { note(inner) }
  }

  package subscript(name: ObjectName) -> EntityID? { entities[name.index] }

  /// All entities, each once, in the order of the names.
  var distinct: [EntityID] {
    var distinct: [EntityID] = []
    for case let entity? in entities where !distinct.contains(entity) { distinct.append(entity) }
    return distinct
  }
}
