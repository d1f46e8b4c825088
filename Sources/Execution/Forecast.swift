/// How many turns the rest of a program will take, from what its steps have taken so far.
struct Forecast {
  var turnCount = 0
  /// The maximum number of steps that the program still has.
  var stepsToCome = 0
  private var stepCount = 0
  /// What steps cost that have not been seen: a few count as if they had.
  private static let (assumedSteps, assumedTurns) = (4, 16)

  mutating func noteStep() {
    stepCount += 1
    if stepsToCome > 0 { stepsToCome -= 1 }
  }

  var turnsToCome: Int {
    stepsToCome * (turnCount + Forecast.assumedTurns) / (stepCount + Forecast.assumedSteps)
  }
}
