#if os(Linux)
  import CodeReporting
  import LiveCode
  import PropertyTesting
  import Prose

  /// The result of a campaign on code.
  public struct CodeReport: Sendable, CustomStringConvertible {
    /// The number of runs.
    public let runs: Int
    /// The number of actions of all runs together. A save counts as one.
    public let steps: Int
    /// A digest of everything observable. Equal code and settings have equal digests.
    public let digest: UInt64
    /// Each failure once, the most severe first.
    public let failures: [CodeFailure]
    /// The promises of the code, each with the number of runs that tested it.
    public let promises: [TestedPromise]

    /// A promise of an app's code, and the runs that tested it.
    public struct TestedPromise: Sendable {
      /// The promise in the words of a stack file.
      public let text: String
      /// The number of runs that had objects to judge. If it is 0, the promise was kept only for
      /// lack of data.
      public let testCount: Int
      /// The reason why no run could read the promise, such as the name of an unknown entity.
      public let problem: String?
      /// The line of the report's description.
      fileprivate let line: String
    }

    init(_ report: LiveCampaign.Report, _ origin: CodeOrigin) {
      (runs, steps, digest) = (
        report.campaign.runs, report.campaign.steps, report.campaign.digest
      )
      failures = report.found.map {
        CodeFailure(CodeFailureReport($0, in: report.campaign.runs, origin))
      }
      promises = report.promises.entries.map {
        TestedPromise(
          text: $0.text, testCount: $0.testCount, problem: $0.problem, line: $0.line)
      }
    }

    /// A line for the campaign, and each failure.
    public var description: String {
      let head =
        "\(grouped(runs)) run\(runs == 1 ? "" : "s"), \(grouped(steps)) actions: "
        + "\(failures.count) kind\(failures.count == 1 ? "" : "s") of failure"
      let tests = promises.map(\.line)
      let parts = [([head] + tests).joined(separator: "\n")] + failures.map(\.description)
      return parts.joined(separator: "\n\n")
    }
  }

  /// A kind of failure, with the smallest run that shows it.
  public struct CodeFailure: Error, Sendable, CustomStringConvertible {
    private var report: CodeFailureReport

    init(_ report: CodeFailureReport) { self.report = report }

    /// The name in the table of invariants, such as `lost update`.
    public var kind: String { report.kind }
    /// The kind of violation. `nil` for a disagreement, for an error, and for code that waits
    /// forever.
    public var violation: ViolationKind? { ViolationKind(rawValue: kind) }
    /// The number of runs that failed in this way.
    public var count: Int { report.count }
    /// The number of the first run that failed in this way, from 1.
    public var firstRun: Int { report.firstRun }
    /// A sentence that describes the failure, with its proof.
    public var text: String { report.text }
    /// The smallest run, with a line for each action. A line shows the action, its context, and the
    /// source line that enqueued its block.
    public var trace: [String] { report.trace }
    /// The change that would prevent the failure. `nil` if it is unknown, or before
    /// `withScenario()`.
    public var cause: String? { report.cause }
    /// The remedy. `nil` if none is known, or before `withScenario()`.
    public var remedy: String? { report.remedy }
    /// The run's use of Core Data as a scenario file, shrunk once more. `faultline replay` runs the
    /// scenario without the code. `nil` before `withScenario()`. Also `nil` if the failure needs
    /// the code, for example because code waits for code or counts.
    public var scenario: String? { report.scenario?.text }
    /// The scenario and a page that shows it, with the names of their files. Empty without a
    /// scenario.
    ///
    /// - Complexity: Some milliseconds for the page.
    public var files: [(name: String, text: String)] {
      guard let scenario = report.scenario else { return [] }
      let names = scenario.fileNames
      return [(names.scenario, scenario.text), (names.page, scenario.page)]
    }
    /// A text that says whether a shorter scenario is possible. `nil` without a scenario.
    public var certificate: String? { report.scenario?.certificate }

    /// Returns the failure with its cause, its remedy and its scenario.
    ///
    /// - Complexity: Some thousands of short runs, mostly less than a second. A debug build makes
    ///   fewer runs, because it looks for no certificate.
    public func withScenario() -> CodeFailure { CodeFailure(report.explained()) }

    static func finished(_ failures: [CodeFailure], by plan: TestPlan) -> [CodeFailure] {
      plan.finished(failures.map(\.report)).map { CodeFailure($0) }
    }

    /// Writes the scenario and its page into a folder, as files that are named after the scenario.
    /// Adds a number if another file has the name, and writes nothing if the same file exists. Does
    /// nothing without a scenario.
    public func saveScenario(in folder: String) throws { _ = try report.scenario?.save(in: folder) }

    /// The failure as text. It ends with the scenario if the test makes one run.
    public var description: String { report.description }
  }

  /// The error of a campaign on code with an unexpected failure, or without an expected violation.
  public struct UnexpectedCodeOutcome: Error, Sendable, CustomStringConvertible {
    /// Everything that the campaign found, expected failures included.
    public let report: CodeReport
    /// The failures that are neither expected nor allowed.
    public let failures: [CodeFailure]
    /// The expected kinds of violations that the campaign did not find.
    public let missing: [ViolationKind]

    /// The failures and the missing violations, as the failure message of a test.
    public var description: String {
      let head =
        "\(grouped(report.runs)) run\(report.runs == 1 ? "" : "s"), \(grouped(report.steps)) actions: "
        + "\(failures.count) kind\(failures.count == 1 ? "" : "s") of unexpected failure"
      return
        ([head] + missing.map { "expected, but not found: \($0.rawValue)" }
        + failures.map(\.description)).joined(separator: "\n\n")
    }
  }
#endif
