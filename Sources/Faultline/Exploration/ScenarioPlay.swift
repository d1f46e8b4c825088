import Determinism
import Scenario
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// A scenario in the middle of a run, as a value: whoever holds it decides which lane goes next.
struct ScenarioPlay {
  private let runner: ScenarioRunner
  private var session: Session
  private var log: [[ScenarioRunner.Happening]] = []
  /// By item: how many steps had been performed when the next was submitted.
  private var stepCounts: [Int] = []
  private var isLastStepOver = false

  init(_ runner: ScenarioRunner) {
    self.runner = runner
    let scenario = runner.scenario
    session = Session(
      model: scenario.model, stack: scenario.stack, quirks: runner.quirks, bugs: runner.bugs,
      policy: .random, scrutiny: runner.scrutiny)
    var ignored = Footprint()
    submit(noting: &ignored)
  }

  /// The lanes that can go next, in the order in which the scheduler numbers them; none if time has
  /// to pass first, or the run is over.
  var alternatives: [LaneID] {
    if session.isOver { return [] }
    return SchedulingPolicy.alternatives(in: session.world.dispatcher, driver: session.world.driver)
  }

  /// Lets time pass; false if the run is over.
  mutating func wake() -> Bool {
    guard !session.isOver else { return false }
    return session.wake()
  }

  /// Lets `lane` go on until another may go, and says what it touched.
  mutating func take(_ lane: LaneID) -> Footprint {
    let before = session.world
    var footprint = Footprint()
    repeat {
      session.world.noteTurn(of: lane, in: &footprint)
      var happened: [(Action, Event)] = []
      let progress = session.take(lane) { action, events in
        happened += events.map { (action, $0) }
      }
      log[log.count - 1] += happened.map {
        .init(action: $0, event: $1, stepNumber: session.stepCount)
      }
      guard let progress else { return .everything }
      session.world.noteTurnTaken(by: lane, progress, in: &footprint)
    } while !session.isOver && session.laneThatGoesOn == lane
    submit(noting: &footprint)
    session.world.noteDifferences(from: before, in: &footprint)
    session.forgetNeedlessCollections()
    return session.isOver ? .everything : footprint
  }

  /// An idle driver begins with the next step before anybody else can go.
  private mutating func submit(noting footprint: inout Footprint) {
    let items = runner.scenario.items
    while !session.isOver, session.world.isDriverIdle, log.count < items.count {
      let step = items[log.count].step
      session.world.noteStart(step, in: &footprint)
      if !log.isEmpty { stepCounts.append(session.stepCount) }
      session.submit(step)
      log.append([])
    }
    if session.world.isDriverIdle, log.count == items.count, !isLastStepOver {
      isLastStepOver = true
      session.allowMoreTurns()
    }
  }

  /// The run, which must be over; `schedule` is what was chosen.
  consuming func result(schedule: [UInt32]) -> ScenarioRun {
    var choices = Choices(replaying: Choices.Recording())
    session.finish(&choices)
    while log.count < runner.scenario.items.count { log.append([]) }
    while stepCounts.count < log.count { stepCounts.append(session.stepCount) }
    return runner.result(of: session, log, stepCounts, schedule: schedule)
  }
}
