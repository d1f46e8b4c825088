import Execution
import Vocabulary

/// Passes that restore usual settings and rearrange contexts.
extension ProgramShrinker {
  mutating func simplifySettings() {
    // Try all settings at once, because most of them do not affect the failure.
    attempt { draft in
      for index in draft.stack.contexts.indices { draft.stack.contexts[index].simplify() }
      draft.stack.timing = Stack.Timing()
      draft.stack.observers = []
      for index in draft.stack.controllers.indices.reversed() { draft.removeController(index) }
    }
    attempt { draft in
      for index in draft.stack.contexts.indices { draft.stack.contexts[index].simplify() }
    }
    for index in best.program.stack.contexts.indices where !shouldYield {
      guard best.program.stack.contexts[index].unusualSettingCount > 0 else { continue }
      attempt { $0.stack.contexts[index].mergePolicy = .error }
      for (setting, usual) in Stack.Context.settings {
        attempt { $0.stack.contexts[index][keyPath: setting] = usual }
      }
      for policy in MergePolicy.allCases where isStackGenerated {
        attempt { $0.stack.contexts[index].mergePolicy = policy }
      }
    }
    attempt { $0.stack.timing = Stack.Timing() }
    for index in best.program.stack.stores.indices where !shouldYield {
      attempt { $0.stack.stores[index].isInMemory = false }
      attempt { $0.stack.stores[index].entities = nil }
    }
    guard isStackGenerated else { return }
    for index in best.program.stack.contexts.indices where !shouldYield {
      for type in [Stack.ConcurrencyType.privateQueue, .mainQueue] {
        attempt {
          $0.stack.contexts[index].concurrencyType = type
          $0.stack.contexts[index].thread = nil
        }
      }
    }
    for index in best.program.stack.observers.indices where !shouldYield { simplifyObserver(index) }
  }

  /// Makes an observer wait for a more common notification, which the program posts already or
  /// which a save in place of a step posts.
  private mutating func simplifyObserver(_ index: Int) {
    let observer = best.program.stack.observers[index]
    let simpler = Stack.NotificationName.simplestFirst.prefix { $0 != observer.notification }
    for notification in simpler {
      if attempt({ $0.stack.observers[index].notification = notification }) { return }
      let save = AddressedStep(observer.context, .save)
      for path in ProgramEdit(best).paths
      where ProgramEdit(best)[path].step.block == nil && !shouldYield {
        let isSimpler = attempt {
          $0.stack.observers[index].notification = notification
          $0.replace(path, with: [save])
        }
        if isSimpler { return }
      }
    }
  }

  /// Moves a context to another parent, a context or a coordinator (A5).
  mutating func reparentContexts() {
    guard isStackGenerated else { return }
    for (context, parent) in reparentings where !shouldYield {
      attempt { $0.reparent(context, to: parent) }
    }
  }

  private var reparentings: [(context: ContextID, parent: Stack.Parent)] {
    let stack = best.program.stack
    let coordinators = stack.coordinators.indices.map { Stack.Parent.coordinator(.init($0)) }
    return stack.contextIDs.flatMap { context in
      (coordinators + stack.contextIDs.map { .context($0) })
        .filter { parent in
          if case .context(let above) = parent, stack.chain(from: above).contains(context) {
            return false
          }
          return parent != stack[context].parent
        }
        .map { (context, $0) }
    }
  }

  /// Swaps contexts, and coordinators, in the order of declaration.
  mutating func rearrangeContexts() {
    if isStackGenerated { rearrangeCoordinators() }
    let count = best.program.stack.contexts.count
    for first in 0..<count {
      for second in (first + 1)..<max(count, first + 1) where !shouldYield {
        attempt { draft in
          var order = draft.stack.contextIDs
          order.swapAt(first, second)
          draft.arrangeContexts(order)
        }
      }
    }
  }
}

extension ProgramShrinker {
  private mutating func rearrangeCoordinators() {
    let count = best.program.stack.coordinators.count
    for first in 0..<count {
      for second in (first + 1)..<max(count, first + 1) where !shouldYield {
        attempt { $0.swapCoordinators(CoordinatorID(first), CoordinatorID(second)) }
      }
    }
  }

  /// Exchanges the steps of two contexts from some step on, together with their settings. Programs
  /// that differ only by the roles of two contexts thus shrink to the same program.
  mutating func swapRoles() {
    guard isStackGenerated else { return }
    let count = best.program.stack.contexts.count
    for first in 0..<count {
      for second in (first + 1)..<max(count, first + 1) {
        for start in best.program.steps.indices.reversed() where !shouldYield {
          attempt { $0.swapRoles(ContextID(first), ContextID(second), from: start) }
        }
      }
    }
  }
}

extension ProgramEdit {
  fileprivate mutating func swapRoles(_ a: ContextID, _ b: ContextID, from start: Int) {
    for index in lines.indices.dropFirst(start) {
      lines[index].step = lines[index].step.mapContexts { $0 == a ? b : $0 == b ? a : $0 }
    }
    let (old, new) = (stack[a], stack[b])
    stack.contexts[a.index].mergePolicy = new.mergePolicy
    stack.contexts[b.index].mergePolicy = old.mergePolicy
    for (setting, _) in Stack.Context.settings {
      stack.contexts[a.index][keyPath: setting] = new[keyPath: setting]
      stack.contexts[b.index][keyPath: setting] = old[keyPath: setting]
    }
  }

  fileprivate mutating func reparent(_ context: ContextID, to parent: Stack.Parent) {
    stack.contexts[context.index].parent = parent
    arrangeContexts(stack.contextIDs)
  }
}

extension Stack.Context {
  fileprivate mutating func simplify() {
    mergePolicy = .error
    for (setting, usual) in Stack.Context.settings { self[keyPath: setting] = usual }
  }
}
