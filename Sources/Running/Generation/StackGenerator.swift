package import Determinism
package import ObjectModel
package import Vocabulary

/// Limits for the generated stacks of a campaign.
package struct StackLimits: Hashable, Sendable {
  package var contextCount = 5
  /// The maximum number of contexts directly on a coordinator. 1 generates single-root trees.
  package var rootCount = 3
  /// The merge policies that contexts may have. `error` is the simplest.
  package var mergePolicies = MergePolicy.allCases
  package var allowsObservers = true

  /// The simplest of the merge policies.
  package var plainestPolicy: MergePolicy {
    mergePolicies.contains(.error) ? .error : mergePolicies[0]
  }

  package init() {}
}

/// Generates a tree of contexts. The simplest tree is one private root.
package struct StackGenerator {
  package let model: ObjectModel
  package let limits: StackLimits
  package let tree: Swarm.Tree

  package init(model: ObjectModel, limits: StackLimits, tree: Swarm.Tree = .any) {
    self.model = model
    self.limits = limits
    self.tree = tree
  }

  package func stack(_ choices: inout Choices) -> Stack {
    var stack = Stack()
    addStores(to: &stack, &choices)
    if choices.chance(1, in: 8, from: .shape) { stack.queues = [Stack.Queue(name: "queue")] }
    addParts(to: &stack, &choices)
    if choices.chance(1, in: 8, from: .shape) { (stack.timing.read, stack.timing.write) = (1, 5) }
    let count = 1 + choices.draw(below: limits.contextCount, from: .shape)
    for index in 0..<count { addContext(index, to: &stack, &choices) }
    addController(to: &stack, &choices)
    EntryPointGenerator().addEntryPoints(to: &stack, &choices)
    if limits.allowsObservers {
      ObserverGenerator().addObservers(to: &stack, &choices)
    }
    return stack
  }

  /// Sometimes adds flags, groups and ID sets, which entry points, observers and programs use.
  private func addParts(to stack: inout Stack, _ choices: inout Choices) {
    func names(_ names: [String], _ choices: inout Choices) -> [String] {
      guard choices.chance(1, in: 6, from: .shape) else { return [] }
      return choices.chance(1, in: 3, from: .shape) ? names : [names[0]]
    }
    stack.flags = names(["busy", "paused"], &choices).map { Stack.Flag(name: $0) }
    stack.groups = names(["pending", "uploads"], &choices).map { Stack.Group(name: $0) }
    stack.idSets = names(["changed", "seen"], &choices).map { Stack.IDSet(name: $0) }
  }

  // MARK: Stores

  /// Adds one store, mostly. Sometimes adds two stores behind one coordinator, or two coordinators
  /// on one store.
  private func addStores(to stack: inout Stack, _ choices: inout Choices) {
    stack.stores = [Stack.Store(name: "main")]
    stack.coordinators = [Stack.Coordinator(name: "store", stores: [StoreID(0)])]
    let sharing = limits.rootCount > 1 ? 1 : 0
    switch choices.pick(weights: [20, 2, 3, 2 * sharing, sharing], from: .shape) {
    case 1: stack.stores[0].isInMemory = true
    case 2: addSecondStore(to: &stack, &choices)
    case 3: stack.coordinators.append(Stack.Coordinator(name: "other", stores: [StoreID(0)]))
    case 4:
      // Two coordinators can share a file, but an in-memory store belongs to one coordinator
      // (PS-06).
      addSecondStore(to: &stack, &choices)
      stack.stores[0].entities = nil
      stack.coordinators.append(Stack.Coordinator(name: "other", stores: [StoreID(0)]))
    default: break
    }
    // A store that the program can add later.
    if choices.chance(1, in: 16, from: .shape) {
      stack.stores.append(Stack.Store(name: "spare"))
    }
  }

  /// Adds a second store, for all entities or for the entities that the first store does not take.
  private func addSecondStore(to stack: inout Stack, _ choices: inout Choices) {
    var second = Stack.Store(name: "second")
    let concrete = model.concreteEntities
    let halves = [0, 1].map { parity in
      concrete.enumerated().filter { $0.offset % 2 == parity }.map(\.element)
    }
    switch choices.draw(below: 3, from: .shape) {
    case 1 where concrete.count > 1: stack.stores[0].entities = halves[0]
    case 2 where concrete.count > 1:
      stack.stores[0].entities = halves[0]
      second.entities = halves[1]
    default: break
    }
    second.isInMemory = choices.chance(1, in: 3, from: .shape)
    stack.stores.append(second)
    stack.coordinators[0].stores.append(StoreID(1))
  }

  // MARK: Controllers

  /// Sometimes adds a fetched results controller to one of the contexts.
  private func addController(to stack: inout Stack, _ choices: inout Choices) {
    guard choices.chance(1, in: 6, from: .shape) else { return }
    let context = ContextID(choices.draw(below: stack.contexts.count, from: .shape))
    addController(to: &stack, in: context, &choices)
    guard !stack.controllers.isEmpty, choices.chance(1, in: 6, from: .shape) else { return }
    let request = stack.controllers[0].request
    stack.controllers[0].request.tree = treeOfList(
      of: request.entity, request.sortDescriptors[0].property, &choices)
  }

  /// Adds a list to a designed stack without lists, in half of the cases. Designs do not mention
  /// lists, but most apps show one on the main queue.
  package func withList(_ design: Stack, _ choices: inout Choices) -> Stack {
    guard design.controllers.isEmpty, choices.chance(1, in: 2, from: .shape) else { return design }
    var stack = design
    let visible = stack.contextIDs.filter { !stack[$0].isHidden }
    let main = visible.first { stack[$0].concurrencyType == .mainQueue }
    addController(to: &stack, in: main ?? visible[0], &choices)
    return stack
  }

  private func addController(
    to stack: inout Stack, in context: ContextID, _ choices: inout Choices
  ) {
    let entity = EntityID(choices.draw(below: model.entities.count, from: .shape))
    let properties = model[entity].storedAttributeIDs
    guard !properties.isEmpty else { return }
    func property() -> PropertyID {
      properties[choices.draw(below: properties.count, from: .shape)]
    }
    var request = FetchRequest(entity: entity)
    request.sortDescriptors = [
      .init(property: property(), ascending: !choices.chance(1, in: 4, from: .shape))
    ]
    let second = property()
    if second != request.sortDescriptors[0].property {
      request.sortDescriptors.append(.init(property: second, ascending: true))
    }
    if choices.chance(1, in: 3, from: .shape) {
      // An object enters and leaves the list as its value is set and cleared.
      request.predicate = [
        Comparison(property: property(), relation: .notEqual, operand: .value(.null))
      ]
    }
    let isSectioned = choices.chance(1, in: 2, from: .shape)
    stack.controllers = [
      Stack.ResultsController(
        name: "list", context: context, request: request,
        sectionProperty: isSectioned ? request.sortDescriptors[0].property : nil)
    ]
  }

  /// Returns a predicate over a relationship of the entity. Without relationships, the predicate
  /// requires that the attribute is not nil.
  private func treeOfList(
    of entity: EntityID, _ property: PropertyID, _ choices: inout Choices
  ) -> PredicateTree {
    let relationships = model[entity].relationshipIDs
    guard !relationships.isEmpty else {
      return .not(.comparison(.path([property]), .equal, .value(.null), [], nil))
    }
    let relationship = relationships[choices.draw(below: relationships.count, from: .shape)]
    if model[entity][relationship].isToMany {
      return .comparison(.count([relationship]), .greater, .value(.integer(0)), [], nil)
    }
    let destination = model.destination(of: relationship, from: entity)
    guard let attribute = model[destination].storedAttributeIDs.first else {
      return .comparison(.path([relationship]), .notEqual, .value(.null), [], nil)
    }
    return .comparison(.path([relationship, attribute]), .notEqual, .value(.null), [], nil)
  }

  // MARK: Contexts

  private func addContext(_ index: Int, to stack: inout Stack, _ choices: inout Choices) {
    let parent =
      index == 0 ? Stack.Parent.coordinator(CoordinatorID(0)) : parent(in: stack, &choices)
    // Most stacks have at most one context on the main queue.
    let hasMain = stack.contexts.contains { $0.name == "view" }
    let isMain = choices.chance(1, in: hasMain ? 16 : 3, from: .shape)
    var context = Stack.Context(
      name: isMain ? (hasMain ? "view\(index)" : "view") : "work\(index)",
      concurrencyType: isMain ? .mainQueue : .privateQueue, parent: parent)
    context.mergePolicy =
      choices.chance(1, in: 2, from: .shape)
      ? limits.mergePolicies[choices.draw(below: limits.mergePolicies.count, from: .shape)]
      : limits.plainestPolicy
    context.automaticallyMergesChangesFromParent = choices.chance(1, in: 3, from: .shape)
    confine(&context, in: stack, &choices)
    addSettings(to: &context, &choices)
    stack.contexts.append(context)
  }

  /// Draws the parent of a new context.
  private func parent(in stack: Stack, _ choices: inout Choices) -> Stack.Parent {
    var rootCount = 0
    var above: [ContextID] = []
    for index in stack.contexts.indices {
      if case .coordinator = stack.contexts[index].parent { rootCount += 1 }
      if stack.contexts[index].concurrencyType != .confinement { above.append(ContextID(index)) }
    }
    var coordinatorCount = rootCount < limits.rootCount ? stack.coordinators.count : 0
    switch tree {
    case .any: break
    case .chain where !above.isEmpty: (coordinatorCount, above) = (0, [above[above.count - 1]])
    case .siblings where !above.isEmpty: (coordinatorCount, above) = (0, [above[0]])
    case .roots where coordinatorCount > 0: above = []
    case .chain, .siblings, .roots: break
    }
    let number = choices.draw(below: coordinatorCount + above.count, from: .shape)
    return number < coordinatorCount
      ? .coordinator(CoordinatorID(number)) : .context(above[number - coordinatorCount])
  }

  /// Rarely confines the context to a thread, as apps did before contexts had queues.
  private func confine(
    _ context: inout Stack.Context, in stack: Stack, _ choices: inout Choices
  ) {
    // At least one context must remain that can be a parent.
    guard case .coordinator = context.parent,
      stack.contexts.contains(where: { $0.concurrencyType != .confinement }),
      choices.chance(1, in: 24, from: .shape)
    else { return }
    context.concurrencyType = .confinement
    context.thread = context.name.hasPrefix("view") || stack.queues.isEmpty ? nil : AppQueueID(0)
    context.automaticallyMergesChangesFromParent = false
  }

  private func addSettings(to context: inout Stack.Context, _ choices: inout Choices) {
    context.hasUndoManager = choices.chance(1, in: 5, from: .shape)
    // Each setting is rare, because most contexts keep Core Data's defaults.
    context.shouldDeleteInaccessibleFaults = !choices.chance(1, in: 16, from: .shape)
    context.retainsRegisteredObjects = choices.chance(1, in: 16, from: .shape)
    context.propagatesDeletesAtEndOfEvent = !choices.chance(1, in: 16, from: .shape)
    if case .coordinator = context.parent {
      context.hasZeroStaleness = choices.chance(1, in: 10, from: .shape)
    }
  }
}
