/// How many turns lanes may still take: observers that set each other off would go on without end.
///
/// Lanes that came to rest start anew with the next step. While they do not, a step adds a part
/// only: reactions that outlive every step use up what there is, and the whole run is bounded by
/// the number of its steps, not by what the reactions enqueue.
struct TurnAllowance {
  private(set) var left = TurnAllowance.turnLimit
  /// Since lanes were last at rest.
  private(set) var taken = 0
  /// Steps that were submitted, those in blocks included.
  private var stepCount = 0
  /// Steps in blocks that were submitted since no block was enqueued.
  private var innerStepCount = 0

  /// For what a step sets off at once, and for every block that is enqueued by then.
  private static let turnLimit = 2_000
  private static let turnsOfABlock = 200
  /// What a step adds while earlier ones still set something off.
  private static let turnsOfAStep = 500
  /// What each step in a block keeps until the block runs.
  private static let turnsKeptForAStep = 10
  /// A turn with many events counts as several: so many events are one.
  static let eventsOfATurn = 100

  var isUsedUp: Bool { left == 0 }

  /// A step is submitted, with so many steps in its blocks, while `blockCount` blocks are enqueued.
  mutating func beginStep(innerStepCount: Int, blockCount: Int, isAtRest: Bool) {
    precondition(innerStepCount >= 0, "a step has \(innerStepCount) inner steps")
    stepCount += 1 + innerStepCount
    let limit = limit(blockCount: blockCount) + TurnAllowance.turnsOfABlock * innerStepCount
    self.innerStepCount = innerStepCount + (blockCount == 0 ? 0 : self.innerStepCount)
    // A long block may still stand in line: a short step takes nothing from it.
    let kept = min(left, TurnAllowance.turnsKeptForAStep * self.innerStepCount)
    if isAtRest {
      left = max(limit, kept)
      taken = 0
    } else {
      let gain = TurnAllowance.turnsOfAStep + TurnAllowance.turnsOfABlock * innerStepCount
      left = max(min(limit, left + gain), kept)
    }
  }

  /// The program has no more steps.
  mutating func beginEnd(blockCount: Int) { left = max(left, limit(blockCount: blockCount)) }

  /// Code asks for something. Its own loops are its own: only what goes on without it is counted.
  mutating func beginRequest(blockCount: Int) {
    stepCount += 1
    left = max(left, limit(blockCount: blockCount))
    taken = 0
  }

  /// Blocks count as long as they may be the program's own.
  private func limit(blockCount: Int) -> Int {
    precondition(blockCount >= 0, "\(blockCount) blocks are enqueued")
    return TurnAllowance.turnLimit + TurnAllowance.turnsOfABlock * min(blockCount, stepCount)
  }

  /// False if this turn is one too many.
  mutating func takeTurn() -> Bool {
    precondition(left > 0, "a turn is taken after the last")
    left -= 1
    taken += 1
    return left > 0
  }

  /// So many turns are taken together; false, and none is taken, if they are too many.
  mutating func takeTurns(_ count: Int) -> Bool {
    guard left > count else { return false }
    left -= count
    taken += count
    return true
  }

  /// The last turn had so many events in a context of so many instances: an event for each is no
  /// sign of a reaction. Never uses the allowance up: that is for turns to do.
  mutating func charge(eventCount: Int, instanceCount: Int) {
    left = max(1, left - eventCount / max(TurnAllowance.eventsOfATurn, instanceCount))
  }

  func checkInvariants() {
    precondition(left >= 0, "\(left) turns are left")
    precondition(taken >= 0, "\(taken) turns were taken")
  }
}
