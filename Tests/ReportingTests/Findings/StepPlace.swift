import Execution
import Vocabulary

/// The place of a step in a program or its stack: a list of steps, and an index on every level of
/// blocks.
struct StepPlace {
  enum List {
    case program
    case observer(Int)
    case entryPoint(Int)
  }

  let list: List
  let indices: [Int]
}

extension Program {
  /// The places of all steps, in the order of an explanation. A block comes before its steps, and
  /// the stack's own steps come last.
  var places: [StepPlace] {
    var places: [StepPlace] = []
    func visit(_ steps: [AddressedStep], _ list: StepPlace.List, _ above: [Int] = []) {
      for (index, step) in steps.enumerated() {
        places.append(StepPlace(list: list, indices: above + [index]))
        visit(step.step.block ?? [], list, above + [index])
      }
    }
    visit(steps, .program)
    for (index, observer) in stack.observers.enumerated() {
      visit(observer.steps, .observer(index))
    }
    for (index, entryPoint) in stack.entryPoints.enumerated() {
      visit(entryPoint.steps, .entryPoint(index))
    }
    return places
  }

  subscript(place: StepPlace) -> AddressedStep {
    var steps =
      switch place.list {
      case .program: self.steps
      case .observer(let index): stack.observers[index].steps
      case .entryPoint(let index): stack.entryPoints[index].steps
      }
    for index in place.indices.dropLast() { steps = steps[index].step.block ?? [] }
    return steps[place.indices[place.indices.count - 1]]
  }

  /// Returns the program with other steps in place of one.
  func replacing(_ place: StepPlace, by others: [AddressedStep]) -> Program {
    func replaced(_ steps: [AddressedStep], _ indices: ArraySlice<Int>) -> [AddressedStep] {
      var (steps, index) = (steps, indices[indices.startIndex])
      if indices.count == 1 {
        steps.replaceSubrange(index...index, with: others)
      } else {
        let block = replaced(steps[index].step.block ?? [], indices.dropFirst())
        steps[index].step = steps[index].step.withBlock(block)
      }
      return steps
    }
    var program = self
    switch place.list {
    case .program: program.steps = replaced(steps, place.indices[...])
    case .observer(let index):
      program.stack.observers[index].steps = replaced(
        stack.observers[index].steps, place.indices[...])
    case .entryPoint(let index):
      program.stack.entryPoints[index].steps = replaced(
        stack.entryPoints[index].steps, place.indices[...])
    }
    return program
  }
}
