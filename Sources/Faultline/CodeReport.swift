#if os(Linux)
  import Campaigns
  import Execution
  import Failures
  import Foundation
  import LiveCode
  import PropertyTesting
  import Prose
  import Scenario
  import ScenarioChecking
  import Shrinking
  import Vocabulary

  /// What a campaign on code came to.
  public struct CodeReport: Sendable, CustomStringConvertible {
    /// The number of runs.
    public let runs: Int
    /// The number of actions of all runs together; a save is one.
    public let steps: Int
    /// A number for all that could be observed: the same code and settings have the same.
    public let digest: UInt64
    /// Each kind of failure once, in the order in which they were found.
    public let failures: [CodeFailure]

    init(_ report: LiveCampaign.Report, _ campaign: LiveCampaign) {
      (runs, steps, digest) = (
        report.campaign.runs, report.campaign.steps, report.campaign.digest
      )
      failures = report.found.map { CodeFailure($0, campaign) }
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
    /// What it is called in the table of invariants: `lost update`.
    public let kind: String
    /// The same as a value; nil for a disagreement, an error, and code that waits for ever.
    public let violation: ViolationKind?
    /// The number of runs that failed in this way.
    public let count: Int
    /// The number of the first of them, from 1.
    public let firstRun: Int
    /// In a sentence.
    public let text: String
    /// The smallest run, a line for each action: where in the source the block was handed over in
    /// which it happened, in which context, and what was done.
    public let trace: [String]
    /// What the run did to Core Data as a scenario file, which `faultline replay` runs without
    /// the code, shrunk once more. Nil if `withScenario` was not asked, or if the run does not
    /// fail in this way without its code, as where code waits for code, or counts.
    public private(set) var scenario: String?
    /// Whether a shorter scenario is possible; nil without one.
    public private(set) var certificate: String?
    private let recorded: RecordedFailure?

    init(_ found: LiveCampaign.Found, _ campaign: LiveCampaign) {
      recorded = found.recorded.map {
        RecordedFailure(
          program: $0.program, failure: $0.failure, run: found.finding.firstIndex + 1,
          seed: campaign.seed, profile: campaign.profile)
      }
      kind = found.failure.identity
      violation = ViolationKind(rawValue: found.failure.identity)
      (count, firstRun) = (found.finding.count, found.finding.firstIndex + 1)
      text = found.failure.text
      trace = found.trace
    }

    /// The failure with its scenario. Costs some thousands of short runs, mostly less than a
    /// second; fewer in a debug build, which looks for no certificate.
    public func withScenario() -> CodeFailure {
      guard scenario == nil, let recorded else { return self }
      var failure = self
      let (scenario, certificate) = recorded.scenario()
      let text = ScenarioText.print(
        scenario.claimingWhatHolds(quirks: recorded.profile.quirks))
      // What only code can be judged by, such as a count that is lost, would pass unseen.
      guard text.contains("\n  shows  \(kind)\n") else { return self }
      failure.scenario = text
      failure.certificate = certificate
      return failure
    }

    /// Writes the scenario into a folder, as a file that is named after it: with a number if
    /// another has the name, and not once more if it is there. Does nothing without a scenario.
    public func saveScenario(in folder: String) throws {
      guard let scenario else { return }
      let stem = kind.split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
      let folder = URL(fileURLWithPath: folder, isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for number in 1... {
        let name = number == 1 ? stem : "\(stem)-\(number)"
        let text = scenario.replacing("scenario  \(stem)\n", with: "scenario  \(name)\n")
        let file = folder.appendingPathComponent("\(name).scenario")
        do {
          return try Data(text.utf8).write(to: file, options: .withoutOverwriting)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
          if try String(contentsOf: file, encoding: .utf8) == text { return }
        }
      }
    }

    /// All of this for a reader.
    public var description: String {
      let head =
        "\(kind): in \(grouped(count)) run\(count == 1 ? "" : "s"), the first of them number "
        + "\(firstRun)"
      let lines = [head, text] + trace.map { "  \($0)" }
      let again = ["again: check(run: \(firstRun)) { … }"]
      guard let scenario, let certificate else { return (lines + again).joined(separator: "\n") }
      let steps = ["", "without the code, \(certificate):", ""]
      return (lines + again + steps).joined(separator: "\n") + "\n" + scenario
    }
  }

  /// A run that fails without its code.
  private struct RecordedFailure: Sendable {
    let program: Program
    let failure: FailureSignature
    let run: Int
    let seed: UInt64
    let profile: Profile

    func scenario() -> (Scenario, certificate: String) {
      var settings = CampaignSettings(models: [])
      (settings.profile, settings.seed) = (profile, seed)
      let campaign = FuzzCampaign(settings)
      #if DEBUG
        // The search for a certificate takes minutes there.
        return (
          campaign.shrink(failure, recordedAs: program, inRun: run),
          "not certified: only a release build, swift test -c release, looks for a shorter one"
        )
      #else
        let report = campaign.describe(failure, recordedAs: program, inRun: run)
        return (report.example, report.certificate.sentence)
      #endif
    }
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
