import Failures
package import Determinism
package import Execution
package import Generation
package import InputFiles
package import Invariants
package import ObjectModel
import PropertyTesting
import Prose
import Scenario
import ScenarioChecking
import Shrinking
import SimulatedCoreData
import Timelines
package import Vocabulary

/// The source of the models of a campaign's runs.
package enum ModelSource: Sendable {
  case file(path: String, ObjectModel, ModelNotes = ModelNotes())
  /// A new model is generated for each run.
  case generated

  package var isGenerated: Bool {
    if case .generated = self { true } else { false }
  }

  /// The value of `--model` that selects this source.
  package var name: String {
    switch self {
    case .file(let path, _, _): path
    case .generated: "generated"
    }
  }

  /// The model in the file, or `nil` for generated models.
  package var model: ObjectModel? {
    if case .file(_, let model, _) = self { model } else { nil }
  }

  /// The tables of the model in the file. Nil for generated models, because each run has a
  /// different model.
  var tables: RunTables? {
    if case .file(_, let model, _) = self { return RunTables(model) }
    return nil
  }

  /// The number of entities of the model in the file, or 0 for generated models.
  var entityCount: Int {
    if case .file(_, let model, _) = self { return model.entities.count }
    return 0
  }

  /// The path of the model that scenarios refer to. Nil if scenarios contain the model.
  package var path: String? {
    if case .file(let path, _, _) = self { return path }
    return nil
  }
}

/// All settings that determine a campaign.
package struct CampaignSettings: Sendable {
  package var models: [ModelSource]
  /// The designed stack. If nil, a stack is generated for each run.
  package var stack: Stack?
  /// The subjects of programs. If empty, programs mix all subjects.
  package var workloads: [Workload] = []
  /// The kinds of steps that runs may use.
  package var stepFilter = StepFilter()
  /// Step kinds that programs on a designed stack use, although usually only the design takes such
  /// steps.
  package var withSteps: [StepGenerator.Kind] = []
  package var profile = Profile.current
  /// Quirks that are turned on in addition to the quirks of the profile.
  package var withQuirks: [Quirk] = []
  package var withoutQuirks: [Quirk] = []
  package var bugs: [PlantedBug] = []
  package var limits = StackLimits()
  package var runs = 5_000
  package var steps = 60
  package var seed: UInt64 = 1
  package var strategy = SearchStrategy.portfolio
  /// The maximum number of runs in the search for each smallest example.
  package var shrinkBudget = 2_000
  /// A Boolean value that indicates whether runs start from rarely reached states of earlier runs.
  /// Guidance reaches more abstract states, but has not found planted bugs sooner.
  package var isGuided = false
  /// A Boolean value that indicates whether violations on generated stacks have proofs too.
  package var proves = false

  package init(models: [ModelSource]) { self.models = models }

  /// The level of the checks. The design is judged only if the stack is designed.
  package var checkLevel: CheckLevel { stack != nil ? .design : proves ? .proof : .soundness }

  package var quirks: QuirkSet {
    var quirks = profile.quirks
    for quirk in withQuirks { quirks.insert(quirk) }
    for quirk in withoutQuirks { quirks.remove(quirk) }
    return quirks
  }

  /// Returns the configuration of a run with its model. Draws a generated model from `choices`.
  package func configuration(
    for source: ModelSource, _ choices: inout Choices
  ) -> RunConfiguration {
    let model =
      switch source {
      case .file(_, let model, _): model
      case .generated: ModelGenerator().model(&choices)
      }
    var configuration = RunConfiguration(model: model, quirks: quirks)
    configuration.stack = stack
    configuration.workloads = workloads
    configuration.stepFilter =
      stack == nil
      ? stepFilter.adding(withSteps) : stepFilter.forDesign(allowing: withSteps)
    configuration.limits = limits
    configuration.bugs = PlantedBugSet(bugs)
    configuration.steps = steps
    configuration.strategy = strategy
    configuration.checkLevel = checkLevel
    return configuration
  }
}
