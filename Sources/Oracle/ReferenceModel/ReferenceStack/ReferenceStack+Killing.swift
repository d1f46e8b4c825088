import Vocabulary

extension ReferenceStack {
  /// Kills the app and launches it again. Its memory is lost, and stores on disk remain. §kill
  mutating func kill() {
    contexts = ReferenceStack.contexts(of: stack)
    coordinators = ReferenceStack.coordinators(of: stack)
    rowCaches = stack.coordinators.map { _ in IDTable() }
    lists = stack.controllers.map { _ in ResultsList() }
    awaitedMerges = []
    notedIDs = [:]
    for index in stores.indices where stack.stores[index].isInMemory {
      stores[index].rows.removeAll()
      stores[index].metadata = 0
    }
    assert(contexts.allSatisfy(\.instances.isEmpty), "an instance survives the end of the app")
  }

  static func contexts(of stack: Stack) -> [Context] {
    var contexts = stack.contextIDs.map { Context($0, in: stack) }
    link(&contexts, of: stack)
    return contexts
  }

  /// Sets the children and relatives of contexts.
  static func link(_ contexts: inout [Context], of stack: Stack) {
    var members = Array(repeating: [ContextID](), count: stack.coordinators.count)
    for c in stack.contextIDs { members[stack.coordinator(of: c).index].append(c) }
    for index in contexts.indices {
      let c = ContextID(index)
      contexts[index].children = members[stack.coordinator(of: c).index].filter {
        stack.parent(of: $0) == c
      }
      contexts[index].relatives = members[stack.coordinator(of: c).index]
    }
  }

  static func coordinators(of stack: Stack) -> [Coordinator] {
    stack.coordinators.map {
      Coordinator(
        stores: $0.stores, pendingMetadata: Array(repeating: nil, count: stack.stores.count))
    }
  }
}
