import Campaigns
import Execution
import Foundation
import Generation
import InputFiles
import ObjectModel
import Prose
import Reporting
import Scenario
import SimulatedCoreData
import Vocabulary

/// The options that determine a run. `fuzz` and `replay` share them, so that a seed means the same
/// program in both commands.
enum CampaignOptions {
  static let names = [
    "model", "stack", "promise", "profile", "with", "without", "steps", "strategy", "contexts",
    "roots",
    "policy", "workload", "only-steps", "without-steps", "with-steps",
    "plant",
  ]

  static let help = """
      --model PATH       .xcdatamodeld, .xcdatamodel or .model, or 'generated'; may be repeated; without
                         it, the model that the stack names, or those of Fixtures/Models and
                         generated ones
      --stack NAME       a stack of Fixtures/Stacks, or a .stack or .scenario file, instead of
                         generated stacks
      --promise TEXT     what the design must keep, such as 'unique Record.remoteID' or 'view shows the
                         store at rest'; with --stack and, if it names entities, one model; may be
                         repeated
      --profile NAME     documented, legacy or current (default)
      --with QUIRK       turns on a quirk that the profile lacks; may be repeated
      --without QUIRK    turns off a quirk of the profile; may be repeated
      --steps N          maximum number of steps of a program (60); a perform with its block is one step
      --strategy NAME    how to choose schedules:
    \(strategies)
      --contexts N       maximum number of contexts of a generated stack (5); not with --stack
      --roots N          maximum number of root contexts (3); not with --stack
      --policy NAME      the only merge policy: error, mergeByPropertyStoreTrump,
                         mergeByPropertyObjectTrump, overwrite, rollback; not with --stack
      --workload NAME    a common task that programs perform among other steps: importObjects,
                         editForm, showList, syncDeletions, countFromTwoPlaces, insertRelated,
                         cancelHalfway, rearrangeList, moveObjects, pageList; may be repeated
      --only-steps KIND     generates only steps of this kind, or of a workload, and the steps that they
                         need; may be repeated. Reports list the kinds. Kinds of several steps:
                             illegal        steps that must fail or have no effect
                             writeConflict  two contexts change one object and save
                             waitForWork    one context is busy, and another one waits for it
                             repeatedRead   two contexts read before and after one of them saves
                             query          a fetch over relationships, or of computed dictionaries
      --without-steps KIND  generates no steps of this kind; may be repeated
      --with-steps KIND     generates steps of this kind, too; may be repeated. Programs on a --stack omit
                         the kinds below by default. Their steps would cause failures of their own, or
                         belong in the app's own code. Programs on generated stacks omit only
                         destroyStore and policy. The kinds:
    \(onRequest)
    """

  /// Help on `--plant`. Commands that write files in which a planted bug cannot be recorded omit
  /// it.
  static let plantHelp = """
      --plant BUG        plants a bug in the engine, to check that campaigns find it; may be repeated
    """

  private static var onRequest: String {
    wrapped(
      StepFilter.onRequest.map(\.name).joined(separator: ", "),
      after: String(repeating: " ", count: 25), indentation: 25, at: ", "
    ).joined(separator: "\n")
  }

  private static var strategies: String {
    SearchStrategy.all.map { strategy in
      let gap = String(repeating: " ", count: 15 - strategy.name.count)
      return String(repeating: " ", count: 25) + strategy.name + gap + strategy.summary
    }.joined(separator: "\n")
  }

  static let jobsHelp = """
      --jobs N           number of threads (the number of cores); the report is the same for any number
    """

  private static let jobLimit = 256

  /// Returns the number of threads that `--jobs` requests, or else the number of cores.
  static func jobs(_ arguments: Arguments) throws(UsageError) -> Int {
    try arguments.number("jobs", in: 1...jobLimit)
      ?? min(jobLimit, max(1, ProcessInfo.processInfo.activeProcessorCount))
  }

  static let knownHelp = """
      --known FOLDER     a folder or file of scenarios whose failures count as known; may be repeated.
                         Failures of the checkout's scenarios count as known, too. Exception: with
                         --model or --stack, the report only names the scenario that shows the same
                         failure. 'none' ignores the checkout's scenarios
    """

  static let baselineOptions = ["known", "only", "allow", "strict"]

  static let baselineHelp = """
    \(knownHelp)
      --only NAME        a group (design, framework, misuse) or a kind of violation, such as 'lost update':
                         no other failure fails the campaign; may be repeated. On a --stack, misuse
                         counts only if it is named here
      --allow NAME       a group or a kind of violation that does not fail the campaign; may be repeated
      --strict           warnings fail the campaign, too: failures that show old data, mistake objects
                         or delay the user
    """

  static func settings(_ arguments: Arguments) throws -> CampaignSettings {
    var settings = CampaignSettings(models: try models(arguments.texts("model")))
    if let name = arguments.text("stack") {
      for option in ["contexts", "roots", "policy"] where arguments.text(option) != nil {
        throw UsageError(
          message:
            "'--\(option)' applies to generated stacks; leave it out, because the stack of "
            + "'--stack' declares its contexts and policies")
      }
      let design = try StackOption.read(name)
      if name.hasSuffix(".scenario"), arguments.texts("model").isEmpty, !design.stack.namesEntities
      {
        Tool.note("\(name): only the stack is used, not its model; name a model with '--model'")
      }
      if arguments.texts("model").isEmpty, let own = StackOption.ownModel(of: design, name) {
        settings.models = try models([own])
      }
      settings.models = try StackOption.models(settings.models, for: design, name)
      settings.stack = design.stack
    }
    try StackOption.add(arguments.texts("promise"), to: &settings)
    if let profile = try arguments.choice("profile", Profile.self) { settings.profile = profile }
    (settings.withQuirks, settings.withoutQuirks) = try quirks(arguments)
    settings.bugs = try bugs(arguments)
    settings.workloads = try arguments.members(
      "workload", of: Workload.allCases, called: "workload"
    ) { $0.rawValue }
    settings.stepFilter = try stepFilter(arguments)
    settings.withSteps = try withSteps(arguments)
    settings.steps = try arguments.number("steps", in: 1...1_000_000) ?? settings.steps
    settings.strategy =
      try arguments.members("strategy", of: SearchStrategy.all, called: "strategy") { $0.name }
      .last ?? settings.strategy
    settings.limits.contextCount =
      try arguments.number("contexts", in: 1...64) ?? settings.limits.contextCount
    settings.limits.rootCount =
      try arguments.number("roots", in: 1...64) ?? settings.limits.rootCount
    if let policy = try arguments.choice("policy", MergePolicy.self) {
      settings.limits.mergePolicies = [policy]
    }
    return settings
  }

  /// Returns the bugs that `--plant` names.
  static func bugs(_ arguments: Arguments) throws(UsageError) -> [PlantedBug] {
    try arguments.members("plant", of: PlantedBug.allCases, called: "planted bug") { $0.name }
  }

  /// Returns the quirks that `--with` and `--without` name.
  static func quirks(_ arguments: Arguments) throws(UsageError) -> (on: [Quirk], off: [Quirk]) {
    let on = try arguments.members("with", of: Quirk.allCases, called: "quirk") { $0.name }
    let off = try arguments.members("without", of: Quirk.allCases, called: "quirk") { $0.name }
    if let quirk = on.first(where: off.contains) {
      throw UsageError(message: "'\(quirk.name)' is given to both --with and --without; choose one")
    }
    return (on, off)
  }

  /// Returns the kinds of steps that `--only-steps` and `--without-steps` name.
  private static func stepFilter(_ arguments: Arguments) throws(UsageError) -> StepFilter {
    func names(_ option: String) throws(UsageError) -> [String] {
      try arguments.members(option, of: StepGenerator.Kind.names, called: "kind of step") { $0 }
    }
    let (only, without) = (try names("only-steps"), try names("without-steps"))
    for wanted in only {
      let kind = StepGenerator.Kind(named: wanted)
      guard let unwanted = without.first(where: { StepGenerator.Kind(named: $0) == kind }) else {
        continue
      }
      throw UsageError(
        message: wanted == unwanted
          ? "'\(wanted)' is given to both --only-steps and --without-steps; choose one"
          : "'\(wanted)' of --only-steps and '\(unwanted)' of --without-steps are the same kind, "
            + "'\(kind?.name ?? wanted)'; choose one")
    }
    var stepFilter = StepFilter()
    stepFilter.only = only.compactMap(StepGenerator.Kind.init(named:))
    stepFilter.without = without.compactMap(StepGenerator.Kind.init(named:))
    return stepFilter
  }

  /// Returns the kinds of steps that `--with-steps` names.
  private static func withSteps(_ arguments: Arguments) throws(UsageError) -> [StepGenerator.Kind] {
    let names = try arguments.members(
      "with-steps", of: StepFilter.onRequest.map(\.name), called: "kind of step"
    ) { $0 }
    let kinds = names.compactMap(StepGenerator.Kind.init(named:))
    if arguments.text("stack") == nil, let kind = kinds.first(where: { !$0.isOnDemand }) {
      throw UsageError(
        message:
          "'--with-steps \(kind.name)' needs '--stack'; programs on generated stacks have these "
          + "steps anyway")
    }
    return kinds
  }

  /// The value with which `--known` ignores the scenarios of the checkout, and `--failures` keeps
  /// no failures.
  private static let none = "none"

  /// Returns the failures that do not fail the campaign or the replay of one of its runs.
  static func baseline(_ arguments: Arguments) throws -> Baseline {
    func filters(_ option: String) throws -> [FailureFilter] {
      try arguments.members(option, of: FailureFilter.all, called: "group or kind of violation") {
        $0.name
      }
    }
    let (allowed, only) = (try filters("allow"), try filters("only"))
    return Baseline(
      known: try knownFailures(arguments), allowed: allowed, only: only,
      isStrict: arguments.has("strict"))
  }

  /// Returns the failures of the scenarios that `--known` names, followed by those of the checkout.
  /// For an app's own model or stack, failures of the checkout's scenarios do not count as known.
  private static func knownFailures(_ arguments: Arguments) throws -> KnownFailures {
    let given = arguments.texts("known")
    let isOwn = !arguments.texts("model").isEmpty || arguments.text("stack") != nil
    let checkout = given.contains(none) ? nil : Checkout.path("Scenarios")
    if given.isEmpty, checkout == nil, !isOwn {
      Tool.note("no Scenarios folder found, so no failure counts as known; give one with --known")
    }
    var paths: [String] = []
    var accepted: Set<String> = []
    var seen: Set<String> = []
    for folder in given.filter({ $0 != none }) + [checkout].compactMap(\.self) {
      let found = try ScenarioFile.paths(below: folder)
      guard !found.isEmpty else {
        throw InputError(
          file: folder, message: "has no scenarios; --known takes a folder or file of scenarios")
      }
      let new = found.filter { path in
        seen.insert(URL(fileURLWithPath: path).resolvingSymlinksInPath().path).inserted
      }
      paths += new
      if folder != checkout || given.contains(folder) || !isOwn {
        accepted.formUnion(new)
      }
    }
    return KnownFailures(try ScenarioFiles.readAll(paths)) { accepted.contains($0) }
  }

  /// Returns the folder that `--failures` names, or else the folder of examples for the stack or
  /// model. Returns nil if failures should not or cannot be kept.
  static func failures(
    _ arguments: Arguments, of campaign: Arguments, _ settings: CampaignSettings,
    part: Shard = .whole
  ) throws -> RegressionCorpus? {
    if let path = arguments.text("failures") {
      return path == none ? nil : try RegressionCorpus(path: path)
    }
    do {
      let path = try ExampleFolder.make(
        stack: campaign.text("stack"), settings, part: part)
      return try RegressionCorpus(path: path, isOfLastCampaign: true)
    } catch {
      Tool.note("\(error.description); examples are not kept")
      return nil
    }
  }

  /// Replays the kept failures before new programs run.
  static func replay(
    _ failures: inout RegressionCorpus?, _ settings: CampaignSettings, _ baseline: Baseline
  ) {
    failures?.replay(
      on: settings.stack, model: settings.models.count == 1 ? settings.models[0].model : nil,
      bugs: PlantedBugSet(settings.bugs), baseline: baseline, clock: Progress.clock)
  }

  /// Returns the given models. Without `--model`, returns the models in `Fixtures/Models`, if any,
  /// and generated models.
  private static func models(_ paths: [String]) throws -> [ModelSource] {
    if paths.isEmpty {
      let folder = Checkout.path("Fixtures/Models") ?? ""
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let found = try names.sorted().filter {
        $0.hasSuffix(".model") || $0.hasSuffix(".xcdatamodeld")
      }.map { name in
        let path = "\(folder)/\(name)"
        return try readModel(path)
      }
      return found + [.generated]
    }
    return try paths.map { path in
      path == "generated" ? .generated : try readModel(path)
    }
  }

  private static func readModel(_ path: String) throws -> ModelSource {
    try FileKind(path).expect(.model, path)
    let (model, notes) = try ModelFile.readNoting(path: path)
    guard !model.concreteEntities.isEmpty else {
      throw UsageError(message: "\(path): has only abstract entities, so no object can be created")
    }
    return .file(path: path, model, notes)
  }

  /// Returns the options that a replay command must repeat.
  static func repeated(_ arguments: Arguments) -> String {
    let names = (names + baselineOptions).filter { $0 != "model" && $0 != "profile" }
    return arguments.given(names) { "\($0) \(HumanReport.quoted($1))" }.map { " \($0)" }.joined()
  }
}
