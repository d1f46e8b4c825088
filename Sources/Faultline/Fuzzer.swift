import Failures
import Campaigns
import Foundation
import Generation
import InputFiles
import Invariants
import ObjectModel
import Prose
import Reporting
import Scenario
import SimulatedCoreData
import Vocabulary

/// A campaign for a test of your own: generated programs on your model and your stack, each step
/// compared with a reference model and checked against the invariants.
///
///     import Faultline
///     import Testing
///
///     @Test func `an import loses nothing`() throws {
///       try Fuzzer(model: "Notes.xcdatamodeld", stack: "import.stack", runs: 2_000).check()
///     }
///
/// What is wrong is thrown as an error whose description is the report: for each kind of failure
/// the smallest program that shows it as a diagram, the proof, the cause, what would prevent it,
/// and the line that replays it. Swift Testing and XCTest both show it as a failure of the test.
///
/// A campaign is a function of these values: it comes to the same on every machine, whatever else
/// runs. In a release build it costs about a fifth of a second for each hundred programs of 60
/// steps, and up to a few seconds for each kind of failure that it finds, which is then shrunk.
/// A debug build is some twenty times slower.
public struct Fuzzer: Sendable {
  /// Which behaviours of Core Data are simulated that contradict its documentation.
  public enum Profile: String, CaseIterable, Sendable {
    /// None: Core Data as Apple documents it.
    case documented
    /// Those of iOS 5 to 9.
    case legacy
    /// Those of today's systems.
    case current
  }

  /// The path of a model: `.xcdatamodeld`, `.xcdatamodel`, or `.model`, Faultline's own text.
  ///
  /// All paths are seen from the folder of the source file that makes the fuzzer, unless they begin
  /// with a slash.
  public var model: String
  /// The path of a `.stack` file that says which contexts there are, and what observes what; nil
  /// for generated ones.
  public var stack: String?
  /// How many programs are generated: one or more.
  public var runs = 2_000
  /// The most steps that a program has: one or more.
  public var steps = 60
  /// Decides everything: another seed means other programs.
  public var seed: UInt64 = 1
  /// Which release of Core Data is simulated where releases differ.
  public var profile = Profile.current
  /// What programs do: kinds of steps, such as `.insert`, or fragments, such as `.editForm`; empty
  /// is everything.
  public var onlySteps: [StepKind] = []
  /// What programs do not do. What is against the rules says little about a stack: contexts used
  /// from wrong queues, queues that no step resumes.
  public var withoutSteps: [StepKind] = [.illegal, .suspend]
  /// A folder or file of scenarios: a violation that one of them shows with the same cause is
  /// a known failure, and passes.
  public var known: String?
  /// Kinds of violations that are no failures, such as `.lostUpdate`, and that must be found:
  /// that a design is known to lose something should not change unseen.
  public var expected: [ViolationKind] = []
  /// Kinds of violations that are no failures, found or not.
  public var allowed: [ViolationKind] = []
  private let folder: String

  /// `file` is where paths are seen from; leave it out.
  public init(
    model: String, stack: String? = nil, runs: Int = 2_000, seed: UInt64 = 1,
    profile: Profile = .current, onlySteps: [StepKind] = [], known: String? = nil,
    expected: [ViolationKind] = [], allowed: [ViolationKind] = [],
    file: String = #filePath
  ) {
    self.model = model
    self.stack = stack
    self.runs = runs
    self.seed = seed
    self.profile = profile
    self.onlySteps = onlySteps
    self.known = known
    self.expected = expected
    self.allowed = allowed
    folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
  }

  /// Runs the campaign, and throws `UnexpectedOutcome` if it finds what it should not, or does not
  /// find what it should. Throws `InvalidInput` if a file or a value cannot be used.
  public func check() throws {
    let report = try run()
    let failures = report.failures.filter { failure in
      failure.isDisagreement
        || failure.knownFailure == nil
          && failure.violation.map { !(expected + allowed).contains($0) } ?? true
    }
    let missing = expected.filter { kind in
      !report.failures.contains { $0.violation == kind }
    }
    if !failures.isEmpty || !missing.isEmpty {
      throw UnexpectedOutcome(report: report, failures: failures, missing: missing)
    }
  }

  /// Runs the campaign and returns its report, whatever was found. Throws `InvalidInput` if a file
  /// or a value cannot be used.
  public func run() throws -> FuzzReport {
    try InvalidInput.reported(campaign)
  }

  private func campaign() throws -> FuzzReport {
    let settings = try settings()
    let paths = try known.map { try ScenarioFile.paths(below: path($0)) } ?? []
    let scenarios = try paths.map { ($0, try ScenarioFile.read(path: $0)) }
    let report = FuzzCampaign(settings).run(knownFailures: KnownFailures(scenarios))
    return FuzzReport(report, options: replayOptions)
  }

  private func settings() throws -> CampaignSettings {
    let modelPath = path(model)
    var objectModel = try ModelFile.read(path: modelPath)
    if objectModel.concreteEntities.isEmpty {
      throw InputError(file: modelPath, message: "no entity of which objects could be made")
    }
    var settings = CampaignSettings(models: [])
    if let stack = stack.map(path) {
      let design = try StackDesign(path: stack)
      if let problem = design.campaignProblem {
        throw InputError(file: stack, message: "the stack \(problem)")
      }
      guard let suiting = design.model(suiting: objectModel) else {
        throw InputError(
          file: stack, message: "the stack names entities of another model than \(modelPath)")
      }
      (settings.stack, objectModel) = (design.stack, suiting)
    }
    settings.models = [.file(path: modelPath, objectModel)]
    for (name, number) in [("runs", runs), ("steps", steps)] where number < 1 {
      throw InputError(file: "Fuzzer", message: "\(name) is \(number); it takes one or more")
    }
    (settings.runs, settings.steps, settings.seed) = (runs, steps, seed)
    settings.profile = Vocabulary.Profile(rawValue: profile.rawValue) ?? .current
    settings.stepFilter.only = onlySteps.map(\.generated)
    settings.stepFilter.without = withoutSteps.map(\.generated).filter {
      !settings.stepFilter.only.contains($0)
    }
    return settings
  }

  /// What the replay line needs besides seed, model and profile.
  private var replayOptions: String {
    let stack = stack.map { " --stack \(HumanReport.quoted(path($0)))" } ?? ""
    let steps = steps == 60 ? "" : " --steps \(steps)"
    return stack + steps + onlySteps.map { " --only-steps \($0.rawValue)" }.joined()
      + withoutSteps.filter { !onlySteps.contains($0) }.map { " --without-steps \($0.rawValue)" }
      .joined()
  }

  private func path(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(folder)/\(path)"
  }
}

extension StepKind {
  /// The kind that the generator draws: steps of some names are chosen with others.
  fileprivate var generated: StepGenerator.Kind {
    guard let kind = StepGenerator.Kind(named: rawValue) else {
      preconditionFailure("the generator draws no '\(rawValue)'")
    }
    return kind
  }
}
