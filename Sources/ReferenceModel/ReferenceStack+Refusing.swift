import ObjectModel
import Vocabulary

/// Stores that cannot write (SV-23).
extension ReferenceStack {
  mutating func refuseWrite(_ number: Int, of store: StoreID, in c: ContextID) {
    if isAttached(store, above: c) {
      precondition(number >= 1, "writes are counted from 1")
      stores[store.index].refusedWrite = number
    } else {
      events.append(.nothing)
    }
  }

  /// What a root's save is told by the stores that it has something for.
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

  /// One write for each store among `places`.
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
