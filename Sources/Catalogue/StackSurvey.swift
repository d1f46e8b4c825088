package import Failures
package import Campaigns
package import Execution
import Generation
import Invariants
import Reporting
package import Vocabulary

/// What a campaign saw of one stack: how often each kind of violation, and how long the main queue
/// was held.
package struct StackSurvey {
  package let name: String
  package let stack: Stack
  package let report: CampaignReport
  private let quirks: QuirkSet

  /// Steps that are against the rules, or that a program does to itself, say nothing about a stack.
  static let programsOwn: [StepGenerator.Kind] = [.illegal, .suspend, .directly]

  /// Runs programs on `stack` and only counts: nothing is shrunk or attributed.
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

  /// What a cell of the table says.
  package enum Cell: Hashable, Sendable {
    /// In so many of the programs.
    case seen(Int)
    case neverSeen
    /// For this reason.
    case impossible(String)
  }

  package func cell(for kind: FailureKind) -> Cell {
    if let tally = report.failureTallies.first(where: { $0.kind == kind }) {
      return .seen(tally.count)
    }
    return kind.impossibility(in: stack, quirks).map { .impossible($0) } ?? .neverSeen
  }

  /// The line that replays the smallest of the programs that showed `kind`.
  package func replay(of kind: FailureKind) -> String? {
    report.failureTallies.first { $0.kind == kind }.map(replay(of:))
  }

  /// In what way engine and reference disagreed, in how many programs, and the line that replays
  /// the smallest of them; empty unless Faultline has a bug.
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

  /// In milliseconds of virtual time, over all programs: the longest that each of them held the
  /// main queue at a stretch.
  package var mainQueueHolds: (median: Int, worst: Int) {
    medianAndWorst(of: report.mainQueueHolds)
  }

  /// Likewise: for how long each of them held the main queue in all.
  package var mainQueueOccupancies: (median: Int, worst: Int) {
    medianAndWorst(of: report.mainQueueOccupancies)
  }

  private func medianAndWorst(of times: [Int]) -> (median: Int, worst: Int) {
    let sorted = times.sorted()
    guard let worst = sorted.last else { return (0, 0) }
    return (sorted[sorted.count / 2], worst)
  }

  /// The rows about time, each with its name.
  static func times(of surveys: [StackSurvey]) -> [[String]] {
    [
      ["main queue held, median ms"] + surveys.map { "\($0.mainQueueHolds.median)" },
      ["main queue held, worst ms"] + surveys.map { "\($0.mainQueueHolds.worst)" },
      ["held in all, median ms"] + surveys.map { "\($0.mainQueueOccupancies.median)" },
      ["held in all, worst ms"] + surveys.map { "\($0.mainQueueOccupancies.worst)" },
    ]
  }
}
