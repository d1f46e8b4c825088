package import Vocabulary

/// Which requests an action made to a store, past the row cache.
package struct StoreAccess: Hashable, Sendable {
  package var reads = false
  package var writes = false
  /// The rows that were read and written, each as often as it was.
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

  /// In milliseconds of virtual time. However often an action asks, it is one request of its kind.
  package func duration(by timing: Stack.Timing) -> Int {
    (reads ? timing.read : 0) + (writes ? timing.write : 0) + rowCount * timing.row
  }
}
