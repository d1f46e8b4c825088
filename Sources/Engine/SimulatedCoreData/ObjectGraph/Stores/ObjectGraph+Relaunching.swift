import Vocabulary

/// The end of the app. Only stored rows survive.
extension ObjectGraph {
  /// Kills the app. Resets contexts, row caches, controllers and ID sets, and empties stores in
  /// memory. §kill
  mutating func relaunch() {
    for index in stack.stores.indices where stack.stores[index].isInMemory {
      stores[index].removeAll()
      metadata[index] = 0
    }
    if bugs.contains(.killLosesRows) {
      for index in stores.indices {
        if let last = stores[index].ids.last { stores[index][last] = nil }
      }
    }
    coordinators = stack.coordinators.map {
      PersistentStoreCoordinator(stores: $0.stores, storeCount: stack.stores.count)
    }
    contexts = stack.contextIDs.map { ManagedObjectContext($0, in: stack) }
    controllers = stack.controllers.map { _ in ResultsController() }
    idSets = stack.idSets.map { _ in [] }
    assert(
      contexts.allSatisfy { $0.registry.count == 0 }, "an instance survives the end of the app")
  }
}
