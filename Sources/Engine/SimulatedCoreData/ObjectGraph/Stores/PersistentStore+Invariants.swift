import ObjectModel

extension RowTable {
  /// Checks the rows of a store or a row cache. `index` is the number of the store.
  func checkInvariants(ofStore index: Int, _ broken: inout BrokenRules) {
    broken.require(ids.isStrictlyAscending, "the rows of store \(index) are not in ascending order")
    broken.require(
      ids.count == presentCount, "store \(index) lists \(ids.count) of \(presentCount) rows")
    for id in ids {
      guard let row = self[id] else {
        broken.require(false, "\(id) is listed and has no row")
        continue
      }
      broken.require(row.id == id, "the row of \(id) is called \(row.id)")
      broken.require(row.id.store?.index == index, "\(id) is in store \(index)")
      broken.require(row.version >= 1, "the row \(id) has version \(row.version)")
      broken.require(!isDestroyed(id), "the row \(id) outlives its store")
    }
  }
}

extension PersistentStoreCoordinator {
  /// Checks a coordinator. `userCounts` contains the number of instances of each row below the
  /// coordinator, indexed by store and key.
  func checkInvariants(userCounts: [[Int]], keepsRemoved: Bool, _ broken: inout BrokenRules) {
    broken.require(
      Set(stores.map(\.index)).count == stores.count, "a store is attached twice")
    broken.require(
      cache.count == pendingMetadata.count && cache.count == registrations.count,
      "a coordinator has tables for different numbers of stores")
    broken.require(unreferenced.isEmpty, "rows without instances wait to leave the row cache")
    for index in cache.indices {
      let isAttached = stores.contains(StoreID(index))
      cache[index].checkInvariants(ofStore: index, &broken)
      broken.require(
        isAttached || keepsRemoved || cache[index].ids.isEmpty,
        "rows of store \(index), which is not attached, are cached")
      broken.require(
        isAttached || pendingMetadata[index] == nil,
        "metadata waits for store \(index), which is not attached")
      checkRegistrations(ofStore: index, userCounts[index], &broken)
    }
  }

  private func checkRegistrations(
    ofStore index: Int, _ userCounts: [Int], _ broken: inout BrokenRules
  ) {
    for key in 0..<max(userCounts.count, registrations[index].count) {
      let counted = key < registrations[index].count ? registrations[index][key] : 0
      let users = key < userCounts.count ? userCounts[key] : 0
      broken.require(
        counted == users, "row \(key + 1) of store \(index) counts \(counted) of \(users) instances"
      )
    }
    for id in cache[index].ids {
      let key = id.number - 1
      broken.require(
        key < userCounts.count && userCounts[key] > 0, "\(id) is cached and has no instance")
    }
  }
}
