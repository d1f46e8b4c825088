import ObjectModel
import Vocabulary

/// Edits that remove parts of the stack, with every step and part that depends on them.
extension ProgramEdit {
  // MARK: Contexts

  /// Removes a context. `heir` takes over its steps, or they are removed as well. Its children move
  /// to the heir if possible, otherwise to its parent.
  mutating func removeContext(_ removed: ContextID, heir: ContextID? = nil) {
    let parent = stack[removed].parent
    for index in stack.contexts.indices where stack.contexts[index].parent == .context(removed) {
      stack.contexts[index].parent =
        heir.flatMap { $0.index == index || isAbove(ContextID(index), $0) ? nil : .context($0) }
        ?? parent
    }
    // The promises of the context do not apply to any other context.
    stack.promises = stack.promises.compactMap { $0.without(removed) }
    stack.contextPromises.removeAll { $0.context == removed }
    for index in stack.entryPoints.indices {
      let promises = stack.entryPoints[index].promises
      stack.entryPoints[index].promises = promises.compactMap { $0.without(removed) }
    }
    if let heir {
      mapSteps { $0.mapContexts { $0 == removed ? heir : $0 } }
      for index in stack.observers.indices where stack.observers[index].context == removed {
        stack.observers[index].context = heir
      }
      for index in stack.controllers.indices where stack.controllers[index].context == removed {
        stack.controllers[index].context = heir
      }
    } else {
      stack.observers.removeAll { $0.context == removed }
      for index in stack.controllers.indices.reversed()
      where stack.controllers[index].context == removed {
        removeController(index)
      }
      removeSteps { step in
        step.step.block == nil
          || step.context == removed && !step.step.traits.contains(.runsOnAppQueue)
          ? step.mentions(removed) : false
      }
      // The remaining steps mention the context only as the address of a block on a queue of the
      // app.
      let other = ContextID(removed.index == 0 ? 1 : 0)
      mapSteps { $0.mapContexts { $0 == removed ? other : $0 } }
    }
    arrangeContexts(stack.contextIDs.filter { $0 != removed })
  }

  private func isAbove(_ ancestor: ContextID, _ context: ContextID) -> Bool {
    stack.chain(from: context).contains(ancestor)
  }

  /// Renumbers contexts in the order of `wanted`, except that parents come before their children.
  mutating func arrangeContexts(_ wanted: [ContextID]) {
    var order: [ContextID] = []
    while let next = wanted.first(where: { context in
      !order.contains(context) && stack.parent(of: context).map(order.contains) ?? true
    }) {
      order.append(next)
    }
    var numbers = Array(repeating: ContextID(0), count: stack.contexts.count)
    for (number, context) in order.enumerated() { numbers[context.index] = ContextID(number) }
    mapSteps { $0.mapContexts { numbers[$0.index] } }
    for index in stack.observers.indices {
      stack.observers[index].context = numbers[stack.observers[index].context.index]
    }
    for index in stack.controllers.indices {
      stack.controllers[index].context = numbers[stack.controllers[index].context.index]
    }
    stack.promises = stack.promises.map { $0.mapContexts { numbers[$0.index] } }
    stack.contextPromises = stack.contextPromises.map { $0.mapContexts { numbers[$0.index] } }
    for index in stack.entryPoints.indices {
      let promises = stack.entryPoints[index].promises
      stack.entryPoints[index].promises = promises.map { $0.mapContexts { numbers[$0.index] } }
    }
    stack.contexts = order.map { context in
      var moved = stack[context]
      if case .context(let parent) = moved.parent { moved.parent = .context(numbers[parent.index]) }
      return moved
    }
  }

  /// A Boolean value that indicates whether the engine can run the program. No confinement context
  /// may have a parent or child context, and entry points may only call earlier entry points.
  var isWellFormed: Bool {
    !stack.contexts.isEmpty && stack.entryPoints.indices.allSatisfy(callsOnlyEarlier)
      && stack.contexts.allSatisfy { context in
        guard case .context(let parent) = context.parent else { return true }
        return context.concurrencyType != .confinement
          && stack[parent].concurrencyType != .confinement
      }
  }

  /// Returns a Boolean value that indicates whether the entry point calls only entry points
  /// declared before it, as the text of a stack requires.
  private func callsOnlyEarlier(_ index: Int) -> Bool {
    !stack.entryPoints[index].steps.contains { step in
      step.contains { if case .call(let called) = $0.step { called.index >= index } else { false } }
    }
  }

  var rootCount: Int { stack.contextIDs.count { stack.parent(of: $0) == nil } }

  // MARK: Other parts

  mutating func removeController(_ removed: Int) {
    stack.controllers.remove(at: removed)
    removeSteps { $0.step == .performFetch(ControllerID(removed)) }
    var mapping = StepMapping()
    mapping.controller = { $0.index > removed ? ControllerID($0.index - 1) : $0 }
    mapSteps { mapping($0) }
  }

  /// Removes the queues of the app that no step and no context mentions.
  mutating func removeUnusedQueues() {
    var used = stack.contexts.compactMap(\.thread)
    mapSteps { step in
      step.mapQueues {
        used.append($0)
        return $0
      }
    }
    let kept = stack.queues.indices.map { AppQueueID($0) }.filter(used.contains)
    func moved(_ queue: AppQueueID) -> AppQueueID {
      AppQueueID(kept.firstIndex(of: queue) ?? queue.index)
    }
    stack.queues = kept.map { stack.queues[$0.index] }
    for index in stack.contexts.indices {
      stack.contexts[index].thread = stack.contexts[index].thread.map(moved)
    }
    mapSteps { $0.mapQueues(moved) }
  }

  mutating func removeUnusedFlags() {
    removeUnused(\.flags, FlagID.init, { $0.index }, \.flag)
  }

  mutating func removeUnusedGroups() {
    removeUnused(\.groups, GroupID.init, { $0.index }, \.group)
  }

  mutating func removeUnusedIDSets() {
    removeUnused(\.idSets, IDSetID.init, { $0.index }, \.idSet)
  }

  /// Removes those of `parts` that no step mentions, and renumbers the remaining parts.
  private mutating func removeUnused<Part, ID: Equatable>(
    _ parts: WritableKeyPath<Stack, [Part]>, _ id: (Int) -> ID, _ index: @escaping (ID) -> Int,
    _ mapped: WritableKeyPath<StepMapping, ((ID) -> ID)?>
  ) {
    var used: [ID] = []
    var mapping = StepMapping()
    mapping[keyPath: mapped] = {
      used.append($0)
      return $0
    }
    mapSteps { mapping($0) }
    let kept = stack[keyPath: parts].indices.filter { used.contains(id($0)) }
    let left = kept.map { stack[keyPath: parts][$0] }
    stack[keyPath: parts] = left
    let ids = kept.indices.map(id)
    mapping[keyPath: mapped] = { old in
      kept.firstIndex(of: index(old)).map { ids[$0] } ?? old
    }
    mapSteps { mapping($0) }
  }

  /// Removes a store, with the steps that name it.
  mutating func removeStore(_ removed: StoreID) {
    func moved(_ store: StoreID) -> StoreID {
      store < removed ? store : StoreID(store.index - 1)
    }
    removeSteps { $0.step.block == nil && $0.stores.contains(removed) }
    var mapping = StepMapping()
    mapping.store = moved
    mapSteps { mapping($0) }
    stack.stores.remove(at: removed.index)
    for index in stack.coordinators.indices {
      stack.coordinators[index].stores = stack.coordinators[index].stores
        .filter { $0 != removed }.map(moved)
    }
    for index in stack.controllers.indices {
      stack.controllers[index].request.affectedStores =
        stack.controllers[index].request.affectedStores.map { stores in
          stores.filter { $0 != removed }.map(moved)
        }
    }
  }

  /// Removes a coordinator. Its contexts move to another coordinator.
  mutating func removeCoordinator(_ removed: CoordinatorID) {
    stack.coordinators.remove(at: removed.index)
    for index in stack.contexts.indices {
      guard case .coordinator(let old) = stack.contexts[index].parent else { continue }
      let new = old == removed ? 0 : old < removed ? old.index : old.index - 1
      stack.contexts[index].parent = .coordinator(CoordinatorID(new))
    }
  }

  /// Swaps two coordinators in the order of declaration, without an effect on the run.
  mutating func swapCoordinators(_ first: CoordinatorID, _ second: CoordinatorID) {
    stack.coordinators.swapAt(first.index, second.index)
    for index in stack.contexts.indices {
      if stack.contexts[index].parent == .coordinator(first) {
        stack.contexts[index].parent = .coordinator(second)
      } else if stack.contexts[index].parent == .coordinator(second) {
        stack.contexts[index].parent = .coordinator(first)
      }
    }
  }

  /// Removes an entry point, with every call of it.
  mutating func removeEntryPoint(_ removed: Int) {
    removeSteps { $0.step == .call(EntryPointID(removed)) }
    var mapping = StepMapping()
    mapping.entryPoint = { $0.index > removed ? EntryPointID($0.index - 1) : $0 }
    mapSteps { mapping($0) }
    stack.entryPoints.remove(at: removed)
  }

  /// Replaces calls with the steps of their entry points, without an effect on the run.
  mutating func inlineEntryPoints() {
    func inlined(_ step: AddressedStep) -> AddressedStep {
      if case .call(let id) = step.step {
        let block = stack.entryPoints[id.index].steps.map(inlined)
        return AddressedStep(step.context, .performAndWait(block))
      }
      guard let block = step.step.block else { return step }
      return AddressedStep(step.context, step.step.withBlock(block.map(inlined)))
    }
    for index in lines.indices { lines[index].step = inlined(lines[index].step) }
    for index in stack.observers.indices {
      stack.observers[index].steps = stack.observers[index].steps.map(inlined)
    }
    stack.entryPoints = []
  }

  /// Replaces every step that has no block.
  mutating func mapLeaves(_ change: (AddressedStep) -> AddressedStep) {
    mapSteps { $0.mapLeaves(change) }
  }
}

extension AddressedStep {
  fileprivate func mapLeaves(_ change: (AddressedStep) -> AddressedStep) -> AddressedStep {
    guard let block = step.block else { return change(self) }
    return AddressedStep(context, step.withBlock(block.map { $0.mapLeaves(change) }))
  }
}
