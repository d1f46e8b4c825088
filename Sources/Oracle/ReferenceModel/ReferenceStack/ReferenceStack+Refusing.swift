import ObjectModel
import Vocabulary

/// Stores that refuse a write (SV-23).
extension ReferenceStack {
  /// Makes a store refuse a later write. §refuse-write
  mutating func refuseWrite(_ number: Int, of store: StoreID, in c: ContextID) {
    if isAttached(store, above: c) {
      precondition(number >= 1, "writes are counted from 1")
      stores[store.index].refusedWrite = number
    } else {
      events.append(.nothing)
    }
  }

  /// Requests the writes of a commit from its stores. Returns a failure, if any. §commit-writes
  mutating func writeFailure(of commit: Commit, in c: ContextID) -> Failure? {
    guard stores.contains(where: { $0.refusedWrite != nil }) else { return nil }
    var places: [StoreID?] = commit.inserted.map { store(of: $0, under: c) }
    places += (commit.written + commit.deleted).map { row($0).store }
    if !commit.isEmpty || !emptySaveLeavesMetadata {
      for (index, number) in coordinators[contexts[c.index].coordinator.index].pendingMetadata
        .enumerated() where number != nil
      {
        places.append(StoreID(index))
      }
    }
    return writeFailure(at: places)
  }

  /// Requests one write from each store among `places`. §ask-for-writes
  mutating func writeFailure(at places: [StoreID?]) -> Failure? {
    var failure: Failure?
    for index in stores.indices.reversed() where places.contains(StoreID(index)) {
      switch stores[index].refusedWrite {
      case nil: break
      case 1:
        stores[index].refusedWrite = nil
        failure = .refusedWrite(StoreID(index))
      case let number?: stores[index].refusedWrite = number - 1
      }
    }
    return failure
  }
}
