import Determinism
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// A program in the middle of a run whose owner decides which lane runs next.
extension RunDriver<GivenSteps> {
  /// Creates a run in which lanes may overtake each other, whatever the program says. Calls
  /// `prepare` before the first step.
  init(
    walking program: Program, _ configuration: RunConfiguration,
    preparing prepare: (inout DifferentialRun) -> Void = { _ in }
  ) {
    var program = program
    program.isInterleaved = true
    self.init(program, configuration)
    prepare(&run)
    var ignored = Footprint()
    submit(noting: &ignored)
  }

  /// The runnable lanes, in the order in which the scheduler numbers them. Empty if time has to
  /// pass first, or if the run is over.
  var alternatives: [LaneID] { run.alternatives }

  /// Moves the clock. Returns `false` if the run is over.
  mutating func wake() -> Bool { !run.isOver && run.wake() }

  /// Runs `lane` until another lane may run, and returns the footprint of its turns.
  mutating func take(_ lane: LaneID) -> Footprint {
    precondition(run.world.dispatcher.canRun(lane), "lane \(lane.index) cannot run")
    let before = run.world
    var footprint = Footprint()
    repeat {
      run.world.noteTurn(of: lane, in: &footprint)
      guard let progress = run.take(lane, { _, _ in }) else { return .everything }
      run.world.noteTurnTaken(by: lane, progress, in: &footprint)
    } while !run.isOver && run.laneThatGoesOn == lane
    submit(noting: &footprint)
    run.world.noteDifferences(from: before, in: &footprint)
    run.forgetNeedlessCollections()
    return run.isOver ? .everything : footprint
  }

  /// Runs `lane` until another lane may run.
  mutating func go(
    _ lane: LaneID, observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) {
    run.go(lane, observing: observe)
    var ignored = Footprint()
    submit(noting: &ignored)
  }

  /// Begins the next step on the program's thread before any other lane runs.
  private mutating func submit(noting footprint: inout Footprint) {
    while !run.isOver, run.world.isDriverIdle, let step = source.next() {
      run.world.noteStart(step, in: &footprint)
      run.submit(step)
    }
    if run.world.isDriverIdle, source.isAtEnd, !isEnding {
      isEnding = true
      run.allowTurnsOfEnd()
    }
  }

  /// Ends the run, in which nothing more can happen. `schedule` holds the choices that were made.
  consuming func finish(_ program: Program, schedule: [UInt32]) -> PlayedProgram {
    precondition(alternatives.isEmpty, "a schedule ends while lanes can run")
    var choices = Choices(replaying: Choices.Recording())
    run.finish(&choices)
    return PlayedProgram(run, of: program, schedule: schedule, alternativeCounts: [])
  }
}
