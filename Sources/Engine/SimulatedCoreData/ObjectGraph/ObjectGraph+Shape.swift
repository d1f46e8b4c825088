import ObjectModel
import Vocabulary

/// The abstract state of a graph around one of its contexts, without names, values and numbers.
extension ObjectGraph {
  /// Returns the abstract state of `context`, in 9 bits.
  ///
  /// The bits encode the context's level, and whether it has inserted, updated or deleted objects
  /// or faults. They also encode whether an object or the row cache differs from the store, and
  /// whether an ancestor has changes.
  func shape(around context: ContextID) -> UInt64 {
    var shape = Bits()
    shape.append(level(of: context), width: 2)
    noteObjects(of: context, in: &shape)
    var above = contexts[context.index].parent
    while let level = above, !hasChanges(level) { above = contexts[level.index].parent }
    shape.append(above == nil ? 0 : 1, width: 1)
    return shape.value
  }

  /// Returns 0 for a root, 1 for a child of a root, and 2 for deeper contexts.
  private func level(of context: ContextID) -> Int {
    guard let parent = contexts[context.index].parent else { return 0 }
    return contexts[parent.index].isRoot ? 1 : 2
  }

  private func noteObjects(of context: ContextID, in shape: inout Bits) {
    var flags = ManagedObject.Flags()
    var (isBehindStore, isCacheBehind) = (false, false)
    let coordinator = contexts[context.index].coordinator.index
    for slot in contexts[context.index].objects.indices {
      guard let instance = contexts[context.index].objects.glance(at: slot) else { continue }
      flags.formUnion(instance.flags)
      // A row cache behind the store outranks a context behind the store.
      if isCacheBehind { continue }
      let row = row(of: instance.id)
      guard let store = row.store else { continue }
      let stored = stores[store.index].version(of: row)
      if instance.version > 0, instance.version != stored { isBehindStore = true }
      let cached = coordinators[coordinator].cache[store.index].version(of: row)
      if cached > 0, cached != stored { isCacheBehind = true }
    }
    for flag in [ManagedObject.Flags.inserted, .updated, .deleted, .fault] {
      shape.append(flags.contains(flag) ? 1 : 0, width: 1)
    }
    shape.append(isCacheBehind ? 2 : isBehindStore ? 1 : 0, width: 2)
  }

  /// Concatenated small numbers.
  private struct Bits {
    private(set) var value: UInt64 = 0

    mutating func append(_ number: Int, width: UInt64) {
      value = value << width | UInt64(number)
    }
  }
}
