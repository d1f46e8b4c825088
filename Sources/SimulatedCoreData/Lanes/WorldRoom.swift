import ObjectModel
import Vocabulary

/// The memory of a world that has come to its end, for the next one: most of what a short run asks
/// the system for is lists of the same sizes, one run after the other.
///
/// No state passes from one world to the next. Everything is made anew, and of what is made some
/// lists take over the memory of old ones, which are emptied then.
package struct WorldRoom {
  private var contexts: [ManagedObjectContext] = []
  private var tables: [RowTable] = []
  private var caches: [RowTable] = []
  private var identities: [ObjectGraph.Identity] = []
  private var events: [Event] = []

  package init() {}

  /// Takes the lists of a world that nothing will look at any more.
  package mutating func take(from world: inout World) {
    while let context = world.graph.contexts.popLast() { contexts.append(context) }
    while let table = world.graph.stores.popLast() { tables.append(table) }
    for index in world.graph.coordinators.indices {
      while let table = world.graph.coordinators[index].cache.popLast() { caches.append(table) }
    }
    identities.takeRoom(of: &world.graph.identities)
    events.takeRoom(of: &world.graph.result.events)
  }

  /// Has a new world use them.
  mutating func give(to graph: inout ObjectGraph) {
    for index in graph.contexts.indices {
      guard var old = contexts.popLast() else { break }
      graph.contexts[index].takeRoom(of: &old)
    }
    for index in graph.stores.indices {
      guard var old = tables.popLast() else { break }
      graph.stores[index].takeRoom(of: &old)
    }
    for index in graph.coordinators.indices {
      for store in graph.coordinators[index].cache.indices {
        guard var old = caches.popLast() else { break }
        graph.coordinators[index].cache[store].takeRoom(of: &old)
      }
    }
    graph.identities.takeRoom(of: &identities)
    graph.result.events.takeRoom(of: &events)
    // What the last world had more of.
    contexts.removeAll(keepingCapacity: true)
    tables.removeAll(keepingCapacity: true)
    caches.removeAll(keepingCapacity: true)
  }
}

extension ManagedObjectContext {
  fileprivate mutating func takeRoom(of old: inout ManagedObjectContext) {
    objects.takeRoom(of: &old.objects)
    takeLists(of: &old)
  }
}
