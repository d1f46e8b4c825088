/// Passes on values in the order of their places, although threads supply them in another order.
final class InOrder<Value: Sendable>: Sendable {
  private struct State {
    var next = 0
    var waiting: [Int: Value] = [:]
  }

  private let state = Locked(State())
  private let receive: @Sendable (Value) -> Void

  /// Creates a queue that calls `receive` for one value at a time.
  init(_ receive: @escaping @Sendable (Value) -> Void) { self.receive = receive }

  func note(_ value: Value, at place: Int) {
    state.withLock { state in
      state.waiting[place] = value
      while let value = state.waiting.removeValue(forKey: state.next) {
        receive(value)
        state.next += 1
      }
    }
  }
}
