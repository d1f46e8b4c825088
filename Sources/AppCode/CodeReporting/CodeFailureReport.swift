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

/// A kind of failure of an app's code, described for its developer. Campaigns, XCTest and Swift
/// Testing show the same text.
package struct CodeFailureReport: Sendable {
  /// The cause of a failure, and a scenario that shows it without the code.
  struct Explanation: Sendable {
    /// The key of the finding, or nil if the failure does not show without the code. Failures with
    /// equal keys are one finding.
    var key: FindingKey?
    var cause: String?
    var remedy: String?
    var scenario: CodeScenario?
  }

  /// The name of the failure, such as `lost update`.
  package let kind: String
  /// A Boolean value that indicates whether the test itself found the failure.
  package let isAssertion: Bool
  /// The runs that failed in this way, in order and numbered from 0. `runs` counts all runs.
  private var failingRuns: [Int]
  private let runs: Int
  /// A description of the failure, with the lines that prove it.
  package let text: String
  /// The smallest run, one line for each action.
  package let trace: [String]
  /// The choices of the smallest run.
  package let schedule: ScheduleToken
  private let origin: CodeOrigin
  private let failure: LiveFailure.Kind
  private let recorded: RecordedFailure?
  private var explanation: Explanation?
  /// The files with the scenario and its page, or the reason why they could not be written.
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

  /// The number of runs that failed in this way. `firstRun` is the first of them, numbered from 1.
  package var count: Int { failingRuns.count }
  package var firstRun: Int { failingRuns[0] + 1 }
  package var cause: String? { explanation?.cause }
  package var remedy: String? { explanation?.remedy }
  package var scenario: CodeScenario? { explanation?.scenario }

  // MARK: Explaining

  /// Returns the failure with cause, remedy and scenario.
  ///
  /// - Complexity: Some thousands of short runs, mostly less than a second. A debug build makes
  ///   fewer runs, because it looks for no certificate.
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
      // The test always uses the same data, so if it passes in another order, the order is the
      // cause.
      guard origin.runs == .schedules else { return Explanation() }
      return count < runs
        ? Explanation(
          cause: "the order in which the queues run: \(failureCount(not: true))",
          remedy:
            "wait for everything that the next line depends on. Put work that must not overlap on "
            + "one serial queue, in one context, or in nested perform blocks")
        : Explanation(cause: "the code in any order of queues: every schedule fails in this way")
    case .disagreement: return Explanation(cause: "a defect of Faultline: please report it")
    }
  }

  private func failureCount(not isNegated: Bool) -> String {
    let number = isNegated ? runs - count : count
    return "\(grouped(number)) of \(grouped(runs)) schedules do\(number == 1 ? "es" : "")"
      + "\(isNegated ? " not" : "") fail in this way"
  }

  /// Returns whether the explanations show that both failures are one finding.
  func isSame(as other: CodeFailureReport) -> Bool {
    explanation?.key.map { $0 == other.explanation?.key } ?? false
  }

  /// Adds the runs of a failure that is the same finding.
  mutating func join(_ other: CodeFailureReport) {
    failingRuns = Set(failingRuns + other.failingRuns).sorted()
  }

  // MARK: Saving

  /// Returns the explained failure. If it has a scenario, saves the scenario and its page in
  /// `folder`.
  package func saved(in folder: String) -> CodeFailureReport {
    var report = explained()
    guard let scenario = report.scenario else { return report }
    do {
      let files = try scenario.save(in: folder)
      report.saved = "saved: \(files.joined(separator: ", "))"
    } catch {
      report.saved = "FAULTLINE_SCENARIOS: cannot write to \(folder): \(error)"
    }
    return report
  }

  // MARK: Text

  /// The complete text for a reader. Cause and remedy are included only after `explained()`. So is
  /// the scenario, if the test makes one run.
  package var description: String {
    var lines = sentence
    if let frequency { lines += wrapped(frequency + ":", indentation: 2) }
    if !trace.isEmpty { lines += [""] + trace.map { "  \($0)" } + [""] }
    if let cause { lines += wrapped(cause, after: "cause: ", indentation: 2) }
    if let remedy { lines += wrapped(remedy, after: "remedy: ", indentation: 2) }
    lines.append("again: \(origin.command(again: schedule))")
    if let scenario {
      if let saved {
        lines.append(saved)
      } else {
        lines += wrapped(
          "with FAULTLINE_SCENARIOS=FOLDER, the command also saves the failure as a scenario without "
            + "the code, and a page that shows it", indentation: 2)
      }
      if origin.makesOneRun {
        lines += [""] + wrapped("without the code, \(scenario.certificate):", indentation: 2)
        lines += ["", scenario.text]
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The violation and the lines that prove it.
  private var sentence: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      line.hasPrefix(" ") ? [String(line)] : wrapped(String(line), indentation: 2)
    }
  }

  /// The frequency of the failure, or nil if all queues ran in order.
  private var frequency: String? {
    switch origin.runs {
    case .inOrder: nil
    case .replay: "in the schedule of FAULTLINE_SCHEDULE"
    case .schedules: "in \(grouped(count)) of \(grouped(runs)) schedules, shrunk to this one"
    case .campaign(only: let number?): "in run \(grouped(number)), shrunk to this one"
    case .campaign:
      "in \(grouped(count)) of \(grouped(runs)) runs, first in run \(grouped(firstRun)), "
        + "shrunk to this one"
    }
  }
}
