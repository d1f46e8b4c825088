import Failures
import Campaigns
import Execution
import Foundation
import InputFiles
import Invariants
import Prose
import Scenario
import ScenarioChecking
import SimulatedCoreData

/// The command `faultline scenario new`, which writes a run of a campaign as the draft of a
/// scenario.
enum ScenarioNew {
  /// The options of the command. `known` occurs in replay lines, so it is accepted and ignored.
  static let options = ["shows", "to", "known"] + CampaignOptions.names

  static func run(_ operands: [String], _ arguments: Arguments) throws -> Int32 {
    guard operands.count == 1 else {
      throw UsageError(
        message:
          "scenario new takes one seed and the options of its campaign; copy both from a replay line"
      )
    }
    guard let seed = RunSeed(operands[0]) else {
      throw UsageError(
        message:
          "'\(operands[0])' is not a seed; give a number such as 7 or 0x1f2e3d, and the options of "
          + "the campaign's replay line")
    }
    let target = try target(arguments)
    var (scenario, outcome) = try run(seed, arguments)
    let path = target ?? "\(scenario.name).scenario"
    try checkIsFree(path)
    scenario.name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    scenario.modelPath = nil
    scenario.prose =
      [
        "Describe here what happens, in which context, and why. Begin with a summary of one sentence."
      ]
      + scenario.prose.drop { !$0.isEmpty && !$0.hasPrefix("Violated") }
    if let problem = scenario.problemOfText {
      throw UsageError(
        message:
          "'\(scenario.name)' cannot be the name of a scenario (\(problem)); choose another file name "
          + "with --to, of letters, digits and hyphens")
    }
    try ScenarioFile.write(
      scenario.claimingWhatHolds(quirks: scenario.quirkSet).withoutNeedlessQuirks(), to: path)
    print(
      "\(path): written; \(extent(outcome, shows: arguments.text("shows"))); describe it in its first lines, "
        + "and delete steps that it does not need"
    )
    return 0
  }

  /// Returns the run of a seed, shrunk to one violation if it has any, and the outcome of the
  /// complete run.
  static func run(_ seed: RunSeed, _ arguments: Arguments) throws -> (Scenario, Outcome) {
    let (failure, scenario, outcome) = try find(seed, arguments)
    return (failure?.example ?? scenario, outcome)
  }

  /// Returns the run of a seed, shrunk to one violation if it has any, with that violation as a
  /// claim.
  static func counterexample(_ seed: RunSeed, _ arguments: Arguments) throws -> Scenario {
    let (failure, scenario, _) = try find(seed, arguments)
    return failure.map { $0.kept(as: $0.example.name) } ?? scenario
  }

  /// Returns the violation that the run of a seed shows, if any, and the complete run.
  private static func find(
    _ seed: RunSeed, _ arguments: Arguments
  ) throws -> (FailureReport?, Scenario, Outcome) {
    let settings = try CampaignOptions.settings(arguments)
    guard settings.models.count == 1 else {
      throw UsageError(
        message: "a seed means a program on one model; add the '--model' of the campaign's report")
    }
    let campaign = FuzzCampaign(settings)
    var choices = campaign.choices(seed, settings.models[0])
    let outcome = campaign.run(settings.models[0], &choices)
    let failure = try kind(outcome, arguments.text("shows")).map { kind in
      campaign.failure(kind, ofRun: seed, settings.models[0])
    }
    let scenario = Scenario(
      outcome.program, name: "run-\(seed.seeds[0])", source: "seed \(seed.text)",
      profile: settings.profile, quirks: settings.quirks,
      watch: [.awakeFromInsert, .receive, .becamePermanent])
    return (failure, scenario, outcome)
  }

  /// Returns a text about the part of the run that the scenario contains.
  private static func extent(_ outcome: Outcome, shows asked: String?) -> String {
    guard let first = outcome.worstFailureKind else {
      return "this run violates no invariant, so the scenario has all of its steps"
    }
    let kind = asked ?? first.name
    let others = outcome.failureKinds.map(\.name).filter { $0 != kind }
    return "it shows \(kind)"
      + (others.isEmpty
        ? "" : "; choose another violation with --shows: \(others.joined(separator: ", "))")
  }

  /// Returns the violation that the scenario should show, or nil if the run has no violation.
  private static func kind(_ outcome: Outcome, _ asked: String?) throws(UsageError) -> FailureKind?
  {
    let kinds = outcome.failureKinds
    guard let asked else { return outcome.worstFailureKind }
    guard let kind = FailureKind(asked) else {
      throw UsageError(
        message: "unknown violation '\(asked)'; "
          + suggestion(for: asked, among: FailureKind.violations.map(\.name)))
    }
    if kinds.contains(kind) { return kind }
    let all =
      kinds.isEmpty
      ? "it violates no invariant" : "it shows \(kinds.map(\.name).joined(separator: ", "))"
    throw UsageError(message: "the run does not show '\(asked)'; \(all)")
  }

  private static func target(_ arguments: Arguments) throws -> String? {
    guard let path = arguments.text("to") else { return nil }
    guard path.hasSuffix(".scenario") else {
      throw UsageError(message: "'--to \(path)' must end in .scenario")
    }
    try checkIsFree(path)
    try TextFile.checkCanWrite(path)
    return path
  }

  /// Throws an error if the file exists, because the command never overwrites a file.
  private static func checkIsFree(_ path: String) throws(InputError) {
    if FileManager.default.fileExists(atPath: path) {
      throw InputError(file: path, message: "exists; choose another with --to FILE")
    }
  }
}
