import ObjectModel
import Vocabulary

/// The memory of a finished stack, reused by the next stack. No state passes between the stacks.
/// Some new lists take the memory of old lists, which are emptied first.
package struct ReferenceStorage {
  private var contexts: [Context] = []
  private var stores: [Store] = []
  private var caches: [IDTable<Row>] = []
  private var births: [Birth] = []
  private var events: [Event] = []

  package init() {}

  /// Takes the lists of a stack that is no longer used.
  package mutating func take(from stack: inout ReferenceStack) {
    while let context = stack.contexts.popLast() { contexts.append(context) }
    while let store = stack.stores.popLast() { stores.append(store) }
    while let cache = stack.rowCaches.popLast() { caches.append(cache) }
    births.takeStorage(of: &stack.births)
    events.takeStorage(of: &stack.events)
  }

  /// Gives the memory to a new stack.
  mutating func give(to stack: inout ReferenceStack) {
    for index in stack.contexts.indices {
      guard var old = contexts.popLast() else { break }
      stack.contexts[index].takeStorage(of: &old)
    }
    for index in stack.stores.indices {
      guard var old = stores.popLast() else { break }
      stack.stores[index].rows.takeStorage(of: &old.rows)
      stack.stores[index].temporaryIDs.takeStorage(of: &old.temporaryIDs)
    }
    for index in stack.rowCaches.indices {
      guard var old = caches.popLast() else { break }
      stack.rowCaches[index].takeStorage(of: &old)
    }
    stack.births.takeStorage(of: &births)
    stack.events.takeStorage(of: &events)
    // Discard the lists that the last stack had and the new one does not need.
    contexts.removeAll(keepingCapacity: true)
    stores.removeAll(keepingCapacity: true)
    caches.removeAll(keepingCapacity: true)
  }
}

extension Context {
  fileprivate mutating func takeStorage(of old: inout Context) {
    instances.takeStorage(of: &old.instances)
    bindings.takeStorage(of: &old.bindings)
    lists.changing.takeStorage(of: &old.lists.changing)
    lists.pending.takeStorage(of: &old.lists.pending)
    lists.loose.takeStorage(of: &old.lists.loose)
  }
}
