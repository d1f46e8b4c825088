import Campaigns
import Failures
import Foundation
package import LiveCode
import PropertyTesting
import Prose

/// The way in which tests of code run, as given by the environment. Tests written without Faultline
/// run once with all queues in order, or in many orders.
package struct TestPlan: Sendable {
  /// The number of orders in which each test runs.
  package var schedules = 1
  /// The kinds of failures that fail no test.
  package var allowed: [String] = []
  /// The only run to make, or nil to make all runs.
  package var schedule: ScheduleToken?
  /// The folder in which to keep scenarios, or nil to keep none.
  package var folder: String?
  /// Sentences about values in the environment that cannot be used.
  private var unusable: [String] = []

  package init(schedules: Int, allowed: [String], schedule: ScheduleToken? = nil) {
    (self.schedules, self.allowed, self.schedule) = (schedules, allowed, schedule)
  }

  // MARK: The environment

  private enum Variable: String, CaseIterable {
    /// The number of orders in which each test runs.
    case schedules = "FAULTLINE_SCHEDULES"
    /// The choices of the only run to make.
    case schedule = "FAULTLINE_SCHEDULE"
    /// The kinds of failures that fail no test, separated by commas.
    case allow = "FAULTLINE_ALLOW"
    /// The folder in which to keep scenarios.
    case scenarios = "FAULTLINE_SCENARIOS"

    static let prefix = "FAULTLINE_"
  }

  /// The plan that the environment of this process gives.
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
        reject(.schedule, text, "the value in the line 'again' of a failure, such as '2..x14-1'")
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

  /// Problems with the plan, a sentence each. No test runs if the plan has problems.
  package var problems: [String] {
    let names = FailureKind.violations.map(\.name) + LiveFailure.otherNames
    let count =
      1...TestPlan.limit ~= schedules
      ? [] : ["\(grouped(schedules)) schedules: a test takes 1 to \(grouped(TestPlan.limit))"]
    return unusable + count
      + allowed.filter { !names.contains($0) && !$0.hasPrefix(LiveFailure.errorPrefix) }.map {
        unknown(
          "allowed: no kind of failure", $0, of: names,
          otherwise: "the article Invariants lists the names")
      }
  }

  // MARK: Running

  /// A Boolean value that indicates whether tests run once, with all queues in order.
  package var isInOrder: Bool { schedules == 1 && schedule == nil }

  /// Runs the test, and shrinks and explains its failures. Only a test that runs in many orders
  /// fails because of a violated invariant. A test that runs in order fails as it would elsewhere,
  /// because of an assertion, an error or a deadlock.
  package func failures(
    of campaign: LiveCampaign, test: String, filter: String
  ) -> [CodeFailureReport] {
    var campaign = campaign
    campaign.actionCount = 0
    campaign.isInOrder = isInOrder
    campaign.isOfInterest = { [self] failure in
      (!isInOrder || failure.isFatal) && !allowed.contains(failure.name)
    }
    // A run in order has hardly any choices to simplify.
    if isInOrder { campaign.shrinkBudget = 2 }
    let origin = CodeOrigin(
      schedule != nil ? .replay : isInOrder ? .inOrder : .schedules, test: test, filter: filter)
    let report = run(campaign, 0..<schedules, origin)
    if origin.runs == .schedules {
      if report.found.isEmpty { print(assurance(test)) }
      for line in report.promises.lines { print("\(test): \(line)") }
    }
    return finished(
      report.found.map { CodeFailureReport($0, in: report.campaign.runs, origin) })
  }

  /// Returns a sentence about the confidence that a test without failures provides.
  package func assurance(_ test: String) -> String {
    let rarest = Ratio.rarestShown(byRuns: schedules)
    return "\(test): no failure in \(grouped(schedules)) schedules. A failure in 1 of "
      + "\(grouped(rarest)) schedules would have shown with 95 % confidence."
  }

  /// Makes the runs with the given numbers, or only the run of `FAULTLINE_SCHEDULE` if it is set.
  package func run(
    _ campaign: LiveCampaign, _ indexes: Range<Int>, _ origin: CodeOrigin
  ) -> LiveCampaign.Report {
    var campaign = campaign
    if campaign.test.isEmpty { campaign.test = origin.test }
    campaign.findingKey = { origin.campaign.key(of: $1, recordedAs: $0) }
    return schedule.map { campaign.replay($0.recording) } ?? campaign.run(indexes)
  }

  /// Returns the failures with explanations, each finding once. Keeps their scenarios if the
  /// environment gives a folder. Failures are explained concurrently, because programs, unlike
  /// code, can run side by side.
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
