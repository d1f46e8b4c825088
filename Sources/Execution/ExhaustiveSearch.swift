package import Failures
import Prose
import SimulatedCoreData
import Vocabulary

/// All schedules of a program that is small enough for that.
package struct ExhaustiveSearch: Hashable {
  /// Beyond any of these, a program is too large.
  package static let (laneLimit, stepLimit, scheduleLimit) = (4, 12, 2_000)

  /// A failure, and the first schedule that leads to it.
  package struct Finding: Hashable {
    package let failure: FailureSignature
    package let schedule: [UInt32]
  }

  /// In the order in which they were found.
  package private(set) var findings: [Finding] = []
  /// How many schedules were run; those that differ only in the order of independent turns count as
  /// one. None if the program is too large.
  package private(set) var scheduleCount = 0
  /// Whether there are no others.
  package private(set) var isComplete = false

  /// `laneCount` lanes had something to do in a run of the program.
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

/// How far a campaign's search for all schedules came.
package struct ExhaustiveTally: Codable, Hashable, Sendable {
  /// Programs of which every schedule was seen.
  package private(set) var completeCount = 0
  /// Programs that were too large.
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

  /// Two lines for a report.
  package var summary: [String] {
    [
      "every schedule of \(grouped(completeCount)) programs was seen, \(grouped(scheduleCount)) schedules",
      "\(grouped(cutCount)) programs were too large for that (more than \(ExhaustiveSearch.laneLimit) lanes, "
        + "\(ExhaustiveSearch.stepLimit) steps or \(grouped(ExhaustiveSearch.scheduleLimit)) schedules); "
        + "they ran under the portfolio",
    ]
  }
}
