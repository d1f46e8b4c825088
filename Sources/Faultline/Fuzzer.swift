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

/// A campaign for a test of your own. A fuzzer runs generated programs on your model and your
/// stack, compares each step with a reference model, and checks it against the invariants.
///
///     import Faultline
///     import Testing
///
///     @Test func `an import loses nothing`() async throws {
///       try await Fuzzer(model: "Notes.xcdatamodeld", stack: "import.stack", runs: 2_000)
///         .check()
///     }
///
/// Failures are thrown as an error whose description is the report. For each kind of failure, the
/// report shows the smallest program as a diagram, with proof, cause, remedy and replay command.
/// Swift Testing and XCTest both show the error as a failure of the test.
///
/// A campaign is a function of these settings, with the same result on every machine. The campaign
/// uses a thread for each core, but their number does not affect results. In a release build, a
/// hundred programs of 60 steps take about a fifth of a second. Shrinking takes up to a few seconds
/// for each kind of failure. A debug build is about twenty times slower.
public struct Fuzzer: Sendable {
  /// A set of simulated behaviours of Core Data that contradict its documentation.
  public enum Profile: String, CaseIterable, Sendable {
    /// No such behaviours: Core Data as Apple documents it.
    case documented
    /// The behaviours of iOS 5 to 9.
    case legacy
    /// The behaviours of current systems.
    case current
  }

  /// The path of a model: `.xcdatamodeld`, `.xcdatamodel`, or `.model`, Faultline's own text
  /// format.
  ///
  /// All paths are relative to the folder of the source file that creates the fuzzer, unless they
  /// begin with a slash.
  public var model: String
  /// The path of a `.stack` file that declares the contexts and observers. If `nil`, stacks are
  /// generated.
  public var stack: String?
  /// The promises that the stack must keep, in addition to the promises of its file. Promises
  /// require a stack.
  public var promises: [Promise] = []
  /// The number of programs to generate: 1 to 1,000,000,000.
  public var runs = 2_000
  /// The maximum number of steps of a program: 1 to 1,000,000. A `perform` with its block counts as
  /// one.
  public var steps = 60
  /// The seed that decides all choices. Another seed generates other programs.
  public var seed: UInt64 = 1
  /// The release of Core Data to simulate, where releases differ.
  public var profile = Profile.current
  /// The kinds of steps, such as `.insert`, and of fragments, such as `.editForm`, that programs
  /// consist of. Programs also use steps that these require. Empty for all kinds.
  public var onlySteps: [StepKind] = []
  /// The kinds of steps and fragments that programs do not use, unless another step requires one. A
  /// kind that is also in `onlySteps` is used.
  ///
  /// The default excludes kinds that reveal little about a stack. These are illegal steps, such as
  /// using a context on a wrong queue, and suspending queues that no step resumes.
  public var withoutSteps: [StepKind] = [.illegal, .suspend]
  /// The path of a folder or file of scenarios. A violation that one of them shows with the same
  /// cause is a known failure, which does not fail the test.
  public var known: String?
  /// Kinds of violations, such as `.lostUpdate`, that must be found and that are not failures. With
  /// them, a test fails if a known defect of the design disappears.
  public var expected: [ViolationKind] = []
  /// Kinds of violations that are not failures, whether found or not.
  public var allowed: [ViolationKind] = []
  /// A Boolean value that indicates whether warnings are failures.
  public var isStrict = false
  private let folder: String

  /// Creates a fuzzer, without checking files or values. Set `steps` and `withoutSteps` afterwards.
  /// `check()` and `run()` throw `InvalidInput` if a file or a value cannot be used.
  ///
  /// - Parameters:
  ///   - model: The path of a model: `.xcdatamodeld`, `.xcdatamodel`, or `.model`.
  ///   - stack: The path of a `.stack` file. If `nil`, stacks are generated.
  ///   - promises: The promises that the stack must keep, in addition to the promises of its file.
  ///   - runs: The number of programs to generate: 1 to 1,000,000,000.
  ///   - seed: The seed that decides all choices. Any number.
  ///   - profile: The release of Core Data to simulate, where releases differ.
  ///   - onlySteps: The kinds of steps and fragments that programs consist of, in addition to
  ///     steps that these require. Empty for all kinds.
  ///   - known: The path of a folder or file of scenarios, whose violations are known failures.
  ///     `nil` for none.
  ///   - expected: Kinds of violations that must be found and that are not failures.
  ///   - allowed: Kinds of violations that are not failures, whether found or not.
  ///   - isStrict: A Boolean value that indicates whether warnings are failures.
  ///   - file: The source file to whose folder paths are relative. Omit it.
  public init(
    model: String, stack: String? = nil, promises: [Promise] = [], runs: Int = 2_000,
    seed: UInt64 = 1, profile: Profile = .current, onlySteps: [StepKind] = [], known: String? = nil,
    expected: [ViolationKind] = [], allowed: [ViolationKind] = [], isStrict: Bool = false,
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
    self.isStrict = isStrict
    folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
  }

  /// Runs the campaign.
  ///
  /// - Throws: `UnexpectedOutcome` if a failure other than a warning is unexpected, an expected
  ///   violation is missing, or too few programs saved anything. `InvalidInput` if a file or a
  ///   value cannot be used.
  public func check() async throws {
    if let outcome = unexpectedOutcome(of: try await run()) { throw outcome }
  }

  /// Returns the error that `check()` throws for a report, or `nil` if the campaign passes.
  package func unexpectedOutcome(of report: FuzzReport) -> UnexpectedOutcome? {
    let failures = unexpected(in: report).filter { !$0.isWarning }
    let missing = expected.filter { kind in
      !report.failures.contains { $0.violation == kind }
    }
    if failures.isEmpty, missing.isEmpty, !report.exercisesLittle { return nil }
    return UnexpectedOutcome(report: report, failures: failures, missing: missing)
  }

  /// Returns the failures, warnings included, that are neither known nor expected nor allowed.
  package func unexpected(in report: FuzzReport) -> [FuzzFailure] {
    report.failures.filter { failure in
      failure.isDisagreement
        || failure.knownFailure == nil
          && failure.violation.map { !(expected + allowed).contains($0) } ?? true
    }
  }

  /// Runs the campaign and returns its report, with or without failures.
  ///
  /// - Throws: `InvalidInput` if a file or a value cannot be used.
  public func run() async throws -> FuzzReport {
    try await besideTasks { try InvalidInput.reported(campaign) }
  }

  private func campaign() throws -> FuzzReport {
    let settings = try settings()
    let paths = try known.map { try ScenarioFile.paths(below: path($0)) } ?? []
    let scenarios = try paths.map { ($0, try ScenarioFile.read(path: $0)) }
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let report = FuzzCampaign(settings, jobs: cores).run(
      baseline: Baseline(known: KnownFailures(scenarios), isStrict: isStrict))
    return FuzzReport(report, options: replayOptions)
  }

  private func settings() throws -> CampaignSettings {
    let modelPath = path(model)
    var (objectModel, notes) = try ModelFile.readNoting(path: modelPath)
    if objectModel.concreteEntities.isEmpty {
      throw InputError(file: modelPath, message: "the model has no entity that can have objects")
    }
    var settings = CampaignSettings(models: [])
    if let stack = stack.map(path) {
      let design = try StackDesign(path: stack)
      if let problem = design.campaignProblem {
        throw InputError(file: stack, message: "the stack \(problem)")
      }
      guard let suiting = design.model(suiting: objectModel) else {
        throw InputError(
          file: stack, message: "the stack names entities of a model that differs from \(modelPath)"
        )
      }
      (settings.stack, objectModel) = (design.stack, suiting)
    }
    if !promises.isEmpty {
      guard let design = settings.stack else {
        throw InputError(file: "Fuzzer", message: "promises need a stack; add 'stack:'")
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

  /// Checks a number, as the tool checks its option of the same name.
  private static func check(
    _ number: Int, named name: String, in range: ClosedRange<Int>
  ) throws(InputError) {
    guard !range.contains(number) else { return }
    throw InputError(
      file: "Fuzzer",
      message: "\(name) is \(number); it takes a number from \(range.lowerBound) to "
        + grouped(range.upperBound))
  }

  /// The options of the replay line besides seed, model and profile.
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
  /// The kind that generates such steps. Steps of some names are drawn with others.
  fileprivate var generated: StepGenerator.Kind {
    guard let kind = StepGenerator.Kind(named: rawValue) else {
      preconditionFailure("the generator draws no '\(rawValue)'")
    }
    return kind
  }
}
