import Failures
import Campaigns
import Foundation
import Invariants
import Prose
import Reporting
import Scenario
import ScenarioChecking
import Timelines
import Vocabulary

/// The result of a campaign.
public struct FuzzReport: Sendable, CustomStringConvertible {
  /// The number of programs that ran.
  public let runs: Int
  /// The number of steps of all programs together.
  public let steps: Int
  /// A digest of everything observable. Equal settings have equal digests, on every machine.
  public let digest: UInt64
  /// Each kind of failure once, new failures first.
  public let failures: [FuzzFailure]
  /// A Boolean value that indicates whether fewer than one program in ten saved anything to a
  /// store. Then a campaign without failures means nothing. `false` for campaigns of fewer than 20
  /// programs.
  public let exercisesLittle: Bool
  /// The whole report, as `faultline fuzz` prints it.
  public let description: String

  init(_ report: CampaignReport, options: String) {
    (runs, steps, digest) = (report.runs, report.steps, report.digest)
    exercisesLittle = report.exercisesLittle
    let human = HumanReport(report, tool: Self.tool, options: options)
    failures = (report.disagreements + report.violations).map {
      FuzzFailure($0, section: human.text(of: $0), replay: human.replay($0))
    }
    description = human.text
  }

  /// The path of the tool in the checkout that contains this library, or its name if the tool was
  /// not built there.
  private static let tool: String = {
    let library = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let checkout = library.deletingLastPathComponent().deletingLastPathComponent()
    let path = checkout.appendingPathComponent(".build/release/faultline").path
    return FileManager.default.isExecutableFile(atPath: path) ? path : "faultline"
  }()
}

/// A kind of failure that a campaign found, with the smallest program that shows it.
///
/// A failure is an error that a test can record by itself. In Swift Testing, attach its scenario:
///
///     for failure in try await Fuzzer(model: "Notes.model").run().failures {
///       Attachment.record(failure.scenario, named: failure.scenarioName)
///       Issue.record(failure)
///     }
public struct FuzzFailure: Error, Sendable, CustomStringConvertible {
  /// The name in the table of invariants, such as `lost update`.
  public let kind: String
  /// The kind of violation, or `nil` for a disagreement.
  public let violation: ViolationKind?
  /// The number of programs that failed in this way. 0 if the failure appeared only in shrinking
  /// another failure.
  public let count: Int
  /// The number of the first program that failed in this way, from 1. 0 if the failure appeared
  /// only in shrinking another failure.
  public let firstRun: Int
  /// The change that would prevent the failure. `nil` for a disagreement that no planted bug
  /// explains.
  public let cause: String?
  /// The remedy, or `nil` if none is known.
  public let remedy: String?
  /// The smallest program as a diagram, with a column for each queue and time downwards.
  public let diagram: String
  /// The smallest program as the text of a scenario file, which `faultline replay` runs.
  public let scenario: String
  /// The suggested name of the scenario file.
  public let scenarioName: String
  /// The command that replays a run with such a failure. The run need not be the smallest program.
  public let replay: String
  /// The path of a known scenario that shows the same failure with the same cause, or `nil`.
  public let knownFailure: String?
  /// A Boolean value that indicates whether engine and reference model disagree, which is a bug of
  /// Faultline, not of your stack.
  public let isDisagreement: Bool
  /// A Boolean value that indicates whether the failure is a warning: the app shows old data,
  /// mistakes objects or delays the user. A warning fails no campaign that is not strict.
  public let isWarning: Bool
  /// The whole failure as text.
  public let description: String
  private let invariant: String?
  private let proof: String?
  private let stack: String
  private let runs: Int
  private let run: RunReport

  /// A text for an issue of a test: the violated invariant, the proof, the stack, the diagram, the
  /// cause, the remedy, and the command that replays a run with the failure.
  public var summary: String {
    let share = count == 0 ? "" : " (in \(grouped(count)) of \(grouped(runs)) programs)"
    let head = ["\(kind)\(share)", invariant.map { "violated: \($0)" }, proof, "stack: \(stack)"]
    let end = [
      cause.map { "cause: \($0)" }, remedy.map { "remedy: \($0)" }, "a run that fails: \(replay)",
    ]
    return (head + ["", diagram, ""] + end).compactMap(\.self).joined(separator: "\n")
  }

  /// The counterexample as a page that steps through it.
  ///
  /// - Complexity: Some milliseconds.
  public var page: String {
    var run = run
    run.exploreExample()
    return TimelinePage(run, title: kind).html
  }

  init(_ failure: FailureReport, section: String, replay: String) {
    (runs, invariant) = (failure.runs, failure.invariant?.sentence)
    (proof, stack) = (failure.details, failure.example.stackInWords)
    run = RunReport(failure, command: replay)
    kind = failure.kind.name
    violation = ViolationKind(rawValue: failure.kind.name)
    (count, firstRun) = (failure.count, failure.firstRun)
    cause = failure.causeText
    remedy = failure.remedy
    diagram = LaneDiagram(failure.timeline, marking: failure.kind).lines.joined(separator: "\n")
    var example = failure.example
    example.modelPath = nil
    scenario = ScenarioText.print(example)
    scenarioName = "\(example.name).scenario"
    self.replay = replay
    knownFailure = failure.standing == .known ? failure.precedent : nil
    isDisagreement = failure.invariant == nil
    isWarning = failure.standing == .warning
    description = section
  }
}

/// The error of a campaign with an unexpected failure, or without an expected violation.
public struct UnexpectedOutcome: Error, Sendable, CustomStringConvertible {
  /// Everything that the campaign found, expected failures included.
  public let report: FuzzReport
  /// The failures that are neither known nor expected nor allowed.
  public let failures: [FuzzFailure]
  /// The expected kinds of violations that the campaign did not find.
  public let missing: [ViolationKind]

  /// The failures and the missing violations, as the failure message of a test.
  public var description: String {
    var parts = [
      "\(grouped(report.runs)) programs, \(grouped(report.steps)) steps: "
        + "\(failures.count) kind\(failures.count == 1 ? "" : "s") of unexpected failure"
    ]
    if report.exercisesLittle { parts.append("too few programs saved anything to a store") }
    parts += missing.map { "expected, but not found: \($0.rawValue)" }
    parts += failures.map { "\($0)\n\n\($0.scenario)" }
    return parts.joined(separator: "\n")
  }
}
