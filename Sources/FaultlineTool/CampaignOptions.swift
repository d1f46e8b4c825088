import Faultline
import Foundation
import ObjectModel
import Scenario
import SimulatedCoreData
import Vocabulary

/// The options that say what a run is like; `fuzz` and `replay` share them, so that a seed means the
/// same to both.
enum CampaignOptions {
  static let names = [
    "model", "stack", "profile", "with", "without", "steps", "strategy", "contexts", "roots",
    "policy",
    "plant",
  ]

  static let help = """
      --model PATH       .xcdatamodeld, .xcdatamodel or .model, or 'generated'; may be repeated
      --stack FILE       the stack of a scenario file, instead of made-up stacks
      --profile NAME     documented, legacy or current (default)
      --with QUIRK       turns on a quirk that the profile lacks; may be repeated
      --without QUIRK    turns one quirk of the profile off; may be repeated
      --steps N          steps of a program at the most (60); a perform with its block is one
      --strategy NAME    inOrder, random or mixed (default)
      --contexts N       contexts of a made-up stack at the most (5)
      --roots N          root contexts at the most (3)
      --policy NAME      the only merge policy: error, mergeByPropertyStoreTrump,
                         mergeByPropertyObjectTrump, overwrite, rollback
      --plant BUG        breaks the engine on purpose, to see that it is found; may be repeated
    """

  static let knownHelp = """
      --known FOLDER     scenarios that document known violations (those of the checkout)
    """

  static func settings(_ arguments: Arguments) throws -> CampaignSettings {
    var settings = CampaignSettings(models: try models(arguments.texts("model")))
    if let path = arguments.text("stack") {
      let scenario = try ScenarioFile.read(path: path)
      guard settings.models.count == 1, case .file(_, let model) = settings.models[0] else {
        throw UsageError(message: "'--stack' needs one '--model' that the stack is for")
      }
      guard
        scenario.stack.stores.allSatisfy({ $0.entities == nil })
          || scenario.model.entities.map(\.name) == model.entities.map(\.name)
      else {
        throw UsageError(
          message:
            "the stores of \(path) name entities of another model than \(settings.models[0].name)")
      }
      settings.stack = scenario.stack
      settings.stackName = path
      // Observers speak of objects by name; those of a made-up program have other names.
      if scenario.stack.observers.contains(where: { observer in
        observer.steps.contains { step in
          var usesNames = false
          step.visitNames { _ in usesNames = true }
          return usesNames
        }
      }) {
        throw UsageError(
          message: "an observer in \(path) names an object; a campaign's programs make up their own"
        )
      }
    }
    if let profile = try arguments.choice("profile", Profile.self) { settings.profile = profile }
    (settings.withQuirks, settings.withoutQuirks) = try quirks(arguments)
    settings.bugs = try arguments.members("plant", of: PlantedBug.allCases, called: "planted bug") {
      $0.name
    }
    settings.steps = try arguments.number("steps", in: 1...1_000_000) ?? settings.steps
    settings.strategy =
      try arguments.choice("strategy", RunConfiguration.Strategy.self) ?? settings.strategy
    settings.limits.contextCount =
      try arguments.number("contexts", in: 1...64) ?? settings.limits.contextCount
    settings.limits.rootCount =
      try arguments.number("roots", in: 1...64) ?? settings.limits.rootCount
    if let policy = try arguments.choice("policy", MergePolicy.self) {
      settings.limits.mergePolicies = [policy]
    }
    return settings
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

  /// The scenarios that `--known` names, or else those of the checkout, if there is one.
  static func edgeCases(_ arguments: Arguments) throws -> EdgeCases {
    let folder = arguments.text("known") ?? Checkout.path("Scenarios")
    let paths = try folder.map { try ScenarioFile.paths(below: $0) } ?? []
    let edgeCases = EdgeCases(try paths.map { ($0, try ScenarioFile.read(path: $0)) })
    if edgeCases.isEmpty {
      Tool.note("no scenarios are given, so no violation is known; see --known")
    }
    return edgeCases
  }

  /// Without `--model`: the models of `Fixtures/Models`, where there are any, and made-up ones.
  private static func models(_ paths: [String]) throws -> [ModelSource] {
    if paths.isEmpty {
      let folder = Checkout.path("Fixtures/Models") ?? ""
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let found = try names.sorted().filter {
        $0.hasSuffix(".model") || $0.hasSuffix(".xcdatamodeld")
      }.map { name in
        let path = "\(folder)/\(name)"
        return ModelSource.file(path: path, try readModel(path))
      }
      return found + [.generated]
    }
    return try paths.map { path in
      path == "generated" ? .generated : .file(path: path, try readModel(path))
    }
  }

  private static func readModel(_ path: String) throws -> ObjectModel {
    let model = try ModelFile.read(path: path)
    guard !model.concreteEntities.isEmpty else {
      throw UsageError(message: "\(path): no entity of which objects could be made")
    }
    return model
  }

  /// What a replay line has to repeat.
  static func repeated(_ arguments: Arguments) -> String {
    var text = ""
    for name in names + ["known"] where name != "model" && name != "profile" {
      for value in arguments.texts(name) { text += " --\(name) \(value)" }
    }
    return text
  }
}
