import Determinism
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Feeds the steps of a source to a `DifferentialRun`, and ends the run. Campaigns, replays,
/// scenarios and explorations share this loop.
///
/// A driver is a value, as the run is. With `play`, the scheduler chooses the lanes. With `take`,
/// the owner does (`RunDriver+Walking.swift`).
package struct RunDriver<Steps: StepSource> {
  package internal(set) var run: DifferentialRun
  var source: Steps
  /// A Boolean value that indicates whether the last step is over and the final turns were allowed.
  var isEnding = false

  init(_ run: DifferentialRun, _ source: Steps) {
    self.run = run
    self.source = source
  }

  /// Runs the program to its end. Calls `follow` after each step.
  mutating func play(
    _ choices: inout Choices, observing observe: (Action, [Event]) -> Void = { _, _ in },
    following follow: (DifferentialRun, borrowing Choices) -> Void = { _, _ in }
  ) {
    while !run.isOver, let step = source.next(in: run.world, &choices) {
      run.run(step, &choices, observing: observe)
      follow(run, choices)
    }
    run.finish(&choices, observing: observe)
  }
}

extension RunDriver<GivenSteps> {
  init(_ program: Program, _ configuration: RunConfiguration) {
    self.init(DifferentialRun(configuration, program), GivenSteps(program.steps))
  }
}

/// A finished run of a program.
package struct PlayedProgram {
  package let run: DifferentialRun
  /// The events by step. Empty unless the caller requested them.
  package let log: EventLog
  /// The choices of the scheduler.
  package let schedule: [UInt32]
  /// The number of runnable lanes, indexed by choice of the schedule. Empty if the scheduler did
  /// not choose.
  package let alternativeCounts: [Int]

  init(_ run: DifferentialRun, of program: Program, schedule: [UInt32], alternativeCounts: [Int]) {
    precondition(run.isFinished, "a program was played, and its run is not finished")
    self.run = run
    log =
      run.eventLog?.ended(programStepCount: program.steps.count, stepCount: run.stepCount)
      ?? EventLog()
    self.schedule = schedule
    self.alternativeCounts = alternativeCounts
  }
}
