import Execution
import Generation
import ObjectModel
import Vocabulary

/// Conditions under which a program could have been written. An edit must not produce a program
/// that no compiler would accept.
extension Program {
  /// A Boolean value that indicates whether every step uses only properties that the entity of its
  /// object has.
  var isWellTyped: Bool {
    let typing = StepTyping(model: model, entities: EntityTable(of: self))
    return allSteps.allSatisfy(typing.isWellTyped)
  }

  /// A Boolean value that indicates whether every `performFetch` runs in the context of its list. A
  /// `performFetch` in another context cannot be written.
  var isPerformable: Bool { allSteps.allSatisfy { $0.isPerformable(on: stack) } }

  /// The number of empty blocks. A scenario file cannot contain an empty block.
  var emptyBlockCount: Int {
    func count(_ steps: [AddressedStep]) -> Int {
      steps.reduce(0) { sum, step in
        guard let block = step.step.block else { return sum }
        return sum + (block.isEmpty ? 1 : count(block))
      }
    }
    return count(allSteps)
  }

  /// The number of entries into groups that the program, an entry point or an observer never
  /// leaves, or leaves only after a wait.
  ///
  /// A wait for such a group never ends, which says nothing about other deadlocks.
  var unleftEntryCount: Int {
    var entered = stack.groups.map { _ in 0 }
    var count = 0
    func visit(_ step: AddressedStep) {
      switch step.step {
      case .enter(let group): entered[group.index] += 1
      // Leaving an empty group has no effect.
      case .leave(let group): entered[group.index] = Swift.max(0, entered[group.index] - 1)
      case .wait(let group): count += entered[group.index]
      default: break
      }
      for inner in step.step.block ?? [] { visit(inner) }
    }
    for part in [steps] + stack.entryPoints.map(\.steps) + stack.observers.map(\.steps) {
      for step in part { visit(step) }
      count += entered.reduce(0, +)
      entered = entered.map { _ in 0 }
    }
    return count
  }
}

extension StepFilter {
  func admits(_ steps: [AddressedStep], besides own: Set<Step.Kind>) -> Bool {
    steps.allSatisfy { admits($0, besides: own) }
  }
}

extension StackLimits {
  /// Returns a Boolean value that indicates whether the campaign or `own` contains the merge policy
  /// of every context of `stack`.
  func admit(_ stack: Stack, besides own: Set<MergePolicy>) -> Bool {
    stack.contexts.allSatisfy {
      mergePolicies.contains($0.mergePolicy) || own.contains($0.mergePolicy)
    }
  }
}

extension AddressedStep {
  func isPerformable(on stack: Stack) -> Bool {
    if case .performFetch(let controller) = step {
      return stack.controllers[controller.index].context == context
    }
    return (step.block ?? []).allSatisfy { $0.isPerformable(on: stack) }
  }
}
