/// What code has done, in order: for closures that the compiler wants to be `Sendable`. Of all
/// pieces of code of a run, one runs.
final class EventLog: @unchecked Sendable {
  var events: [String] = []
  /// How many pieces of code are in the middle of `overlap`.
  private(set) var running = 0
  /// The greatest number of them.
  private(set) var mostRunning = 0

  func note(_ event: String) { events.append(event) }

  /// Notes the beginning and the end of `body`, for which others can look.
  func overlap(_ body: () -> Void) {
    running += 1
    mostRunning = max(mostRunning, running)
    body()
    running -= 1
  }
}
