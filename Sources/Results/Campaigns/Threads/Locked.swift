import Foundation

/// A value that only one thread at a time can use.
///
/// `Synchronization.Mutex` requires macOS 15 and iOS 18, which are later than the library's minimum
/// versions.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: sending Value) { self.value = value }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
