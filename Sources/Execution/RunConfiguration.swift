package import Generation
package import Invariants
package import ObjectModel
import ReferenceModel
import SimulatedCoreData
package import Vocabulary

/// What both sides of a run derive from a model alone, so that many runs need not do it again.
package struct RunTables: Sendable {
  let engine: ModelTables
  let reference: ReferenceStack.ModelTables

  package init(_ model: ObjectModel) {
    (engine, reference) = (ModelTables(model), ReferenceStack.ModelTables(model))
  }
}

/// How a run is set up, apart from chance.
package struct RunConfiguration: Sendable {
  package var model: ObjectModel { didSet { tables = nil } }
  /// What engine and reference model derive from the model; nil if no run before has done it.
  package var tables: RunTables?
  /// Nil generates a stack for every run.
  package var stack: Stack?
  /// What programs are about; with none, a mixture of all.
  package var workloads: [Workload] = []
  package var stepFilter = StepFilter()
  package var limits = StackLimits()
  package var quirks: QuirkSet
  package var bugs = PlantedBugSet()
  /// How many steps the program of a run has; a `perform` with its block is one.
  package var steps = 60
  package var strategy = SearchStrategy.portfolio
  /// Whether the reference model predicts every action, and a difference is a disagreement. Off
  /// where only violations matter: shrinking a violation, measuring what the invariants find alone.
  package var comparesWithReference = true
  /// The least number of actions between two comparisons of all instances and rows; in between,
  /// only what an action touched is compared. Nil is the usual interval.
  package var fullComparisonInterval: Int?
  /// Whether the turns of a step are taken together where no lane can come between. Only the cost
  /// depends on it.
  package var takesTurnsTogether = true
  /// A Boolean value that indicates whether a smaller program must be about entities and properties
  /// of the given one, and each of its contexts must take only kinds of steps that it took there.
  /// The names of an app mean something to the person who reads them.
  package var keepsSubjects = false
  /// A Boolean value that indicates whether a step may look up an object by the temporary ID that
  /// another context has for it. That ID means nothing elsewhere (ID-31): from such a step on, a
  /// run that may not do so shows no violation.
  package var admitsForeignIDs = true
  /// Which invariants are checked.
  package var checkLevel = CheckLevel.soundness

  package init(model: ObjectModel, quirks: QuirkSet) {
    self.model = model
    self.quirks = quirks
  }
}
