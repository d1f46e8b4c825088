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

/// The options that say what a run is like; `fuzz` and `replay` share them, so that a seed means
/// the same to both.
enum CampaignOptions {
  static let names = [
    "model", "stack", "profile", "with", "without", "steps", "strategy", "contexts", "roots",
    "policy", "workload", "only-steps", "without-steps", "with-steps",
    "plant",
  ]

  static let help = """
      --model PATH       .xcdatamodeld, .xcdatamodel or .model, or 'generated'; may be repeated
      --stack NAME       a stack of Fixtures/Stacks, or a .stack or .scenario file, instead of
                         generated stacks
      --profile NAME     documented, legacy or current (default)
      --with QUIRK       turns on a quirk that the profile lacks; may be repeated
      --without QUIRK    turns one quirk of the profile off; may be repeated
      --steps N          maximum number of steps of a program (60); a perform with its block is one
      --strategy NAME    how schedules are searched:
    \(strategies)
      --contexts N       maximum number of contexts of a generated stack (5); not with --stack
      --roots N          maximum number of root contexts (3); not with --stack
      --policy NAME      the only merge policy: error, mergeByPropertyStoreTrump,
                         mergeByPropertyObjectTrump, overwrite, rollback; not with --stack
      --workload NAME    what programs are about, besides a bit of everything: importObjects,
                         editForm, showList, syncDeletions, countFromTwoPlaces, insertRelated,
                         cancelHalfway, rearrangeList; may be repeated
      --only-steps KIND     what programs do, a kind of step as reports count them or a workload, and
                         what such a step needs besides; may be repeated. Kinds of several steps:
                             illegal        steps that must fail or have no effect
                             writeConflict  two contexts change one object and save
                             waitForWork    a context is at work, and another one waits for it
                             repeatedRead   two contexts read before and after one of them saves
      --without-steps KIND  what they do not do; may be repeated
      --with-steps KIND     what programs on a --stack do only if they are asked to, since a program
                         that does it fails by itself; may be repeated:
    \(leftToDesigns)
    """

  /// Not for what ends in a file that cannot say so.
  static let plantHelp = """
      --plant BUG        breaks the engine on purpose, to see that it is found; may be repeated
    """

  private static var leftToDesigns: String {
    wrapped(
      StepFilter.leftToDesigns.map(\.name).joined(separator: ", "),
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
      --jobs N           threads that run programs, and shrink what failed (1); the report is the same
                         for any number
    """

  /// How many threads `--jobs` asks for.
  static func jobs(_ arguments: Arguments) throws(UsageError) -> Int {
    try arguments.number("jobs", in: 1...256) ?? 1
  }

  static let knownHelp = """
      --known FOLDER     a folder or file of scenarios: what they show is a known failure, besides what
                         those of the checkout show; may be repeated. 'none' leaves out those of
                         the checkout
    """

  static func settings(_ arguments: Arguments) throws -> CampaignSettings {
    var settings = CampaignSettings(models: try models(arguments.texts("model")))
    if let name = arguments.text("stack") {
      for option in ["contexts", "roots", "policy"] where arguments.text(option) != nil {
        throw UsageError(
          message:
            "'--\(option)' is about generated stacks; leave it out, the stack of '--stack' says "
            + "itself what contexts and policies it has")
      }
      let design = try StackOption.read(name)
      if name.hasSuffix(".scenario"), arguments.texts("model").isEmpty, !design.stack.namesEntities
      {
        Tool.note("of \(name) the stack is taken, and not the model; '--model' says which")
      }
      settings.models = try StackOption.models(settings.models, for: design, name)
      settings.stack = design.stack
    }
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

  /// What `--plant` names.
  static func bugs(_ arguments: Arguments) throws(UsageError) -> [PlantedBug] {
    try arguments.members("plant", of: PlantedBug.allCases, called: "planted bug") { $0.name }
  }

  /// What `--with` and `--without` name.
  static func quirks(_ arguments: Arguments) throws(UsageError) -> (on: [Quirk], off: [Quirk]) {
    let on = try arguments.members("with", of: Quirk.allCases, called: "quirk") { $0.name }
    let off = try arguments.members("without", of: Quirk.allCases, called: "quirk") { $0.name }
    if let quirk = on.first(where: off.contains) {
      throw UsageError(message: "'\(quirk.name)' stands behind --with and --without; choose one")
    }
    return (on, off)
  }

  /// What `--only-steps` and `--without-steps` name.
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
          ? "'\(wanted)' stands behind --only-steps and --without-steps; choose one"
          : "'\(wanted)' behind --only-steps and '\(unwanted)' behind --without-steps are of one kind, "
            + "'\(kind?.name ?? wanted)'; choose one")
    }
    var stepFilter = StepFilter()
    stepFilter.only = only.compactMap(StepGenerator.Kind.init(named:))
    stepFilter.without = without.compactMap(StepGenerator.Kind.init(named:))
    return stepFilter
  }

  /// What `--with-steps` names.
  private static func withSteps(_ arguments: Arguments) throws(UsageError) -> [StepGenerator.Kind] {
    let names = try arguments.members(
      "with-steps", of: StepFilter.leftToDesigns.map(\.name), called: "kind of step"
    ) { $0 }
    if !names.isEmpty, arguments.text("stack") == nil {
      throw UsageError(
        message: "'--with-steps' is about programs on a stack of '--stack'; others have all kinds")
    }
    return names.compactMap(StepGenerator.Kind.init(named:))
  }

  /// Behind `--known`: without the scenarios of the checkout.
  private static let none = "none"

  /// The scenarios that `--known` names, and then those of the checkout, if there is one.
  static func knownFailures(
    _ arguments: Arguments, willRun: () -> Void = {}
  ) throws -> KnownFailures {
    let given = arguments.texts("known")
    let checkout = given.contains(none) ? nil : Checkout.path("Scenarios")
    if given.isEmpty, checkout == nil {
      Tool.note("no Scenarios folder found, so no failure counts as known; give --known")
    }
    var paths: [String] = []
    var seen: Set<String> = []
    for folder in given.filter({ $0 != none }) + [checkout].compactMap(\.self) {
      let found = try ScenarioFile.paths(below: folder)
      guard !found.isEmpty else {
        throw InputError(file: folder, message: "has no scenarios; --known reads those")
      }
      paths += found.filter { path in
        seen.insert(URL(fileURLWithPath: path).resolvingSymlinksInPath().path).inserted
      }
    }
    let scenarios = try ScenarioFiles.readAll(paths)
    if !scenarios.isEmpty { willRun() }
    return KnownFailures(scenarios)
  }

  /// Without `--model`: the models of `Fixtures/Models`, where there are any, and generated ones.
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
      throw UsageError(message: "\(path): no entity of which objects could be made")
    }
    return .file(path: path, model, notes)
  }

  /// What a replay line has to repeat.
  static func repeated(_ arguments: Arguments) -> String {
    var text = ""
    for name in names + ["known"] where name != "model" && name != "profile" {
      for value in arguments.texts(name) { text += " --\(name) \(HumanReport.quoted(value))" }
    }
    return text
  }
}
