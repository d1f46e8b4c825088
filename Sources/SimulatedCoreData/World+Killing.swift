import SimulatedDispatch
import Vocabulary

/// The end of the app: whatever it was in the middle of, only what is on disk outlives it.
extension World {
  /// All lanes stop where they are, and the driver goes on in a new app. The clock goes on, too.
  mutating func abandonLanes() {
    dispatcher = Dispatcher(now: dispatcher.now)
    queues = Queues()
    makeQueues()
    assert(dispatcher.isIdle, "a lane survives the end of the app")
  }

  /// Contexts, row caches, controllers, flags and sets of IDs are as at the start; stores in memory
  /// are empty.
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
    flags = stack.flags.map { _ in false }
    idSets = stack.idSets.map { _ in [] }
    assert(
      contexts.allSatisfy { $0.registry.count == 0 }, "an instance survives the end of the app")
  }
}
