import ObjectModel
import Vocabulary

/// Stores that cannot write, because the disk is full or broken (SV-18, SV-23).
extension ObjectGraph {
  /// Refuses a later write of a store. §refuse-write
  mutating func refuseWrite(_ number: Int, of store: StoreID, under context: ContextID) {
    guard isAttached(store, for: context) else { return result.events.append(.nothing) }
    precondition(number >= 1, "writes are counted from 1")
    refusals[store.index] = number
  }

  /// Requests a write from the stores of a root's commit. Fails if a store refuses. §commit-writes
  mutating func askToWrite(_ changes: Changes, in context: ContextID) throws(StepFailure) {
    // Usually no store is about to refuse a write.
    guard refusals.contains(where: { $0 != nil }) else { return }
    let asked = storesWritten(by: changes, in: context)
    guard let store = refusal(among: asked) else { return }
    marks.insert(.saveIsRefused)
    if bugs.contains(.refusedSaveForgetsChanges) {
      for change in changes.all where change.kind == .updated {
        contexts[context.index].becomeClean(change.slot, by: setting)
      }
    }
    if bugs.contains(.refusedSaveBumpsVersions) {
      for change in changes.all where change.kind == .updated {
        let id = row(of: contexts[context.index].id(of: change.slot))
        if let store = id.store { _ = stores[store.index].modify(id) { $0.version += 1 } }
      }
    }
    throw StepFailure(failure: .refusedWrite(store))
  }

  /// Requests a write from each store. Returns the first store that refuses, or `nil`.
  /// §ask-for-writes
  mutating func refusal(among asked: [StoreID]) -> StoreID? {
    var refusing: StoreID?
    for index in refusals.indices where asked.contains(StoreID(index)) {
      guard let number = refusals[index] else { continue }
      assert(number >= 1, "store \(index) refuses write \(number)")
      refusals[index] = number == 1 ? nil : number - 1
      if number == 1, refusing == nil { refusing = StoreID(index) }
    }
    return refusing
  }

  /// Returns the stores to write to, before any conflict is settled. §commit-writes.1
  private func storesWritten(by changes: Changes, in context: ContextID) -> [StoreID] {
    let c = context.index
    let metadata = coordinators[contexts[c].coordinator.index].pendingMetadata
    let hasMetadata = !changes.isEmpty || !quirks.contains(.emptySaveLeavesMetadata)
    let asked = changes.all.compactMap { change in
      let id = contexts[c].id(of: change.slot)
      return switch change.kind {
      case .inserted: store(of: id, for: context)
      case .updated: contexts[c].isWritten(change.slot, by: setting) ? row(of: id).store : nil
      case .deleted: row(of: id).store
      case nil: nil
      }
    }
    return asked + metadata.indices.filter { hasMetadata && metadata[$0] != nil }.map(StoreID.init)
  }
}
