package import Determinism
package import ObjectModel
package import Vocabulary

/// What the made-up stacks of a campaign may look like.
package struct StackLimits: Hashable, Sendable {
  package var contextCount = 5
  /// How many contexts may stand on a coordinator directly; 1 makes single-root trees.
  package var rootCount = 3
  /// Merge policies that contexts may have; `error` is the simplest.
  package var mergePolicies = MergePolicy.allCases
  package var allowsObservers = true

  package init() {}
}

/// Makes up a tree of contexts: one private root in the simplest case.
package struct StackGenerator {
  package let model: ObjectModel
  package let limits: StackLimits

  package init(model: ObjectModel, limits: StackLimits) {
    self.model = model
    self.limits = limits
  }

  package func stack(_ choices: inout Choices) -> Stack {
    var stack = Stack()
    addStores(to: &stack, &choices)
    let count = 1 + choices.draw(below: limits.contextCount, from: .shape)
    for index in 0..<count { addContext(index, to: &stack, &choices) }
    if limits.allowsObservers, count > 1, choices.chance(1, in: 4, from: .shape) {
      addObserver(to: &stack, &choices)
    }
    return stack
  }

  /// Mostly one store; sometimes two behind one coordinator, or two coordinators on one store.
  private func addStores(to stack: inout Stack, _ choices: inout Choices) {
    stack.stores = [Stack.Store(name: "main")]
    stack.coordinators = [Stack.Coordinator(name: "store", stores: [StoreID(0)])]
    guard limits.rootCount > 1 else { return }
    switch choices.pick(weights: [8, 1, 1], from: .shape) {
    case 1:
      stack.coordinators.append(Stack.Coordinator(name: "other", stores: [StoreID(0)]))
    case 2 where model.concreteEntities.count > 1:
      let half = model.concreteEntities.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      stack.stores = [
        Stack.Store(name: "first", entities: half), Stack.Store(name: "second"),
      ]
      stack.coordinators[0].stores = [StoreID(0), StoreID(1)]
    default: break
    }
  }

  private func addContext(_ index: Int, to stack: inout Stack, _ choices: inout Choices) {
    let roots = stack.contextIDs.filter { stack.parent(of: $0) == nil }
    var parents: [Stack.Parent] = []
    if roots.count < limits.rootCount {
      parents += stack.coordinators.indices.map { .coordinator(CoordinatorID($0)) }
    }
    parents += stack.contextIDs.map { .context($0) }
    let parent =
      index == 0
      ? Stack.Parent.coordinator(CoordinatorID(0))
      : parents[choices.draw(below: parents.count, from: .shape)]
    // One of the contexts, at most, belongs to the main queue.
    let hasMain = stack.contexts.contains { $0.concurrencyType == .mainQueue }
    let isMain = !hasMain && choices.chance(1, in: 3, from: .shape)
    var context = Stack.Context(
      name: isMain ? "view" : "work\(index)",
      concurrencyType: isMain ? .mainQueue : .privateQueue, parent: parent)
    if choices.chance(1, in: 2, from: .shape) {
      context.mergePolicy =
        limits.mergePolicies[choices.draw(below: limits.mergePolicies.count, from: .shape)]
    }
    context.automaticallyMergesChangesFromParent = choices.chance(1, in: 3, from: .shape)
    stack.contexts.append(context)
  }

  /// The usual way to keep contexts in step: one merges what another saves.
  private func addObserver(to stack: inout Stack, _ choices: inout Choices) {
    let saving = ContextID(choices.draw(below: stack.contexts.count, from: .shape))
    let merging = ContextID(choices.draw(below: stack.contexts.count, from: .shape))
    guard saving != merging else { return }
    stack.observers.append(
      Stack.Observer(
        notification: .didSave, context: saving,
        steps: [
          AddressedStep(
            merging, .perform([AddressedStep(merging, .mergeChanges(.delivered))]))
        ]))
  }
}
