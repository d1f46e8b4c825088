package import Failures
import Prose
import SimulatedCoreData
import Vocabulary

/// A search of all schedules of a small program.
package struct ExhaustiveSearch: Hashable {
  /// The limits beyond which a program is too large for the search.
  package static let (laneLimit, stepLimit, scheduleLimit) = (4, 12, 2_000)

  /// A failure, and the first schedule that leads to it.
  package struct Finding: Hashable {
    package let failure: FailureSignature
    package let schedule: [UInt32]
  }

  /// The failures, in order of discovery.
  package private(set) var findings: [Finding] = []
  /// The number of schedules that were run. Schedules that differ only in the order of independent
  /// turns count as one. 0 if the program has too many lanes or steps.
  package private(set) var scheduleCount = 0
  /// A Boolean value that indicates whether the search ran every schedule.
  package private(set) var isComplete = false

  /// - Parameter laneCount: The number of lanes that had work in a run of the program.
  package init(_ program: Program, laneCount: Int, _ configuration: RunConfiguration) {
    guard laneCount <= ExhaustiveSearch.laneLimit,
      program.stepCount <= ExhaustiveSearch.stepLimit
    else { return }
    var configuration = configuration
    configuration.comparesWithReference = true
    var walk = ScheduleWalk(program, configuration)
    while let next = walk.next() {
      if scheduleCount == ExhaustiveSearch.scheduleLimit { return }
      scheduleCount += 1
      note(next.played)
    }
    isComplete = true
  }

  private mutating func note(_ played: PlayedProgram) {
    let run = played.run
    for failure in failures(of: run.violations, run.disagreement, on: run.world.stack)
    where !findings.contains(where: { $0.failure == failure }) {
      findings.append(Finding(failure: failure, schedule: played.schedule))
    }
  }
}

/// The totals of a campaign's exhaustive searches.
package struct ExhaustiveTally: Codable, Hashable, Sendable {
  /// The number of programs whose schedules were all run.
  package private(set) var completeCount = 0
  /// The number of programs that were too large.
  package private(set) var cutCount = 0
  package private(set) var scheduleCount = 0

  package init() {}

  package mutating func note(_ search: ExhaustiveSearch) {
    if search.isComplete { completeCount += 1 } else { cutCount += 1 }
    scheduleCount += search.scheduleCount
  }

  package func adding(_ other: ExhaustiveTally) -> ExhaustiveTally {
    var sum = self
    sum.completeCount += other.completeCount
    sum.cutCount += other.cutCount
    sum.scheduleCount += other.scheduleCount
    return sum
  }

  /// A two-line summary for a report.
  package var summary: [String] {
    [
      "\(grouped(completeCount)) programs ran under every schedule, \(grouped(scheduleCount)) schedules in total",
      "\(grouped(cutCount)) programs were too large for this search (more than \(ExhaustiveSearch.laneLimit) lanes, "
        + "\(ExhaustiveSearch.stepLimit) steps or \(grouped(ExhaustiveSearch.scheduleLimit)) schedules); "
        + "they ran under the portfolio",
    ]
  }
}
