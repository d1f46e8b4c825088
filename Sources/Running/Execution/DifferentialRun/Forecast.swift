/// Estimates the turns that the rest of a program will take, from the turns of its steps so far.
struct Forecast {
  var turnCount = 0
  /// The maximum number of steps that the program still has.
  var stepsToCome = 0
  private var stepCount = 0
  /// The assumed cost of unseen steps, which count as if a few of them had run.
  private static let (assumedSteps, assumedTurns) = (4, 16)

  mutating func noteStep() {
    stepCount += 1
    if stepsToCome > 0 { stepsToCome -= 1 }
  }

  var turnsToCome: Int {
    stepsToCome * (turnCount + Forecast.assumedTurns) / (stepCount + Forecast.assumedSteps)
  }
}
