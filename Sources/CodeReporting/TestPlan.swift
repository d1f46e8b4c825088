import Campaigns
import Failures
import Foundation
package import LiveCode
import PropertyTesting
import Prose

/// How tests of code are run, as the environment has it: those that were written without Faultline
/// once, with all queues in order, or in many orders.
package struct TestPlan: Sendable {
  /// In how many orders each test is run.
  package var schedules = 1
  /// Kinds of violations that fail no test.
  package var allowed: [String] = []
  /// The only run to make; nil for all.
  package var schedule: ScheduleToken?
  /// Where scenarios are kept; nil for nowhere.
  package var folder: String?
  /// What the environment has that cannot be used.
  private var unusable: [String] = []

  package init(schedules: Int, allowed: [String], schedule: ScheduleToken? = nil) {
    (self.schedules, self.allowed, self.schedule) = (schedules, allowed, schedule)
  }

  // MARK: The environment

  private enum Variable: String, CaseIterable {
    /// In how many orders each test is run.
    case schedules = "FAULTLINE_SCHEDULES"
    /// The choices of the only run to make.
    case schedule = "FAULTLINE_SCHEDULE"
    /// Kinds of violations, with commas between them.
    case allow = "FAULTLINE_ALLOW"
    /// A folder.
    case scenarios = "FAULTLINE_SCENARIOS"

    static let prefix = "FAULTLINE_"
  }

  /// The plan of this process's environment.
  package static let ofEnvironment = TestPlan(ProcessInfo.processInfo.environment)

  package init(_ environment: [String: String]) {
    func value(_ variable: Variable) -> String? {
      environment[variable.rawValue].flatMap { $0.isEmpty ? nil : $0 }
    }
    func reject(_ variable: Variable, _ text: String, _ takes: String) {
      unusable.append("\(variable.rawValue) is \(quoted(text)); it takes \(takes)")
    }
    if let text = value(.schedules) {
      let number = Int(text).flatMap { 1...TestPlan.limit ~= $0 ? $0 : nil }
      if number == nil {
        reject(.schedules, text, "a number of schedules, from 1 to \(grouped(TestPlan.limit))")
      }
      schedules = number ?? 1
    }
    if let text = value(.schedule) {
      schedule = ScheduleToken(text)
      if schedule == nil {
        reject(.schedule, text, "what a failure's line 'again' has, such as '2..x14-1'")
      }
    }
    allowed = (value(.allow) ?? "").split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    folder = value(.scenarios)
    let known = Variable.allCases.map { String($0.rawValue.dropFirst(Variable.prefix.count)) }
    for name in environment.keys.sorted() where name.hasPrefix(Variable.prefix) {
      let word = String(name.dropFirst(Variable.prefix.count))
      guard !known.contains(word), let meant = nearestWord(to: word, among: known) else { continue }
      unusable.append("no variable \(name): did you mean \(Variable.prefix)\(meant)?")
    }
  }

  private static let limit = 1_000_000

  /// What makes the plan another than was meant, a sentence each: then no test is run.
  package var problems: [String] {
    let names = FailureKind.violations.map(\.name) + LiveFailure.otherNames
    let count =
      1...TestPlan.limit ~= schedules
      ? [] : ["\(grouped(schedules)) schedules: a test takes 1 to \(grouped(TestPlan.limit))"]
    return unusable + count
      + allowed.filter { !names.contains($0) && !$0.hasPrefix(LiveFailure.errorPrefix) }.map {
        unknown(
          "allowed: no kind of failure", $0, of: names,
          otherwise: "the article Invariants has the names")
      }
  }

  // MARK: Running

  /// Whether tests are run once, with all queues in order.
  package var isInOrder: Bool { schedules == 1 && schedule == nil }

  /// Runs the test, and shrinks and explains what fails. Only a test that is run in many orders
  /// fails by a violated invariant; the others are what a test shows elsewhere too: an assertion,
  /// an error, a deadlock.
  package func failures(
    of campaign: LiveCampaign, test: String, filter: String
  ) -> [CodeFailureReport] {
    var campaign = campaign
    campaign.actionCount = 0
    campaign.isInOrder = isInOrder
    campaign.isOfInterest = { [self] failure in
      (!isInOrder || failure.isFatal) && !allowed.contains(failure.name)
    }
    // A test that is run in order has hardly a choice that could be simpler.
    if isInOrder { campaign.shrinkBudget = 2 }
    let origin = CodeOrigin(
      schedule != nil ? .replay : isInOrder ? .inOrder : .schedules, test: test, filter: filter)
    let report = run(campaign, 0..<schedules, origin)
    if report.found.isEmpty, origin.runs == .schedules { print(assurance(test)) }
    return finished(
      report.found.map { CodeFailureReport($0, in: report.campaign.runs, origin) })
  }

  /// A sentence that says how sure a test without a failure is.
  package func assurance(_ test: String) -> String {
    let rarest = Ratio.rarestShown(byRuns: schedules)
    return "\(test): no failure in \(grouped(schedules)) schedules. A failure in 1 of "
      + "\(grouped(rarest)) schedules would have shown with 95 % confidence."
  }

  /// The runs of these numbers; only that of `FAULTLINE_SCHEDULE` if there is one.
  package func run(
    _ campaign: LiveCampaign, _ indexes: Range<Int>, _ origin: CodeOrigin
  ) -> LiveCampaign.Report {
    var campaign = campaign
    if campaign.test.isEmpty { campaign.test = origin.test }
    campaign.findingKey = { origin.campaign.key(of: $1, recordedAs: $0) }
    return schedule.map { campaign.replay($0.recording) } ?? campaign.run(indexes)
  }

  /// The failures explained, each finding once, and their scenarios kept where the environment
  /// says.
  /// Programs run side by side, unlike code.
  package func finished(_ failures: [CodeFailureReport]) -> [CodeFailureReport] {
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    var result: [CodeFailureReport] = []
    for failure in concurrently(failures.count, jobs: cores, { failures[$0].explained() }) {
      if let known = result.firstIndex(where: { $0.isSame(as: failure) }) {
        result[known].join(failure)
      } else {
        result.append(failure)
      }
    }
    return folder.map { folder in result.map { $0.saved(in: folder) } } ?? result
  }
}
