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

/// Where a campaign's runs get their models.
package enum ModelSource: Sendable {
  case file(path: String, ObjectModel, ModelNotes = ModelNotes())
  /// Generated anew for each run.
  case generated

  /// What `--model` takes to get it again.
  package var name: String {
    switch self {
    case .file(let path, _, _): path
    case .generated: "generated"
    }
  }

  /// Nil for those that are generated: each run has another.
  var tables: RunTables? {
    if case .file(_, let model, _) = self { return RunTables(model) }
    return nil
  }

  /// 0 for those that are generated.
  var entityCount: Int {
    if case .file(_, let model, _) = self { return model.entities.count }
    return 0
  }

  /// The path that scenarios refer to; nil where they contain the model.
  package var path: String? {
    if case .file(let path, _, _) = self { return path }
    return nil
  }
}

/// All that decides what a campaign does.
package struct CampaignSettings: Sendable {
  package var models: [ModelSource]
  /// Generated for each run if nil.
  package var stack: Stack?
  /// What programs are about; none is a bit of everything.
  package var workloads: [Workload] = []
  /// Kinds of steps that runs keep to, or do without.
  package var stepFilter = StepFilter()
  /// Kinds that programs on a designed stack have although they are left to designs.
  package var withSteps: [StepGenerator.Kind] = []
  package var profile = Profile.current
  /// Quirks that are turned on besides the profile's.
  package var withQuirks: [Quirk] = []
  /// Quirks that are turned off.
  package var withoutQuirks: [Quirk] = []
  package var bugs: [PlantedBug] = []
  package var limits = StackLimits()
  package var runs = 5_000
  package var steps = 60
  package var seed: UInt64 = 1
  package var strategy = SearchStrategy.portfolio
  /// How many runs the search for each smallest example may take.
  package var shrinkBudget = 2_000
  /// Whether runs go back to what few before them have come to. That reaches more abstract states,
  /// and has not found planted bugs sooner.
  package var isGuided = false
  /// Whether violations come with their proof although the stack is generated.
  package var proves = false

  package init(models: [ModelSource]) { self.models = models }

  /// How much is judged: a design only where there is one.
  package var checkLevel: CheckLevel { stack != nil ? .design : proves ? .proof : .soundness }

  package var quirks: QuirkSet {
    var quirks = profile.quirks
    for quirk in withQuirks { quirks.insert(quirk) }
    for quirk in withoutQuirks { quirks.remove(quirk) }
    return quirks
  }

  /// The model of a run, and how it is set up.
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
    // A generated stack has no design.
    configuration.checkLevel = checkLevel
    return configuration
  }
}
