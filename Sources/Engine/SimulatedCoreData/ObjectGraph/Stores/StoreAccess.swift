package import Vocabulary

/// The requests that an action made to stores, beyond the row cache.
package struct StoreAccess: Hashable, Sendable {
  package var reads = false
  package var writes = false
  /// The number of rows read and written. A row counts each time.
  package private(set) var rowCount = 0

  package var isNone: Bool { !reads && !writes }

  mutating func read(rows: Int) {
    assert(rows >= 0, "\(rows) rows are read")
    reads = true
    rowCount += rows
  }

  mutating func write(rows: Int) {
    assert(rows >= 0, "\(rows) rows are written")
    writes = true
    rowCount += rows
  }

  /// The virtual time that the requests take, in milliseconds. Requests of one kind count once.
  /// §access-time
  package func duration(by timing: Stack.Timing) -> Int {
    (reads ? timing.read : 0) + (writes ? timing.write : 0) + rowCount * timing.row
  }
}
