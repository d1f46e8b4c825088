import Campaigns
import Foundation
import InputFiles
import ObjectModel
import Prose
import Scenario
import Vocabulary

/// The stack that `--stack` names, from a stack file, a scenario, or `Fixtures/Stacks`.
enum StackOption {
  private static let folder = "Fixtures/Stacks"

  static func read(_ name: String) throws -> StackDesign {
    let design = try find(name)
    if let problem = design.campaignProblem {
      throw UsageError(message: "the stack of \(name) \(problem)")
    }
    return design
  }

  /// Returns the names of the stacks in the checkout.
  static func allNames() throws -> [String] {
    let names = StackFile.names(in: Checkout.path(folder) ?? folder)
    if names.isEmpty {
      throw UsageError(
        message: "no \(folder) here; run this inside a checkout or give '--stack FILE'")
    }
    return names
  }

  /// Returns the path of the file that `--stack` names, or nil if there is no such file.
  static func file(_ name: String) -> String? {
    let path = isPath(name) ? name : known(name)
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  private static func isPath(_ name: String) -> Bool {
    name.hasSuffix(".scenario") || name.hasSuffix(".stack") || name.contains("/")
  }

  /// Returns the path of a stack of the checkout.
  private static func known(_ name: String) -> String {
    "\(Checkout.path(folder) ?? folder)/\(name).stack"
  }

  private static func find(_ name: String) throws -> StackDesign {
    if name.hasSuffix(".scenario") { return try StackDesign(path: name) }
    let folder = Checkout.path(folder) ?? folder
    let known = StackFile.names(in: folder)
    if isPath(name) {
      if let meant = meant(by: name, known) {
        throw UsageError(
          message: "'--stack \(name)' is not a file; did you mean '--stack \(meant)'?")
      }
      try FileKind(name).expect(.stack, name)
      return try StackFile.read(path: name)
    }
    try FileKind(name).expect(.stack, name)
    guard known.contains(name) else {
      if let meant = meant(by: name, known) {
        throw UsageError(message: "'--stack \(name)' is not a stack; did you mean '\(meant)'?")
      }
      let all =
        known.isEmpty
        ? "give a .stack or .scenario file"
        : "'faultline stacks --list' lists all stacks, and '--stack FILE' takes a .stack or .scenario file"
      throw UsageError(
        message: Prose.unknown("no stack is called", name, of: known, otherwise: all))
    }
    return try StackFile.read(path: Self.known(name))
  }

  /// Returns the stack that the path of a missing file probably means. This is a stack of the
  /// project, or a file whose extension is missing in the path.
  private static func meant(by name: String, _ known: [String]) -> String? {
    let files = FileManager.default
    if files.fileExists(atPath: name) { return nil }
    if files.fileExists(atPath: name + ".stack") { return name + ".stack" }
    let last = name.split(separator: "/").last.map(String.init) ?? name
    let bare = last.hasSuffix(".stack") ? String(last.dropLast(6)) : last
    return known.contains(bare) ? bare : nil
  }

  /// Adds the promises that `--promise` options give to the stack of a campaign.
  static func add(_ promises: [String], to settings: inout CampaignSettings) throws(UsageError) {
    guard !promises.isEmpty else { return }
    guard let stack = settings.stack else {
      throw UsageError(message: "'--promise' needs a stack; add '--stack NAME'")
    }
    guard settings.models.count == 1,
      case .file(let path, let model, let notes) = settings.models[0]
    else {
      settings.stack = try adding(promises, to: stack)
      return
    }
    var promising = (stack: stack, model: model)
    for promise in promises {
      do throws(TextError) {
        promising = try StackDesignText.adding(promise, to: promising.stack, of: promising.model)
      } catch {
        throw UsageError(message: "'--promise \(promise)': \(error.message)")
      }
    }
    settings.stack = promising.stack
    settings.models = [.file(path: path, promising.model, notes)]
  }

  /// Returns a stack for all models with promises that name no entity.
  private static func adding(
    _ promises: [String], to stack: Stack
  ) throws(UsageError) -> Stack {
    var stack = stack
    for promise in promises {
      do throws(TextError) {
        stack = try StackDesignText.adding(
          promise, to: stack, of: ObjectModel(entities: [])
        ).stack
      } catch {
        throw UsageError(
          message: "'--promise \(promise)': \(error.message). A promise that names entities needs "
            + "exactly one '--model PATH', or a stack that names its model")
      }
    }
    return stack
  }

  /// Returns the path of a stack's model for use in an option. A stack file gives the path relative
  /// to its own folder.
  private static func path(ofModelOf design: StackDesign, _ name: String) -> String? {
    guard let path = design.modelPath else { return nil }
    let folder = URL(fileURLWithPath: file(name) ?? name).deletingLastPathComponent().relativePath
    let beside = folder == "." ? path : folder + "/" + path
    return FileManager.default.fileExists(atPath: beside) ? beside : path
  }

  /// Returns the path of the model that a stack file names, or nil if it names none.
  static func ownModel(of design: StackDesign, _ name: String) -> String? {
    name.hasSuffix(".scenario") ? nil : path(ofModelOf: design, name)
  }

  /// Returns the models of a campaign that suit a stack. All models do, unless the stack names
  /// entities.
  static func models(
    _ models: [ModelSource], for design: StackDesign, _ name: String
  ) throws(UsageError) -> [ModelSource] {
    guard design.stack.namesEntities else { return models }
    guard models.count == 1, case .file(let path, let model, let notes) = models[0] else {
      throw UsageError(
        message: "the stack of \(name) names entities; add '--model "
          + "\(path(ofModelOf: design, name) ?? "PATH")', the model of the stack")
    }
    guard let suiting = design.model(suiting: model) else {
      throw UsageError(
        message:
          "the stack of \(name) names entities that \(path) does not have; give its model with '--model'"
      )
    }
    return [.file(path: path, suiting, notes)]
  }
}
