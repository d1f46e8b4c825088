import Execution
import Generation
import ObjectModel
import Vocabulary

/// Whether a program could have been written: edits must not make one that no compiler would take.
extension Program {
  /// Whether every step asks of an object what its entity has.
  var isWellTyped: Bool {
    let typing = StepTyping(model: model, entities: EntityTable(of: self))
    return allSteps.allSatisfy(typing.isWellTyped)
  }

  /// Whether every list is fetched by the context that has it: anything else is no step.
  var isPerformable: Bool { allSteps.allSatisfy { $0.isPerformable(on: stack) } }

  /// Blocks in which nothing happens; a file has none.
  var emptyBlockCount: Int {
    func count(_ steps: [AddressedStep]) -> Int {
      steps.reduce(0) { sum, step in
        guard let block = step.step.block else { return sum }
        return sum + (block.isEmpty ? 1 : count(block))
      }
    }
    return count(allSteps)
  }

  /// How often the program, an entry point or an observer enters a group that it does not leave, or
  /// waits for one before it leaves it. Such a wait is for good, which says nothing about any other
  /// deadlock.
  var unleftEntryCount: Int {
    var entered = stack.groups.map { _ in 0 }
    var count = 0
    func visit(_ step: AddressedStep) {
      switch step.step {
      case .enter(let group): entered[group.index] += 1
      // A group that is empty stays so.
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
  /// Whether every context of `stack` has a policy that the campaign has, or that is in `own`.
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
