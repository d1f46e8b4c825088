import Vocabulary

extension ReferenceStack {
  /// The app is killed and started again: its memory is gone, and disks are not.
  mutating func kill() {
    contexts = stack.contextIDs.map { Context($0, in: stack) }
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

  static func coordinators(of stack: Stack) -> [Coordinator] {
    stack.coordinators.map {
      Coordinator(
        stores: $0.stores, pendingMetadata: Array(repeating: nil, count: stack.stores.count))
    }
  }
}
