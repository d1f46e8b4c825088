import Vocabulary

/// Which requests an action made to a store, past the row cache.
package struct StoreAccess: Hashable, Sendable {
  package var reads = false
  package var writes = false

  package var isNone: Bool { !reads && !writes }

  /// In milliseconds of virtual time. However many rows it is about, an action makes one request.
  func duration(by timing: Stack.Timing) -> Int {
    (reads ? timing.read : 0) + (writes ? timing.write : 0)
  }
}
