import Campaigns
import Execution
import Failures
import InputFiles
import Invariants
import ObjectModel
import Reporting
import Scenario
import ScenarioChecking
import Timelines
import Vocabulary

/// The replay of a kept example on a stack as it is now.
struct ReplayOnStack {
  private let path: String
  private let name: String
  private let design: Stack
  /// The model of the stack as it is now, or `nil` for the model of the example.
  private let model: ObjectModel?
  private let bugs: PlantedBugSet

  /// - Throws: `UsageError` for options that a replay on a stack does not take, and an error if the
  ///   stack cannot be read.
  init(path: String, stack name: String, _ arguments: Arguments) throws {
    let others =
      (CampaignOptions.names + CampaignOptions.baselineOptions + ["outcome", "explain"])
      .filter { !["stack", "model", "plant"].contains($0) } + TimelineOptions.names
    for option in others where arguments.has(option) {
      throw UsageError(
        message: "'--\(option)' does not apply to a replay with '--stack'; leave it out")
    }
    (self.path, self.name) = (path, name)
    let design = try StackOption.read(name)
    self.design = design.stack
    model =
      try (arguments.text("model") ?? StackOption.ownModel(of: design, name))
      .map { path in
        let model = try ModelFile.read(path: path)
        return design.stack.namesEntities ? design.model(suiting: model) ?? model : model
      }
    bugs = PlantedBugSet(try CampaignOptions.bugs(arguments))
  }

  /// Prints the run if it fails, and the verdict.
  ///
  /// - Returns: The exit code: 0 if the stack prevents the failure, 1 if it does not, 2 if the
  ///   example is about another stack.
  func run() throws -> Int32 {
    var example = try RegressionCase(path: path)
    if let model {
      do { try example.adopt(model) } catch {
        throw UsageError(
          message: "\(path) was kept with another model, and the present one lacks a part of it: "
            + error.message)
      }
    }
    switch example.verdict(on: design, bugs: bugs) {
    case .fails(let program):
      var configuration = RunConfiguration(
        model: example.scenario.model, quirks: example.scenario.quirkSet)
      (configuration.bugs, configuration.checkLevel) = (bugs, .design)
      configuration.stack = design
      let (outcome, timeline) = ProgramRunner(configuration).timeline(of: program)
      for line in LaneDiagram(timeline, marking: example.kind, upTo: 400).lines { print(line) }
      ReplayCommand.advise(RunReport(timeline, outcome, of: example.scenario, configuration))
      print("FAIL  \(name) still shows \(example.kind)")
      return 1
    case .passes:
      print("PASS  \(name) no longer shows \(example.kind)")
      return 0
    case .isRuledOut:
      print("PASS  \(name) does not allow the steps of the example")
      return 0
    case .isAboutAnotherStack:
      throw UsageError(
        message: "\(path) uses a context, observer, entry point or promise that \(name) does not "
          + "have")
    }
  }
}
