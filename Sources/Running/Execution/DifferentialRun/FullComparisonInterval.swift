/// Decides when to compare all instances and rows.
///
/// After each action, only touched objects are compared. A full comparison finds objects that
/// changed without being reported as touched. Full comparisons become rarer as the number of
/// instances and rows grows.
struct FullComparisonInterval {
  /// The minimum number of actions between two full comparisons.
  private let interval: Int
  private(set) var actionsSinceLast = 0
  /// The number of actions after which to count instances and rows.
  private var actionsUntilCounting: Int

  init(_ interval: Int? = nil) {
    self.interval = interval ?? 64
    precondition(self.interval > 0, "a full comparison after every \(self.interval) actions")
    actionsUntilCounting = self.interval
  }

  mutating func noteFullComparison() {
    (actionsSinceLast, actionsUntilCounting) = (0, interval)
  }

  /// Notes an action. Returns `true` if it is time to count instances and rows.
  mutating func noteAction() -> Bool {
    actionsSinceLast += 1
    return actionsSinceLast >= actionsUntilCounting
  }

  /// Returns a Boolean value that indicates whether enough actions share the cost of a full
  /// comparison of `count` instances and rows.
  mutating func isDue(comparing count: Int) -> Bool {
    precondition(count >= 0, "\(count) instances and rows")
    actionsUntilCounting = max(interval, interval / 16 * count)
    return actionsSinceLast >= actionsUntilCounting
  }

  func checkInvariants() {
    precondition(
      actionsSinceLast < actionsUntilCounting,
      "\(actionsSinceLast) actions without a full comparison, which was due at "
        + "\(actionsUntilCounting)")
  }
}
