/// A log of events for closures that must be `Sendable`. It needs no lock, because only one piece
/// of a run's code runs at a time.
final class EventLog: @unchecked Sendable {
  var events: [String] = []
  /// The number of pieces of code in the middle of `overlap`.
  private(set) var running = 0
  /// The greatest number of pieces that were in `overlap` at the same time.
  private(set) var mostRunning = 0

  func note(_ event: String) { events.append(event) }

  /// Calls `body`, and counts it as running until it returns.
  func overlap(_ body: () -> Void) {
    running += 1
    mostRunning = max(mostRunning, running)
    body()
    running -= 1
  }
}
