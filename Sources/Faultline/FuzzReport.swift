import Failures
import Campaigns
import Invariants
import Prose
import Reporting
import Scenario
import Timelines
import Vocabulary

/// What a campaign came to.
public struct FuzzReport: Sendable, CustomStringConvertible {
  /// The number of programs that ran.
  public let runs: Int
  /// The number of steps of all these programs together.
  public let steps: Int
  /// A number for all that could be observed: the same settings have the same, on every machine.
  public let digest: UInt64
  /// Each kind of failure once, new ones first.
  public let failures: [FuzzFailure]
  /// True if fewer than one program of ten saved anything to a store: that no failure was found
  /// means nothing then. Campaigns of fewer than 20 programs are not judged.
  public let exercisesLittle: Bool
  /// The whole report, as `faultline fuzz` prints it.
  public let description: String

  init(_ report: CampaignReport, options: String) {
    (runs, steps, digest) = (report.runs, report.steps, report.digest)
    exercisesLittle = report.exercisesLittle
    let human = HumanReport(report, tool: "faultline", options: options)
    failures = (report.disagreements + report.violations).map {
      FuzzFailure($0, section: human.text(of: $0), replay: human.replay($0))
    }
    description = human.text
  }
}

/// One kind of failure that a campaign found, with the smallest program that shows it.
///
/// As an error it can be recorded by itself, in Swift Testing with its scenario attached:
///
///     for failure in try await Fuzzer(model: "Notes.model").run().failures {
///       Attachment.record(failure.scenario, named: failure.scenarioName)
///       Issue.record(failure)
///     }
public struct FuzzFailure: Error, Sendable, CustomStringConvertible {
  /// What it is called in the table of invariants: `lost update`.
  public let kind: String
  /// The same as a value; nil for a disagreement.
  public let violation: ViolationKind?
  /// The number of programs that failed in this way; 0 if only shrinking another failure met it.
  public let count: Int
  /// The number of the first program that failed in this way, from 1; 0 if only shrinking met it.
  public let firstRun: Int
  /// What has to be changed for it not to happen; nil for a disagreement that no planted bug
  /// explains.
  public let cause: String?
  /// What would prevent it, where there is something to be said.
  public let remedy: String?
  /// The smallest program as a diagram: a column for each queue, time downwards.
  public let diagram: String
  /// The smallest program as the text of a scenario file, which `faultline replay` runs.
  public let scenario: String
  /// What a file with it should be called.
  public let scenarioName: String
  /// The command that replays a run with such a failure, from which the example need not be taken.
  public let replay: String
  /// The scenario that shows the same with the same cause, if one does.
  public let knownFailure: String?
  /// True if engine and reference model disagree: a bug of Faultline, not of your stack.
  public let isDisagreement: Bool
  /// All of this for a reader.
  public let description: String
  private let invariant: String?
  private let runs: Int
  private let run: RunReport

  /// The same in a few lines: what is violated, the diagram, cause and remedy.
  public var summary: String {
    let share = count == 0 ? "" : " (in \(grouped(count)) of \(grouped(runs)) programs)"
    let lines =
      ["\(kind)\(share)", invariant.map { "violated: \($0)" }, "", diagram, ""]
      + [cause.map { "cause: \($0)" }, remedy.map { "remedy: \($0)" }]
    return lines.compactMap(\.self).joined(separator: "\n")
  }

  /// The counterexample as a page that steps through it. Costs some milliseconds.
  public var page: String { TimelinePage(run, title: kind).html }

  init(_ failure: FailureReport, section: String, replay: String) {
    (runs, invariant) = (failure.runs, failure.invariant?.sentence)
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
    description = section
  }
}

/// A campaign found what it should not have, or did not find what it should.
public struct UnexpectedOutcome: Error, Sendable, CustomStringConvertible {
  /// Everything that the campaign found, expected failures included.
  public let report: FuzzReport
  /// Neither known nor expected nor allowed.
  public let failures: [FuzzFailure]
  /// Expected, and not found.
  public let missing: [ViolationKind]

  /// What was found and what is missing, as the failure message of a test.
  public var description: String {
    var parts = [
      "\(grouped(report.runs)) programs, \(grouped(report.steps)) steps: "
        + "\(failures.count) kind\(failures.count == 1 ? "" : "s") of unexpected failure"
    ]
    if report.exercisesLittle { parts.append("too few programs saved anything to a store") }
    parts += missing.map { "expected and not found: \($0.rawValue)" }
    parts += failures.map { "\($0)\n\n\($0.scenario)" }
    return parts.joined(separator: "\n")
  }
}
