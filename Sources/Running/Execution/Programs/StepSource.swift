package import Determinism
import Generation
package import SimulatedCoreData
package import Vocabulary

/// A source of the steps of a run.
package protocol StepSource {
  /// Returns the next step for this state of the run, or `nil` after the last.
  mutating func next(in world: World, _ choices: inout Choices) -> AddressedStep?
}

/// The steps of a program.
package struct GivenSteps: StepSource {
  private let steps: [AddressedStep]
  /// The number of steps handed out.
  private(set) var position = 0

  init(_ steps: [AddressedStep]) { self.steps = steps }

  var isAtEnd: Bool { position == steps.count }

  mutating func next() -> AddressedStep? {
    guard !isAtEnd else { return nil }
    position += 1
    return steps[position - 1]
  }

  package mutating func next(in world: World, _ choices: inout Choices) -> AddressedStep? { next() }
}

/// Steps that are generated for the state in which they are performed.
struct GeneratedSteps: StepSource {
  private var generator: StepGenerator
  private let limit: Int
  private(set) var steps: [AddressedStep] = []
  /// The number of drawn steps. The remaining steps end work that the drawn steps began.
  private(set) var drawnCount = 0
  /// The remaining steps that end the program, or `nil` until the last step is drawn.
  private var endingSteps: ArraySlice<AddressedStep>?

  /// Creates a source that draws at most `limit` steps.
  init(_ generator: StepGenerator, limit: Int) {
    precondition(limit >= 0, "a program of \(limit) steps")
    (self.generator, self.limit) = (generator, limit)
    steps.reserveCapacity(min(limit, 64) + 16)
  }

  var names: [String] { generator.names }

  mutating func next(in world: World, _ choices: inout Choices) -> AddressedStep? {
    if endingSteps == nil {
      if let step = draw(in: world, &choices) {
        drawnCount += 1
        steps.append(step)
        return step
      }
      endingSteps = generator.ending(in: world)[...]
    }
    guard let step = endingSteps?.popFirst() else { return nil }
    steps.append(step)
    return step
  }

  /// Draws the next step, within its own span, because a shrinker deletes whole steps. The draw 0
  /// ends the program, so that the end of a recording does too.
  private mutating func draw(in world: World, _ choices: inout Choices) -> AddressedStep? {
    guard drawnCount < limit else { return nil }
    let start = choices.position(in: .workload)
    guard choices.draw(below: 256, from: .workload) != 0 else { return nil }
    let step = generator.next(in: world, &choices)
    choices.closeSpan(from: start, in: .workload)
    return step
  }
}
