#if os(Linux)
  import CodeReporting
  import LiveCode
  import PropertyTesting
  import Prose

  /// What a campaign on code came to.
  public struct CodeReport: Sendable, CustomStringConvertible {
    /// The number of runs.
    public let runs: Int
    /// The number of actions of all runs together; a save is one.
    public let steps: Int
    /// A number for all that could be observed: the same code and settings have the same.
    public let digest: UInt64
    /// Each failure once, the most severe first.
    public let failures: [CodeFailure]

    init(_ report: LiveCampaign.Report, _ origin: CodeOrigin) {
      (runs, steps, digest) = (
        report.campaign.runs, report.campaign.steps, report.campaign.digest
      )
      failures = report.found.map {
        CodeFailure(CodeFailureReport($0, in: report.campaign.runs, origin))
      }
    }

    /// A line for the campaign, and each failure.
    public var description: String {
      let head =
        "\(grouped(runs)) runs, \(grouped(steps)) actions: "
        + "\(failures.count) kind\(failures.count == 1 ? "" : "s") of failure"
      return ([head] + failures.map(\.description)).joined(separator: "\n\n")
    }
  }

  /// One kind of failure, with the smallest run that shows it.
  public struct CodeFailure: Error, Sendable, CustomStringConvertible {
    private var report: CodeFailureReport

    init(_ report: CodeFailureReport) { self.report = report }

    /// What it is called in the table of invariants: `lost update`.
    public var kind: String { report.kind }
    /// The same as a value; nil for a disagreement, an error, and code that waits for ever.
    public var violation: ViolationKind? { ViolationKind(rawValue: kind) }
    /// The number of runs that failed in this way.
    public var count: Int { report.count }
    /// The number of the first of them, from 1.
    public var firstRun: Int { report.firstRun }
    /// In a sentence, with what proves it.
    public var text: String { report.text }
    /// The smallest run, a line for each action: where in the source the block was handed over in
    /// which it happened, in which context, and what was done.
    public var trace: [String] { report.trace }
    /// What has to be changed for it not to happen; nil if that is not known, or if `withScenario`
    /// was not asked.
    public var cause: String? { report.cause }
    /// What would prevent it, likewise.
    public var remedy: String? { report.remedy }
    /// What the run did to Core Data as a scenario file, which `faultline replay` runs without
    /// the code, shrunk once more. Nil if `withScenario` was not asked, or if the run does not
    /// fail in this way without its code, as where code waits for code, or counts.
    public var scenario: String? { report.scenario?.text }
    /// The scenario and a page that shows it, with the names of their files; empty without one. The
    /// page costs some milliseconds.
    public var files: [(name: String, text: String)] {
      guard let scenario = report.scenario else { return [] }
      let names = scenario.fileNames
      return [(names.scenario, scenario.text), (names.page, scenario.page)]
    }
    /// Whether a shorter scenario is possible; nil without one.
    public var certificate: String? { report.scenario?.certificate }

    /// The failure with its cause, its remedy and its scenario. Costs some thousands of short runs,
    /// mostly less than a second; fewer in a debug build, which looks for no certificate.
    public func withScenario() -> CodeFailure { CodeFailure(report.explained()) }

    static func finished(_ failures: [CodeFailure], by plan: TestPlan) -> [CodeFailure] {
      plan.finished(failures.map(\.report)).map { CodeFailure($0) }
    }

    /// Writes the scenario and a page of it into a folder, as files that are named after it: with
    /// a number if another has the name, and not once more if it is there. Does nothing without a
    /// scenario.
    public func saveScenario(in folder: String) throws { _ = try report.scenario?.save(in: folder) }

    /// All of this for a reader.
    public var description: String { report.description }
  }

  /// A campaign on code found what it should not have, or did not find what it should.
  public struct UnexpectedCodeOutcome: Error, Sendable, CustomStringConvertible {
    /// Everything that the campaign found, expected failures included.
    public let report: CodeReport
    /// Neither expected nor allowed.
    public let failures: [CodeFailure]
    /// Expected, and not found.
    public let missing: [ViolationKind]

    /// What was found and what is missing, as the failure message of a test.
    public var description: String {
      let head =
        "\(grouped(report.runs)) runs, \(grouped(report.steps)) actions: "
        + "\(failures.count) kind\(failures.count == 1 ? "" : "s") of unexpected failure"
      return
        ([head] + missing.map { "expected and not found: \($0.rawValue)" }
        + failures.map(\.description)).joined(separator: "\n\n")
    }
  }
#endif
