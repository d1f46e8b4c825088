package import Failures
package import Campaigns
package import Execution
import Generation
import Invariants
import Reporting
package import Vocabulary

/// The results of a campaign on one stack: the frequency of each kind of violation, and the times
/// for which the main queue was held.
package struct StackSurvey {
  package let name: String
  package let stack: Stack
  package let report: CampaignReport
  private let quirks: QuirkSet

  /// The kinds of steps that are left out, because violations that they cause say nothing about a
  /// stack.
  static let programsOwn: [StepGenerator.Kind] = [.illegal, .suspend, .directly]

  /// Runs programs on `stack` and counts violations, without shrinking or attributing them.
  package init(
    name: String, stack: Stack, settings: CampaignSettings, jobs: Int = 1,
    shouldStop: (borrowing ShardResult) -> Bool = { _ in false },
    willRun: @escaping @Sendable (ModelSource, RunSeed) -> Void = { _, _ in }
  ) {
    var settings = settings
    settings.stack = stack
    for kind in StackSurvey.programsOwn where !settings.stepFilter.without.contains(kind) {
      settings.stepFilter.without.append(kind)
    }
    self.name = name
    self.stack = stack
    quirks = settings.quirks
    report = FuzzCampaign(settings, jobs: jobs, willRun: willRun).survey(shouldStop: shouldStop)
  }

  /// The content of a table cell.
  package enum Cell: Hashable, Sendable {
    /// The number of programs that showed the violation.
    case seen(Int)
    case neverSeen
    /// The reason why the stack rules out the violation.
    case impossible(String)
  }

  package func cell(for kind: FailureKind) -> Cell {
    if let tally = report.failureTallies.first(where: { $0.kind == kind }) {
      return .seen(tally.count)
    }
    return kind.impossibility(in: stack, quirks).map { .impossible($0) } ?? .neverSeen
  }

  /// Returns the command that replays the smallest program that showed `kind`.
  package func replay(of kind: FailureKind) -> String? {
    report.failureTallies.first { $0.kind == kind }.map(replay(of:))
  }

  /// The disagreements between the engine and the reference model. Each has the number of programs
  /// that showed it, and the command that replays the smallest of them. Empty unless Faultline has
  /// a bug.
  package var disagreements: [(kind: FailureKind, count: Int, replay: String)] {
    report.failureTallies.filter { $0.kind.invariant == nil }.map {
      ($0.kind, $0.count, replay(of: $0))
    }
  }

  private func replay(of tally: FailureTally) -> String {
    ".build/release/faultline replay \(tally.seed.text) --model "
      + HumanReport.quoted(tally.model) + " --stack \(HumanReport.quoted(name)) --profile "
      + report.settings.profile.rawValue
      + report.settings.stepFilter.without.map { " --without-steps \($0.name)" }.joined()
  }

  /// The longest time that each program held the main queue without interruption, as the median and
  /// the maximum over all programs. In milliseconds of virtual time.
  package var mainQueueHolds: (median: Int, worst: Int) {
    medianAndWorst(of: report.mainQueueHolds)
  }

  /// The total time that each program held the main queue, as the median and the maximum over all
  /// programs. In milliseconds of virtual time.
  package var mainQueueOccupancies: (median: Int, worst: Int) {
    medianAndWorst(of: report.mainQueueOccupancies)
  }

  private func medianAndWorst(of times: [Int]) -> (median: Int, worst: Int) {
    let sorted = times.sorted()
    guard let worst = sorted.last else { return (0, 0) }
    return (sorted[sorted.count / 2], worst)
  }

  /// Returns the table rows about time, each with its name.
  static func times(of surveys: [StackSurvey]) -> [[String]] {
    [
      ["main queue held, median ms"] + surveys.map { "\($0.mainQueueHolds.median)" },
      ["main queue held, worst ms"] + surveys.map { "\($0.mainQueueHolds.worst)" },
      ["main queue held in total, median ms"] + surveys.map { "\($0.mainQueueOccupancies.median)" },
      ["main queue held in total, worst ms"] + surveys.map { "\($0.mainQueueOccupancies.worst)" },
    ]
  }
}
