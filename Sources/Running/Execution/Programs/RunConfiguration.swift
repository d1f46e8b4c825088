package import Failures
package import Generation
package import Invariants
package import ObjectModel
import ReferenceModel
import SimulatedCoreData
package import Vocabulary

/// Tables that both sides of a run derive from a model alone. Many runs share them.
package struct RunTables: Sendable {
  let engine: ModelTables
  let reference: ReferenceStack.ModelTables

  package init(_ model: ObjectModel) {
    (engine, reference) = (ModelTables(model), ReferenceStack.ModelTables(model))
  }
}

/// The setup of a run, apart from chance.
package struct RunConfiguration: Sendable {
  package var model: ObjectModel { didSet { tables = nil } }
  /// The tables that engine and reference model derive from the model, or `nil` if no earlier run
  /// has made them.
  package var tables: RunTables?
  /// The stack of every run. If `nil`, each run generates a stack.
  package var stack: Stack?
  /// The workloads that programs are about. If empty, programs mix all workloads.
  package var workloads: [Workload] = []
  package var stepFilter = StepFilter()
  package var limits = StackLimits()
  package var quirks: QuirkSet
  package var bugs = PlantedBugSet()
  /// The number of steps in a run's program. A `perform` with its block counts as one.
  package var steps = 60
  package var strategy = SearchStrategy.portfolio
  /// A Boolean value that indicates whether the reference model predicts every action. Turn it off
  /// where only violations matter, such as in shrinking a violation or in measuring the invariants
  /// alone.
  package var comparesWithReference = true
  /// The minimum number of actions between two comparisons of all instances and rows, or `nil` for
  /// the default. Between full comparisons, only touched objects are compared.
  package var fullComparisonInterval: Int?
  /// A Boolean value that indicates whether uninterrupted turns of a step are taken together, which
  /// affects only the cost.
  package var takesTurnsTogether = true
  /// A Boolean value that indicates whether a smaller program must keep to the subjects of the
  /// given one. Then it uses only entities and properties of the given program, whose names mean
  /// something to a reader. Each context takes only kinds of steps that it took in the given
  /// program.
  package var keepsSubjects = false
  /// A Boolean value that indicates whether a step may look up an object by the temporary ID that
  /// another context has for it. That ID means nothing elsewhere (ID-31). If `false`, a run shows
  /// no violation from such a step on.
  package var admitsForeignIDs = true
  /// The level that selects which invariants are checked.
  package var checkLevel = CheckLevel.soundness
  /// The invariants of this level that matter to the caller, or `nil` for all. Other invariants
  /// need not be checked, which makes a run cheaper. The violations of these invariants stay the
  /// same.
  package var judged: [Invariant]?

  package init(model: ObjectModel, quirks: QuirkSet) {
    self.model = model
    self.quirks = quirks
  }

  /// Returns the configuration for runs of which the caller only asks whether they fail as
  /// `failure`.
  package func judging(_ failure: FailureSignature) -> RunConfiguration {
    var configuration = self
    configuration.judged = failure.kind.invariant.map { [$0] }
    return configuration
  }
}
