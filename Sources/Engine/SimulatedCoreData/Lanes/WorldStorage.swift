import ObjectModel
import Vocabulary

/// The memory of a finished world, reused by the next world. A short run mostly allocates lists,
/// whose sizes are similar from run to run.
///
/// No state passes from one world to the next. All values are created again. Then some lists take
/// over the memory of old lists, which are emptied first.
package struct WorldStorage {
  private var contexts: [ManagedObjectContext] = []
  private var tables: [RowTable] = []
  private var caches: [RowTable] = []
  private var identities: [ObjectGraph.Identity] = []
  private var events: [Event] = []

  package init() {}

  /// Takes the lists of a world that is no longer used.
  package mutating func take(from world: inout World) {
    while let context = world.graph.contexts.popLast() { contexts.append(context) }
    while let table = world.graph.stores.popLast() { tables.append(table) }
    for index in world.graph.coordinators.indices {
      while let table = world.graph.coordinators[index].cache.popLast() { caches.append(table) }
    }
    identities.takeStorage(of: &world.graph.identities)
    events.takeStorage(of: &world.graph.result.events)
  }

  /// Moves the memory into a new world.
  mutating func give(to graph: inout ObjectGraph) {
    for index in graph.contexts.indices {
      guard var old = contexts.popLast() else { break }
      graph.contexts[index].takeStorage(of: &old)
    }
    for index in graph.stores.indices {
      guard var old = tables.popLast() else { break }
      graph.stores[index].takeStorage(of: &old)
    }
    for index in graph.coordinators.indices {
      for store in graph.coordinators[index].cache.indices {
        guard var old = caches.popLast() else { break }
        graph.coordinators[index].cache[store].takeStorage(of: &old)
      }
    }
    graph.identities.takeStorage(of: &identities)
    graph.result.events.takeStorage(of: &events)
    // Drop lists for which the new world has no use.
    contexts.removeAll(keepingCapacity: true)
    tables.removeAll(keepingCapacity: true)
    caches.removeAll(keepingCapacity: true)
  }
}

extension ManagedObjectContext {
  fileprivate mutating func takeStorage(of old: inout ManagedObjectContext) {
    objects.takeStorage(of: &old.objects)
    takeLists(of: &old)
  }
}
