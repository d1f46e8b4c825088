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
///     @Test func `an import loses nothing`() async throws {
///       try await Fuzzer(model: "Notes.xcdatamodeld", stack: "import.stack", runs: 2_000)
///         .check()
///     }
///
/// Failures are thrown as an error whose description is the report: for each kind of failure the
/// smallest program that shows it as a diagram, the proof, the cause, what would prevent it, and
/// the line that replays it. Swift Testing and XCTest both show it as a failure of the test.
///
/// A campaign is a function of these values: it comes to the same on every machine, whatever else
/// runs. It has a thread for each core, and their number changes no result. In a release build it
/// costs about a fifth of a second for each hundred programs of 60 steps, and up to a few seconds
/// for each kind of failure that it finds, which is then shrunk.
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
  /// The promises that the stack has to keep, besides those of its file. They need a stack.
  public var promises: [Promise] = []
  /// The number of programs that are generated: 1 to 1,000,000,000.
  public var runs = 2_000
  /// The maximum number of steps of a program: 1 to 1,000,000. A `perform` with its block is one.
  public var steps = 60
  /// Decides everything: another seed means other programs.
  public var seed: UInt64 = 1
  /// Which release of Core Data is simulated where releases differ.
  public var profile = Profile.current
  /// The kinds of steps, such as `.insert`, and of fragments, such as `.editForm`, that programs
  /// consist of, besides steps that these need; empty for all kinds.
  public var onlySteps: [StepKind] = []
  /// The kinds of steps and fragments that programs do not use, unless another step needs one. A
  /// kind that is also in `onlySteps` is used.
  ///
  /// Left out by default are steps that say little about a stack: those against the rules, such as
  /// the use of a context on a wrong queue, and the suspension of queues that no step resumes.
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

  /// Makes a fuzzer, without a look at files or values: `check()` and `run()` throw `InvalidInput`
  /// if one cannot be used. `steps` and `withoutSteps` are set afterwards.
  ///
  /// - Parameters:
  ///   - model: The path of a model: `.xcdatamodeld`, `.xcdatamodel`, or `.model`.
  ///   - stack: The path of a `.stack` file; nil for generated stacks.
  ///   - promises: The promises that the stack has to keep, besides those of its file.
  ///   - runs: The number of programs that are generated: 1 to 1,000,000,000.
  ///   - seed: Decides everything: another seed means other programs. Any number.
  ///   - profile: Which release of Core Data is simulated where releases differ.
  ///   - onlySteps: The kinds of steps and fragments that programs consist of, besides steps that
  ///     these need; empty for all kinds.
  ///   - known: The path of a folder or file of scenarios, whose violations are known failures and
  ///     pass; nil for none.
  ///   - expected: Kinds of violations that are no failures and that must be found.
  ///   - allowed: Kinds of violations that are no failures, found or not.
  ///   - file: The source file from whose folder paths are seen; leave it out.
  public init(
    model: String, stack: String? = nil, promises: [Promise] = [], runs: Int = 2_000,
    seed: UInt64 = 1, profile: Profile = .current, onlySteps: [StepKind] = [], known: String? = nil,
    expected: [ViolationKind] = [], allowed: [ViolationKind] = [],
    file: String = #filePath
  ) {
    self.model = model
    self.stack = stack
    self.promises = promises
    self.runs = runs
    self.seed = seed
    self.profile = profile
    self.onlySteps = onlySteps
    self.known = known
    self.expected = expected
    self.allowed = allowed
    folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
  }

  /// Runs the campaign, and throws `UnexpectedOutcome` if it finds what it should not, does not
  /// find what it should, or exercises little. Throws `InvalidInput` if a file or a value cannot be
  /// used.
  public func check() async throws {
    let report = try await run()
    let failures = report.failures.filter { failure in
      failure.isDisagreement
        || failure.knownFailure == nil
          && failure.violation.map { !(expected + allowed).contains($0) } ?? true
    }
    let missing = expected.filter { kind in
      !report.failures.contains { $0.violation == kind }
    }
    if !failures.isEmpty || !missing.isEmpty || report.exercisesLittle {
      throw UnexpectedOutcome(report: report, failures: failures, missing: missing)
    }
  }

  /// Runs the campaign and returns its report, whatever was found. Throws `InvalidInput` if a file
  /// or a value cannot be used.
  public func run() async throws -> FuzzReport {
    try await besideTasks { try InvalidInput.reported(campaign) }
  }

  private func campaign() throws -> FuzzReport {
    let settings = try settings()
    let paths = try known.map { try ScenarioFile.paths(below: path($0)) } ?? []
    let scenarios = try paths.map { ($0, try ScenarioFile.read(path: $0)) }
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let report = FuzzCampaign(settings, jobs: cores).run(
      baseline: Baseline(known: KnownFailures(scenarios)))
    return FuzzReport(report, options: replayOptions)
  }

  private func settings() throws -> CampaignSettings {
    let modelPath = path(model)
    var (objectModel, notes) = try ModelFile.readNoting(path: modelPath)
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
    if !promises.isEmpty {
      guard let design = settings.stack else {
        throw InputError(file: "Fuzzer", message: "promises are about a stack; give one, 'stack:'")
      }
      (settings.stack, objectModel) = try adding(promises, to: design, of: objectModel)
    }
    settings.models = [.file(path: modelPath, objectModel, notes)]
    try Fuzzer.check(runs, named: "runs", in: 1...1_000_000_000)
    try Fuzzer.check(steps, named: "steps", in: 1...1_000_000)
    (settings.runs, settings.steps, settings.seed) = (runs, steps, seed)
    settings.profile = profile.simulated
    settings.stepFilter.only = onlySteps.map(\.generated)
    settings.stepFilter.without = withoutSteps.map(\.generated).filter {
      !settings.stepFilter.only.contains($0)
    }
    return settings
  }

  private func adding(
    _ promises: [Promise], to stack: Stack, of model: ObjectModel
  ) throws(InputError) -> (Stack, ObjectModel) {
    var promising = (stack: stack, model: model)
    for (index, promise) in promises.enumerated() {
      if promises[..<index].contains(promise) {
        throw InputError(file: "Fuzzer", message: "promise '\(promise.text)' is given twice")
      }
      do throws(TextError) {
        promising = try StackDesignText.adding(
          promise.text, to: promising.stack, of: promising.model)
      } catch {
        throw InputError(file: "Fuzzer", message: "promise '\(promise.text)': \(error.message)")
      }
    }
    return promising
  }

  /// As the tool checks its options of these names.
  private static func check(
    _ number: Int, named name: String, in range: ClosedRange<Int>
  ) throws(InputError) {
    guard !range.contains(number) else { return }
    throw InputError(
      file: "Fuzzer",
      message: "\(name) is \(number); it takes a number from \(range.lowerBound) to "
        + grouped(range.upperBound))
  }

  /// What the replay line needs besides seed, model and profile.
  private var replayOptions: String {
    let stack = stack.map { " --stack \(HumanReport.quoted(path($0)))" } ?? ""
    let steps = steps == 60 ? "" : " --steps \(steps)"
    let promises = promises.map { " --promise \(HumanReport.quoted($0.text))" }.joined()
    return stack + promises + steps + onlySteps.map { " --only-steps \($0.rawValue)" }.joined()
      + withoutSteps.filter { !onlySteps.contains($0) }.map { " --without-steps \($0.rawValue)" }
      .joined()
  }

  private func path(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(folder)/\(path)"
  }
}

extension Fuzzer.Profile {
  var simulated: Vocabulary.Profile {
    switch self {
    case .documented: .documented
    case .legacy: .legacy
    case .current: .current
    }
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
