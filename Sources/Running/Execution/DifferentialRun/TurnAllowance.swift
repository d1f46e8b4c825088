/// The number of turns that lanes may still take, which stops observers that set each other off
/// endlessly.
///
/// Once lanes have come to rest, the next step restores the full allowance. Until then, each step
/// adds only a part of it, so reactions that outlive every step use the allowance up. The turns of
/// a run are bounded by its number of steps, not by the blocks that reactions enqueue.
struct TurnAllowance {
  private(set) var left = TurnAllowance.turnLimit
  /// The number of turns taken since lanes were last at rest.
  private(set) var taken = 0
  /// The number of submitted steps, including steps in blocks.
  private var stepCount = 0
  /// The number of steps in blocks that were submitted since no block was enqueued.
  private var innerStepCount = 0

  /// The turns for the immediate effects of a step. Each enqueued block adds `turnsOfABlock`.
  private static let turnLimit = 2_000
  private static let turnsOfABlock = 200
  /// The turns that a step adds while earlier steps still have effects.
  private static let turnsOfAStep = 500
  /// The turns that each step in a block keeps until the block runs.
  private static let turnsKeptForAStep = 10
  /// The number of events that counts as one turn.
  static let eventsOfATurn = 100

  var isUsedUp: Bool { left == 0 }

  /// Adds the turns of a step that is submitted while `blockCount` blocks are enqueued.
  mutating func beginStep(innerStepCount: Int, blockCount: Int, isAtRest: Bool) {
    precondition(innerStepCount >= 0, "a step has \(innerStepCount) inner steps")
    stepCount += 1 + innerStepCount
    let limit = limit(blockCount: blockCount) + TurnAllowance.turnsOfABlock * innerStepCount
    self.innerStepCount = innerStepCount + (blockCount == 0 ? 0 : self.innerStepCount)
    // A long block may still stand in line. A short step must not reduce its turns.
    let kept = min(left, TurnAllowance.turnsKeptForAStep * self.innerStepCount)
    if isAtRest {
      left = max(limit, kept)
      taken = 0
    } else {
      let gain = TurnAllowance.turnsOfAStep + TurnAllowance.turnsOfABlock * innerStepCount
      left = max(min(limit, left + gain), kept)
    }
  }

  /// Restores the allowance after the last step of the program.
  mutating func beginEnd(blockCount: Int) { left = max(left, limit(blockCount: blockCount)) }

  /// Restores the allowance when code requests an action. Loops of the code itself are not limited.
  mutating func beginRequest(blockCount: Int) {
    stepCount += 1
    left = max(left, limit(blockCount: blockCount))
    taken = 0
  }

  /// Counts a block only as long as the program itself may have enqueued it.
  private func limit(blockCount: Int) -> Int {
    precondition(blockCount >= 0, "\(blockCount) blocks are enqueued")
    return TurnAllowance.turnLimit + TurnAllowance.turnsOfABlock * min(blockCount, stepCount)
  }

  /// Takes a turn. Returns `false` if that turn is one too many.
  mutating func takeTurn() -> Bool {
    precondition(left > 0, "a turn is taken after the last")
    left -= 1
    taken += 1
    return left > 0
  }

  /// Takes several turns together. Returns `false`, and takes none, if they are too many.
  mutating func takeTurns(_ count: Int) -> Bool {
    guard left > count else { return false }
    left -= count
    taken += count
    return true
  }

  /// Charges the events of the last turn. One event for each of the context's instances is no sign
  /// of an endless reaction. A charge never uses the allowance up.
  mutating func charge(eventCount: Int, instanceCount: Int) {
    left = max(1, left - eventCount / max(TurnAllowance.eventsOfATurn, instanceCount))
  }

  func checkInvariants() {
    precondition(left >= 0, "\(left) turns are left")
    precondition(taken >= 0, "\(taken) turns were taken")
  }
}
