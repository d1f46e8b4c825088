import Campaigns
import Diagnosis
import Execution
import Failures
import Reporting
import Scenario
import ScenarioChecking
import Timelines
import Vocabulary

/// A run that fails without its code.
struct RecordedFailure: Sendable {
  let program: Program
  let failure: FailureSignature
  /// The context in which the failure showed.
  let context: String?
  let count: Int
  /// The number of the first failing run, from 1.
  let run: Int
  let origin: CodeOrigin

  func explained() -> CodeFailureReport.Explanation {
    #if DEBUG
      let isCertified = false  // In a debug build, the search for a certificate takes minutes.
    #else
      let isCertified = true
    #endif
    var report = origin.campaign.describe(
      failure, recordedAs: program, isCertified: isCertified)
    (report.count, report.firstRun, report.unit) = (count, run, origin.unit)
    report.example.source = "\(origin.unit) \(run) of \(origin.test), seed \(origin.seed)"
    return CodeFailureReport.Explanation(
      key: report.blame.key, cause: cause(of: report), remedy: report.remedy,
      scenario: CodeScenario(report, cause: cause(of: report), quirks: origin.profile.quirks))
  }

  private func cause(of report: FailureReport) -> String? {
    // This text names queues that wait for each other.
    report.waits.isEmpty
      ? report.cause?.text(inCodeOf: context) : report.causeText
  }
}
