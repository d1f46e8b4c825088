package import SimulatedCoreData
import Vocabulary

/// The events of a run by the step of the program before which they happened, for transcripts and
/// claims.
package struct EventLog {
  /// By step of the program: what happened before the next was submitted.
  package private(set) var eventsByStep: [[ActionEvent]] = []
  /// By step of the program: how many steps were performed before the next was submitted.
  package private(set) var stepCounts: [Int] = []
  /// The steps of the program after which the world is kept, for claims about it: nil as long as
  /// the next one was not submitted.
  package private(set) var moments: [Moment] = []

  /// The world as the program's next step found it.
  package struct Moment {
    package let step: Int
    package fileprivate(set) var world: World? = nil
    /// How many steps were performed by then.
    package fileprivate(set) var stepCount = 0
  }

  package init() {}

  /// Keeps the world after each of `steps`, which count from 0.
  init(keepingWorldsAfter steps: [Int]) { moments = steps.map { Moment(step: $0) } }

  /// A step of the program is submitted after `stepCount` steps were performed.
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

  /// Without a step there is nothing to show the events under: they are left out.
  mutating func note(_ action: Action, _ events: [Event], stepNumber: Int) {
    guard !eventsByStep.isEmpty else { return }
    eventsByStep[eventsByStep.count - 1] += events.map {
      ActionEvent(action: action, event: $0, stepNumber: stepNumber)
    }
  }

  /// The log of a program with so many steps: those that were not reached have no events.
  func ended(programStepCount: Int, stepCount: Int) -> EventLog {
    precondition(
      eventsByStep.count <= programStepCount,
      "\(eventsByStep.count) of \(programStepCount) steps were submitted")
    var result = self
    while result.eventsByStep.count < programStepCount { result.eventsByStep.append([]) }
    while result.stepCounts.count < programStepCount { result.stepCounts.append(stepCount) }
    return result
  }

  /// `stepCount` is how many steps the run has performed.
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
