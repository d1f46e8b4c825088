import Execution
import ObjectModel
import Vocabulary

extension Program {
  /// All steps in the order of a scenario, with those of entry points and observers first.
  var allSteps: [AddressedStep] {
    stack.entryPoints.flatMap(\.steps) + stack.observers.flatMap(\.steps) + steps
  }

  /// The names that steps mention, in order of first mention.
  var usedNames: [ObjectName] {
    var isUsed = Array(repeating: false, count: names.count)
    var used: [ObjectName] = []
    for step in allSteps {
      step.visitNames { name in
        if !isUsed[name.index] {
          isUsed[name.index] = true
          used.append(name)
        }
      }
    }
    return used
  }

  /// The number of insertions under a name that an earlier insertion uses. A reader would take the
  /// two objects for one.
  var repeatedInsertCount: Int {
    let inserted = allSteps.flatMap(\.insertedNames)
    return inserted.count - Set(inserted).count
  }

  /// The names that steps use although no step inserts an object under them.
  var strayNames: [ObjectName] {
    var isInserted = Array(repeating: false, count: names.count)
    func visit(_ step: AddressedStep) {
      if case .insert(_, as: let name) = step.step { isInserted[name.index] = true }
      for inner in step.step.block ?? [] { visit(inner) }
    }
    for step in allSteps { visit(step) }
    return usedNames.filter { !isInserted[$0.index] }
  }

  /// The program in a normal form. Only used names remain, numbered in order of first mention. The
  /// schedule has no zeros at its end.
  var tidied: Program {
    let used = usedNames
    var result = self
    while result.schedule.last == 0 { result.schedule.removeLast() }
    if used.count == names.count, used.indices.allSatisfy({ used[$0].index == $0 }) {
      return result
    }
    var numbers = Array(repeating: 0, count: names.count)
    for (number, name) in used.enumerated() { numbers[name.index] = number }
    func tidied(_ step: AddressedStep) -> AddressedStep {
      step.mapNames { ObjectName(numbers[$0.index]) }
    }
    result.steps = steps.map(tidied)
    for index in stack.observers.indices {
      result.stack.observers[index].steps = stack.observers[index].steps.map(tidied)
    }
    for index in stack.entryPoints.indices {
      result.stack.entryPoints[index].steps = stack.entryPoints[index].steps.map(tidied)
    }
    result.names = used.map { names[$0.index] }
    return result
  }

  /// The program with the object names of a generated program, such as `note1` and `note2`.
  var withOwnNames: Program {
    let entities = EntityTable(of: self)
    var result = self
    var bases: [String] = []
    for index in names.indices {
      var base = names[index]
      while base.last?.isNumber == true { base.removeLast() }
      // Shrinking may have changed the entity of the object.
      if let entity = entities[ObjectName(index)] {
        let name = model[entity].name
        base = name.prefix(1).lowercased() + name.dropFirst()
      }
      bases.append(base)
      result.names[index] = "\(base)\(bases.count { $0 == base })"
    }
    return result
  }
}
