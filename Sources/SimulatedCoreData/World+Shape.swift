import ObjectModel
import SimulatedDispatch
package import Vocabulary

/// What a world looks like from one of its contexts when names, values and numbers are left out.
extension World {
  /// The shape of the stack around `context`, in 29 bits, the same in every build: where the context
  /// stands, how much is unsaved in it and around it, whether it is behind what is stored, and how many
  /// lanes could go on. Costs a look at every registered instance.
  package func shape(around context: ContextID) -> UInt64 {
    var shape = Bits()
    shape.append(level(of: context), width: 2)
    shape.append(kind(of: context), width: 2)
    noteObjects(of: context, in: &shape)
    var above: ContextID? = contexts[context.index].parent
    let parent = above
    var (isParentDirty, isRestDirty) = (false, false)
    while let level = above {
      if hasChanges(level) {
        if level == parent { isParentDirty = true } else { isRestDirty = true }
      }
      above = contexts[level.index].parent
    }
    shape.append(isParentDirty ? 1 : 0, width: 1)
    shape.append(isRestDirty ? 1 : 0, width: 1)
    let isAnyoneDirty = contexts.contains { $0.id != context && hasChanges($0.id) }
    shape.append(isAnyoneDirty ? 1 : 0, width: 1)
    shape.append(min(dispatcher.runnableCount, 2), width: 2)
    shape.append(contexts[context.index].undoManager == nil ? 0 : 1, width: 1)
    return shape.value
  }

  /// 0 for a root, 3 for whatever is deeper than that.
  private func level(of context: ContextID) -> Int {
    var (level, above) = (0, contexts[context.index].parent)
    while let next = above, level < 3 {
      level += 1
      above = contexts[next.index].parent
    }
    return level
  }

  private func kind(of context: ContextID) -> Int {
    switch stack[context].concurrencyType {
    case .mainQueue: 0
    case .privateQueue: 1
    case .confinement: 2
    }
  }

  private func noteObjects(of context: ContextID, in shape: inout Bits) {
    var (inserted, updated, deleted, faults, count) = (0, 0, 0, 0, 0)
    var (isBehindStore, isCacheBehind) = (false, false)
    let coordinator = contexts[context.index].coordinator.index
    for slot in contexts[context.index].order {
      let flags = contexts[context.index].objects[slot].flags
      count += 1
      if flags.contains(.inserted) { inserted += 1 }
      if flags.contains(.updated) { updated += 1 }
      if flags.contains(.deleted) { deleted += 1 }
      if flags.contains(.fault) { faults += 1 }
      let row = row(of: contexts[context.index].objects[slot].id)
      guard let store = row.store else { continue }
      let stored = stores[store.index].version(of: row)
      let version = contexts[context.index].objects[slot].version
      if version > 0, version != stored { isBehindStore = true }
      let cached = coordinators[coordinator].cache[store.index].version(of: row)
      if cached > 0, cached != stored { isCacheBehind = true }
    }
    for number in [inserted, updated, deleted] { shape.append(min(number, 2), width: 2) }
    shape.append(count == 0 ? 0 : faults == 0 ? 1 : faults < count ? 2 : 3, width: 2)
    shape.append(isBehindStore ? 1 : 0, width: 1)
    shape.append(isCacheBehind ? 1 : 0, width: 1)
  }

  /// Small numbers side by side.
  private struct Bits {
    private(set) var value: UInt64 = 0

    mutating func append(_ number: Int, width: UInt64) {
      value = value << width | UInt64(number)
    }
  }
}
