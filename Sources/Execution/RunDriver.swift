import Determinism
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Feeds the steps of a source to a `DifferentialRun`, and ends the run: what campaigns, replays,
/// scenarios and exploration have in common.
///
/// A value, as the run is. `play` lets the scheduler choose the lanes; with `take`, its holder does
/// (`RunDriver+Walking.swift`).
package struct RunDriver<Steps: StepSource> {
  package internal(set) var run: DifferentialRun
  var source: Steps
  /// Whether the last step is over, and lanes were allowed the turns of the end.
  var isEnding = false

  init(_ run: DifferentialRun, _ source: Steps) {
    self.run = run
    self.source = source
  }

  /// Runs to the end. `follow` is called after each step.
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

/// A run of a program that has ended.
package struct PlayedProgram {
  package let run: DifferentialRun
  /// Empty unless the caller asked for it.
  package let log: EventLog
  /// What the scheduler chose.
  package let schedule: [UInt32]
  /// By choice of the schedule: among how many lanes. Empty if the scheduler did not choose.
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
