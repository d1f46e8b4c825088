import Vocabulary

extension ReferenceStack {
  /// The app is killed and started again: its memory is gone, and disks are not.
  mutating func kill() {
    contexts = ReferenceStack.contexts(of: stack)
    coordinators = ReferenceStack.coordinators(of: stack)
    rowCaches = stack.coordinators.map { _ in IDTable() }
    lists = stack.controllers.map { _ in ResultsList() }
    awaitedMerges = []
    for index in stores.indices where stack.stores[index].isInMemory {
      stores[index].rows.removeAll()
      stores[index].metadata = 0
    }
    assert(contexts.allSatisfy(\.instances.isEmpty), "an instance survives the end of the app")
  }

  static func contexts(of stack: Stack) -> [Context] {
    var contexts: [Context] = []
    contexts.reserveCapacity(stack.contexts.count)
    while contexts.count < stack.contexts.count { add(to: &contexts, from: stack) }
    return contexts
  }

  /// Adds the next context of `stack`, as a child and a relative of others.
  static func add(to contexts: inout [Context], from stack: Stack) {
    let added = ContextID(contexts.count)
    contexts.append(Context(added, in: stack))
    let coordinator = contexts[added.index].coordinator
    if let parent = contexts[added.index].parent { contexts[parent.index].children.append(added) }
    for other in contexts.indices where contexts[other].coordinator == coordinator {
      if other != added.index { contexts[added.index].relatives.append(ContextID(other)) }
      contexts[other].relatives.append(added)
    }
  }

  static func coordinators(of stack: Stack) -> [Coordinator] {
    stack.coordinators.map {
      Coordinator(
        stores: $0.stores, pendingMetadata: Array(repeating: nil, count: stack.stores.count))
    }
  }
}
