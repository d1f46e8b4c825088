import Determinism
package import Failures
import SimulatedCoreData
package import SimulatedDispatch

/// The scheduling decisions of a recorded run, and the runs in which another lane runs instead.
///
/// Such a run takes another lane at a single decision. It then takes the lanes in their recorded
/// order. A lane that cannot run keeps its place until it can.
package struct ScheduleAlternatives {
  /// A moment at which more than one lane could run.
  package struct Decision {
    /// The number of turns before the decision.
    package let turn: Int
    /// The lane that ran, and the other lanes that could have run, each with its name.
    package let chosen: (lane: LaneID, name: String)
    package let others: [(lane: LaneID, name: String)]
    /// The number of entries in `order` before the decision.
    fileprivate let position: Int
  }

  package private(set) var decisions: [Decision] = []
  /// The lanes in the order in which they ran, each until another lane could run.
  private var order: [LaneID] = []
  private let program: Program
  private let configuration: RunConfiguration

  /// The number of times that a run without alternatives passes from one lane to the next. The cost
  /// of an alternative is proportional to this number.
  package var length: Int { order.count }

  /// Returns `nil` if the program, with lanes that may overtake each other, cannot run as recorded.
  /// An example is a program in file order that lets time pass between its steps.
  package init?(
    of recorded: DifferentialRun, _ program: Program, _ configuration: RunConfiguration
  ) {
    (self.program, self.configuration) = (program, configuration)
    guard let turns = recorded.recorder?.turns.map(\.lane) else { return nil }
    var driver = RunDriver(walking: program, configuration) { $0.beginRecording() }
    while driver.isReady {
      let runnable = driver.alternatives
      let turn = driver.turnCount
      guard turn < turns.count, runnable.contains(turns[turn]) else { return nil }
      if runnable.count > 1 {
        let named = runnable.map { (lane: $0, name: driver.run.world.name(of: $0)) }
        decisions.append(
          Decision(
            turn: turn, chosen: named.first { $0.lane == turns[turn] }!,
            others: named.filter { $0.lane != turns[turn] }, position: order.count))
      }
      order.append(turns[turn])
      driver.go(turns[turn])
    }
    let played = driver.finish(program, schedule: [])
    if played.run.digest.value != recorded.digest.value { return nil }
  }

  /// Runs all alternatives of the decisions in `range`.
  ///
  /// - Parameters:
  ///   - body: Called with the number of the decision, the lane, and the finished run, which is
  ///     recorded. Returns the number of further schedules to run that begin like the alternative.
  ///   - further: Called with the kinds of failures of each of these schedules, and with whether no
  ///     others exist.
  package func run(
    _ range: Range<Int>, _ body: (Int, LaneID, Outcome, DifferentialRun) -> Int,
    further: (Int, LaneID, [[FailureKind]], Bool) -> Void
  ) {
    var driver = RunDriver(walking: program, configuration) { $0.beginRecording() }
    var position = 0
    for number in range {
      while driver.isReady, position < decisions[number].position {
        driver.go(order[position])
        position += 1
      }
      for (lane, _) in decisions[number].others {
        let played = alternative(lane, driver, order[position...])
        let outcome = played.run.outcome(of: program, .random, alternativeCounts: [])
        let limit = body(number, lane, outcome, played.run)
        if limit > 0 {
          let (kinds, areAll) = failures(after: lane, driver, limit: limit)
          further(number, lane, kinds, areAll)
        }
      }
    }
  }

  /// Returns the kinds of failures of schedules that continue with `lane`, and whether these are
  /// all schedules.
  private func failures(
    after lane: LaneID, _ driver: RunDriver<GivenSteps>, limit: Int
  ) -> (kinds: [[FailureKind]], areAll: Bool) {
    var driver = driver
    driver.run.endRecording()
    driver.go(lane)
    var walk = ScheduleWalk(from: driver, of: program)
    var kinds: [[FailureKind]] = []
    while let next = walk.next() {
      if kinds.count == limit { return (kinds, false) }
      kinds.append(failureKinds(of: next.played.run.violations, next.played.run.disagreement))
    }
    return (kinds, true)
  }

  /// Returns the run that continues with `lane`, then follows `order`.
  private func alternative(
    _ lane: LaneID, _ driver: RunDriver<GivenSteps>, _ order: ArraySlice<LaneID>
  ) -> PlayedProgram {
    var driver = driver
    var order = order
    if let index = order.firstIndex(of: lane) { order.remove(at: index) }
    driver.go(lane)
    while driver.isReady {
      let runnable = driver.alternatives
      let next = order.firstIndex(where: runnable.contains)
      driver.go(next.map { order.remove(at: $0) } ?? runnable[0])
    }
    return driver.finish(program, schedule: [])
  }
}

extension RunDriver<GivenSteps> {
  /// A Boolean value that indicates whether a lane can run. Moves the clock if none can run before.
  fileprivate var isReady: Bool {
    mutating get {
      while alternatives.isEmpty { if !wake() { return false } }
      return true
    }
  }

  fileprivate var turnCount: Int { run.recorder?.turns.count ?? 0 }
}
