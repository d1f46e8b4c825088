import Vocabulary

/// Changes that make a program smaller, or ready to be.
extension Program {
  /// Names that steps use although no step inserts an object under them.
  var strayNames: [ObjectName] {
    var (used, inserted): ([ObjectName], [ObjectName]) = ([], [])
    func visit(_ step: AddressedStep) {
      if case .insert(_, as: let name) = step.step { inserted.append(name) }
      for inner in step.step.block ?? [] { visit(inner) }
    }
    for step in steps {
      step.visitNames { if !used.contains($0) { used.append($0) } }
      visit(step)
    }
    return used.filter { !inserted.contains($0) }
  }

  mutating func removeControllers() {
    stack.controllers = []
    steps = steps.compactMap { step in
      step.without { if case .performFetch = $0 { true } else { false } }
    }
  }

  /// Takes a context out; steps for it go, references to it make their steps go.
  mutating func removeContext(_ removed: ContextID) {
    let parent = stack[removed].parent
    for index in stack.contexts.indices where stack.contexts[index].parent == .context(removed) {
      stack.contexts[index].parent = parent
    }
    stack.observers.removeAll { observer in
      observer.context == removed || observer.steps.contains { $0.mentions(removed) }
    }
    for index in stack.entryPoints.indices {
      stack.entryPoints[index].steps.removeAll { $0.mentions(removed) }
    }
    steps.removeAll { $0.mentions(removed) }
    if stack.controllers.contains(where: { $0.context == removed }) { removeControllers() }
    func moved(_ context: ContextID) -> ContextID {
      context < removed ? context : ContextID(context.index - 1)
    }
    stack.contexts.remove(at: removed.index)
    for index in stack.contexts.indices {
      if case .context(let parent) = stack.contexts[index].parent {
        stack.contexts[index].parent = .context(moved(parent))
      }
    }
    for index in stack.controllers.indices {
      stack.controllers[index].context = moved(stack.controllers[index].context)
    }
    for index in stack.observers.indices {
      stack.observers[index].context = moved(stack.observers[index].context)
      stack.observers[index].steps = stack.observers[index].steps.map { $0.mapContexts(moved) }
    }
    for index in stack.entryPoints.indices {
      stack.entryPoints[index].steps = stack.entryPoints[index].steps.map { $0.mapContexts(moved) }
    }
    steps = steps.map { $0.mapContexts(moved) }
  }

  /// Puts the steps of entry points where they are called, which changes nothing.
  mutating func inlineEntryPoints() {
    func inlined(_ steps: [AddressedStep]) -> [AddressedStep] {
      steps.map { addressed in
        if case .call(let id) = addressed.step {
          let block = inlined(stack.entryPoints[id.index].steps)
          return AddressedStep(addressed.context, .performAndWait(block))
        }
        guard let block = addressed.step.block else { return addressed }
        return AddressedStep(addressed.context, addressed.step.withBlock(inlined(block)))
      }
    }
    steps = inlined(steps)
    for index in stack.observers.indices {
      stack.observers[index].steps = inlined(stack.observers[index].steps)
    }
    stack.entryPoints = []
  }

  /// Takes out the queues of the app that no step and no context mentions.
  mutating func removeUnusedQueues() {
    var used = stack.contexts.compactMap(\.thread)
    func visit(_ step: AddressedStep) {
      switch step.step {
      case .async(let queue, _), .sync(let queue, _), .suspend(let queue?), .resume(let queue?):
        used.append(queue)
      default: break
      }
      for inner in step.step.block ?? [] { visit(inner) }
    }
    for step in steps + stack.observers.flatMap(\.steps) + stack.entryPoints.flatMap(\.steps) {
      visit(step)
    }
    let kept = stack.queues.indices.map { AppQueueID($0) }.filter(used.contains)
    func moved(_ queue: AppQueueID) -> AppQueueID {
      AppQueueID(kept.firstIndex(of: queue) ?? queue.index)
    }
    func moved(_ steps: [AddressedStep]) -> [AddressedStep] { steps.map { $0.mapQueues(moved) } }
    stack.queues = kept.map { stack.queues[$0.index] }
    for index in stack.contexts.indices {
      stack.contexts[index].thread = stack.contexts[index].thread.map(moved)
    }
    for index in stack.observers.indices {
      stack.observers[index].steps = moved(stack.observers[index].steps)
    }
    for index in stack.entryPoints.indices {
      stack.entryPoints[index].steps = moved(stack.entryPoints[index].steps)
    }
    steps = moved(steps)
  }
}
