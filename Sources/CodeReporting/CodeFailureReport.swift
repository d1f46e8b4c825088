import Campaigns
import Diagnosis
import Execution
import Failures
package import LiveCode
import PropertyTesting
import Prose
import Reporting
import Scenario
import Timelines
import Vocabulary

/// One kind of failure of an app's code, for its developer: the same text wherever the code was
/// run from, a campaign, an XCTest or a test of Swift Testing.
package struct CodeFailureReport: Sendable {
  /// Why the failure happens, and what it is without the code.
  struct Explanation: Sendable {
    /// Two failures with equal keys are one; nil if the failure does not show without the code.
    var key: FindingKey?
    var cause: String?
    var remedy: String?
    var scenario: CodeScenario?
  }

  /// What it is called: `lost update`.
  package let kind: String
  /// Whether the test itself has found it.
  package let isAssertion: Bool
  /// The runs that failed so, in order, from 0; and the number of all runs.
  private var failingRuns: [Int]
  private let runs: Int
  /// In a sentence, with what proves it.
  package let text: String
  /// The smallest run, a line for each action.
  package let trace: [String]
  /// The choices of that run.
  package let schedule: ScheduleToken
  private let origin: CodeOrigin
  private let failure: LiveFailure.Kind
  private let recorded: RecordedFailure?
  private var explanation: Explanation?
  /// The files in which the scenario and its page are; or why they are in none.
  private var saved: String?

  package init(_ found: LiveCampaign.Found, in runs: Int, _ origin: CodeOrigin) {
    (kind, failure) = (found.failure.name, found.failure.kind)
    isAssertion = failure == .assertion
    (failingRuns, self.runs) = (found.runs, runs)
    (text, trace) = (found.failure.text, found.trace)
    schedule = ScheduleToken(found.recording)
    self.origin = origin
    recorded = found.recorded.map {
      RecordedFailure(
        program: $0.program, failure: $0.failure, context: found.failure.context,
        count: found.runs.count, run: found.runs[0] + 1, origin: origin)
    }
  }

  /// The number of runs that failed so, and of the first of them, from 1.
  package var count: Int { failingRuns.count }
  package var firstRun: Int { failingRuns[0] + 1 }
  package var cause: String? { explanation?.cause }
  package var remedy: String? { explanation?.remedy }
  package var scenario: CodeScenario? { explanation?.scenario }

  // MARK: Explaining

  /// The failure with cause, remedy and scenario. Costs some thousands of short runs, mostly less
  /// than a second; fewer in a debug build, which looks for no certificate.
  package func explained() -> CodeFailureReport {
    guard explanation == nil else { return self }
    var report = self
    report.explanation = recorded?.explained() ?? explanationWithoutScenario
    return report
  }

  private var explanationWithoutScenario: Explanation {
    switch failure {
    case .violation(let kind):
      guard let invariant = kind.invariant, let site = kind.site else { return Explanation() }
      return Explanation(remedy: invariant.definition.remedy(for: nil, at: site))
    case .assertion, .thrown, .standstill, .trap:
      // The same test with the same data: if it passes in another order, the order is the cause.
      guard origin.runs == .schedules else { return Explanation() }
      return count < runs
        ? Explanation(
          cause: "the order in which the queues go on: \(failureCount(not: true))",
          remedy:
            "wait for everything that the next line depends on, or give what must not overlap "
            + "one order: the same serial queue, the same context, or a perform inside the other")
        : Explanation(cause: "no order of the queues: every schedule fails in this way")
    case .disagreement: return Explanation(cause: "a defect of Faultline: please report it")
    }
  }

  private func failureCount(not isNegated: Bool) -> String {
    let number = isNegated ? runs - count : count
    return "\(grouped(number)) of \(grouped(runs)) schedules do\(number == 1 ? "es" : "")"
      + "\(isNegated ? " not" : "") fail in this way"
  }

  /// A Boolean value that indicates whether both failures are one finding, as far as they were
  /// explained.
  func isSame(as other: CodeFailureReport) -> Bool {
    explanation?.key.map { $0 == other.explanation?.key } ?? false
  }

  /// Counts the runs of a failure that is the same finding.
  mutating func join(_ other: CodeFailureReport) {
    failingRuns = Set(failingRuns + other.failingRuns).sorted()
  }

  // MARK: Saving

  /// The failure with its scenario and the page of it in this folder, if it has a scenario.
  package func saved(in folder: String) -> CodeFailureReport {
    var report = explained()
    guard let scenario = report.scenario else { return report }
    do {
      let files = try scenario.save(in: folder)
      report.saved = "saved: \(files.joined(separator: ", "))"
    } catch {
      report.saved = "FAULTLINE_SCENARIOS: nothing can be written into \(folder): \(error)"
    }
    return report
  }

  // MARK: Text

  /// All of this for a reader. What was not asked for with `explained()` is left out.
  package var description: String {
    var lines = sentence
    if let frequency { lines += wrapped(frequency + ":", indentation: 2) }
    if !trace.isEmpty { lines += [""] + trace.map { "  \($0)" } + [""] }
    if let cause { lines += wrapped(cause, after: "cause: ", indentation: 2) }
    if let remedy { lines += wrapped(remedy, after: "remedy: ", indentation: 2) }
    lines.append("again: \(origin.command(again: schedule))")
    if let scenario {
      lines += [
        saved ?? "FAULTLINE_SCENARIOS=FOLDER keeps the scenario below, and a page that shows it",
        "",
      ]
      lines += wrapped("without the code, \(scenario.certificate):", indentation: 2)
      lines += ["", scenario.text]
    }
    return lines.joined(separator: "\n")
  }

  /// What was violated, and the lines that prove it.
  private var sentence: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      line.hasPrefix(" ") ? [String(line)] : wrapped(String(line), indentation: 2)
    }
  }

  /// How often it was met; nil if there is nothing to count.
  private var frequency: String? {
    switch origin.runs {
    case .inOrder: nil
    case .replay: "in the schedule of FAULTLINE_SCHEDULE"
    case .schedules: "in \(grouped(count)) of \(grouped(runs)) schedules, shrunk to this one"
    case .campaign(only: let number?): "in run \(grouped(number)), shrunk to this one"
    case .campaign:
      "in \(grouped(count)) of \(grouped(runs)) runs, the first of them number "
        + "\(grouped(firstRun)); shrunk to this one"
    }
  }
}
