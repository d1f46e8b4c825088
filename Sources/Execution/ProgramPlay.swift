import Determinism
package import SimulatedCoreData
package import SimulatedDispatch
import Vocabulary

/// A program in the middle of a run, as a value: its holder decides which lane goes next.
package struct ProgramPlay {
  private let program: Program
  private var run: DifferentialRun
  private var log: [[ActionEvent]] = []
  /// By step of the program: how many steps had been performed when the next was submitted.
  private var stepCounts: [Int] = []
  private var isLastStepOver = false

  package init(_ program: Program, _ configuration: RunConfiguration) {
    var program = program
    program.isInterleaved = true
    self.program = program
    run = DifferentialRun(configuration, program)
    var ignored = Footprint()
    submit(noting: &ignored)
  }

  /// The lanes that can go next, in the order in which the scheduler numbers them; empty if time
  /// has to pass first, or if the run is over.
  package var alternatives: [LaneID] { run.alternatives }

  /// Lets time pass; false if the run is over.
  package mutating func wake() -> Bool {
    guard !run.isOver else { return false }
    return run.wake()
  }

  /// Lets `lane` go on until another may, and returns what it touched.
  package mutating func take(_ lane: LaneID) -> Footprint {
    let before = run.world
    var footprint = Footprint()
    repeat {
      run.world.noteTurn(of: lane, in: &footprint)
      var happened: [(Action, Event)] = []
      let progress = run.take(lane) { action, events in
        happened += events.map { (action, $0) }
      }
      log[log.count - 1] += happened.map {
        ActionEvent(action: $0, event: $1, stepNumber: run.stepCount)
      }
      guard let progress else { return .everything }
      run.world.noteTurnTaken(by: lane, progress, in: &footprint)
    } while !run.isOver && run.laneThatGoesOn == lane
    submit(noting: &footprint)
    run.world.noteDifferences(from: before, in: &footprint)
    run.forgetNeedlessCollections()
    return run.isOver ? .everything : footprint
  }

  /// An idle driver begins with the next step before any other lane can go.
  private mutating func submit(noting footprint: inout Footprint) {
    while !run.isOver, run.world.isDriverIdle, log.count < program.steps.count {
      let step = program.steps[log.count]
      run.world.noteStart(step, in: &footprint)
      if !log.isEmpty { stepCounts.append(run.stepCount) }
      run.submit(step)
      log.append([])
    }
    if run.world.isDriverIdle, log.count == program.steps.count, !isLastStepOver {
      isLastStepOver = true
      run.allowMoreTurns()
    }
  }

  /// What the run came to, which must be over; `schedule` is what was chosen.
  package consuming func finish(schedule: [UInt32]) -> PlayedProgram {
    var choices = Choices(replaying: Choices.Recording())
    run.finish(&choices)
    while log.count < program.steps.count { log.append([]) }
    while stepCounts.count < log.count { stepCounts.append(run.stepCount) }
    return PlayedProgram(run: run, log: log, stepCounts: stepCounts, schedule: schedule)
  }
}

/// A run of a program that has ended.
package struct PlayedProgram {
  package let run: DifferentialRun
  /// By step of the program: what happened before the next was submitted.
  package let log: [[ActionEvent]]
  /// By step of the program: how many steps had been performed by then.
  package let stepCounts: [Int]
  /// What the scheduler chose.
  package let schedule: [UInt32]

  package init(run: DifferentialRun, log: [[ActionEvent]], stepCounts: [Int], schedule: [UInt32]) {
    self.run = run
    self.log = log
    self.stepCounts = stepCounts
    self.schedule = schedule
  }
}
