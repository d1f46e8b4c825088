import Execution
import Generation
import ObjectModel
import Vocabulary

/// Whether a program could have been written: edits must not make one that no compiler would take.
extension Program {
  /// Whether every step asks of an object what its entity has.
  var isWellTyped: Bool { allSteps.allSatisfy(isWellTyped) }

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

  private func isWellTyped(_ addressed: AddressedStep) -> Bool {
    switch addressed.step {
    case .insert(let entity, as: let name):
      // One name, one entity.
      return self.entity(of: name) == entity
    case .get(let name, let property, as: let new):
      guard let new else { return self.property(property, of: name) != nil }
      return leads(property, of: name, to: [HeldInstance(addressed.context, new)], isToMany: false)
    case .increment(let name, let property):
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
      // The name stands for an object that the request can find.
      return isWellTyped(request) && request.resultType == .managedObject
        && entity(of: new).map { $0 == request.entity } ?? true
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
        return entity(of: other.name).map { model.entity($0, inherits: relationship.destination) }
          ?? true
      }
  }

  /// The property, if objects under `name` have it.
  private func property(_ property: PropertyID, of name: ObjectName) -> Property? {
    guard let entity = entity(of: name), property.index < model[entity].properties.count else {
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
      entity(of: other.name).map { model.entity($0, inherits: relationship.destination) } ?? true
    }
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
