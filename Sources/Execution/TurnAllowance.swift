/// How many turns lanes may take until the next step: observers that set each other off would go on
/// without end.
struct TurnAllowance {
  private(set) var left = TurnAllowance.turnLimit
  private(set) var taken = 0

  /// For what a step sets off at once, and for every block that is enqueued by then.
  private static let turnLimit = 2_000
  private static let turnsOfABlock = 200
  /// A turn with many events counts as several: so many events are one.
  private static let eventsOfATurn = 100

  var isUsedUp: Bool { left == 0 }

  /// Starts anew, for a step or for the end of the program.
  mutating func renew(blockCount: Int) {
    precondition(blockCount >= 0, "\(blockCount) blocks are enqueued")
    left = TurnAllowance.turnLimit + TurnAllowance.turnsOfABlock * blockCount
    taken = 0
  }

  /// False if this turn is one too many.
  mutating func takeTurn() -> Bool {
    precondition(left > 0, "a turn is taken after the last")
    left -= 1
    taken += 1
    return left > 0
  }

  /// The last turn had so many events. Never uses the allowance up: that is for turns to do.
  mutating func charge(eventCount: Int) {
    left = max(1, left - eventCount / TurnAllowance.eventsOfATurn)
  }

  func checkInvariants() {
    precondition(left >= 0, "\(left) turns are left")
    precondition(taken >= 0, "\(taken) turns were taken")
  }
}
