package import SimulatedCoreData
import Vocabulary

/// The events of a run, grouped by step of the program, for transcripts and claims.
package struct EventLog {
  /// The events between the submission of each step and of the next, indexed by step of the
  /// program.
  package private(set) var eventsByStep: [[ActionEvent]] = []
  /// The number of performed steps when the next step was submitted, indexed by step of the
  /// program.
  package private(set) var stepCounts: [Int] = []
  /// The worlds that are kept for claims. A world is `nil` until the next step was submitted.
  package private(set) var moments: [Moment] = []

  /// The world after a step of the program, as the next step found it.
  package struct Moment {
    package let step: Int
    package fileprivate(set) var world: World? = nil
    /// The number of steps performed by then.
    package fileprivate(set) var stepCount = 0
  }

  package init() {}

  /// Keeps the world after each of `steps`, which count from 0.
  init(keepingWorldsAfter steps: [Int]) { moments = steps.map { Moment(step: $0) } }

  /// Notes that a step of the program is submitted after `stepCount` steps were performed.
  mutating func beginStep(stepCount: Int, in world: World) {
    let last = eventsByStep.count - 1
    for index in moments.indices where moments[index].step == last {
      moments[index].world = world
      moments[index].stepCount = stepCount
    }
    precondition(
      stepCount >= stepCounts.last ?? 0,
      "\(stepCount) steps were performed after \(stepCounts.last ?? 0)")
    if !eventsByStep.isEmpty { stepCounts.append(stepCount) }
    eventsByStep.append([])
  }

  /// Appends the events of an action to the current step. Events before the first step are dropped.
  mutating func note(_ action: Action, _ events: [Event], stepNumber: Int) {
    guard !eventsByStep.isEmpty else { return }
    eventsByStep[eventsByStep.count - 1] += events.map {
      ActionEvent(action: action, event: $0, stepNumber: stepNumber)
    }
  }

  /// Returns the log of a finished run. Program steps that the run did not reach have no events.
  func ended(programStepCount: Int, stepCount: Int) -> EventLog {
    precondition(
      eventsByStep.count <= programStepCount,
      "\(eventsByStep.count) of \(programStepCount) steps were submitted")
    var result = self
    while result.eventsByStep.count < programStepCount { result.eventsByStep.append([]) }
    while result.stepCounts.count < programStepCount { result.stepCounts.append(stepCount) }
    return result
  }

  /// - Parameter stepCount: The number of steps that the run has performed.
  func checkInvariants(stepCount: Int) {
    precondition(
      stepCounts.count == max(0, eventsByStep.count - 1),
      "\(stepCounts.count) counts for \(eventsByStep.count) steps")
    precondition(
      stepCounts.last ?? 0 <= stepCount, "\(stepCounts.last ?? 0) of \(stepCount) steps are logged")
    if let last = eventsByStep.last?.last {
      precondition(
        (stepCounts.last ?? 0)...stepCount ~= last.stepNumber,
        "an event of step \(last.stepNumber) is logged among \(stepCount)")
    }
  }
}
