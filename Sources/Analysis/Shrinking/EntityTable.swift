package import Execution
package import ObjectModel
package import Vocabulary

/// The entity of each object name in a program. The first insertion under the name in the program's
/// steps determines it, or else the first in the steps of observers.
///
/// The table is computed once for many lookups.
package struct EntityTable {
  /// The entities, indexed by name. Nil if no step inserts an object under the name.
  private var entities: [EntityID?]

  /// Creates the table of a program.
  ///
  /// - Complexity: One walk over the program.
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

  /// The different entities, in the order of the names.
  var distinct: [EntityID] {
    var distinct: [EntityID] = []
    for case let entity? in entities where !distinct.contains(entity) { distinct.append(entity) }
    return distinct
  }
}
