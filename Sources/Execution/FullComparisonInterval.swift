/// When to compare all instances and rows. After each action only what it touched is compared; a
/// full comparison finds what changed without being reported as touched. The more there is to
/// compare, the less often.
struct FullComparisonInterval {
  /// The least number of actions between two full comparisons.
  private let interval: Int
  private(set) var actionsSinceLast = 0
  /// The number of actions after which to count how much there is.
  private var actionsUntilCounting: Int

  init(_ interval: Int? = nil) {
    self.interval = interval ?? 64
    precondition(self.interval > 0, "a full comparison after every \(self.interval) actions")
    actionsUntilCounting = self.interval
  }

  mutating func noteFullComparison() {
    (actionsSinceLast, actionsUntilCounting) = (0, interval)
  }

  /// Notes an action; true if it is time to count what there is.
  mutating func noteAction() -> Bool {
    actionsSinceLast += 1
    return actionsSinceLast >= actionsUntilCounting
  }

  /// Whether there were so many actions since the last full comparison that another, of `count`
  /// instances and rows, adds little to each.
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
