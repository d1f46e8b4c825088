import Failures
import Campaigns
import Determinism
import Execution
import Generation
import Invariants
import ObjectModel
import ScenarioChecking
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `An invariant` {
  /// Which invariants a planted bug violates, without the reference model, which would differ.
  private func broken(by bug: PlantedBug, runs: Int) throws -> [Invariant] {
    var found: [Invariant] = []
    let models = try Repository.models()
    for index in 0..<runs {
      guard case .file(_, let model) = models[index % models.count] else { continue }
      var configuration = RunConfiguration(model: model, quirks: Profile.documented.quirks)
      configuration.bugs = PlantedBugSet([bug])
      configuration.limits.rootCount = 1
      configuration.limits.mergePolicies = [.error]
      configuration.comparesWithReference = false
      var choices = Choices(seed: Generator.derive(40, UInt64(index)))
      for violation in ProgramRunner(configuration).run(&choices).violations
      where !found.contains(violation.invariant) {
        found.append(violation.invariant)
      }
    }
    return found
  }

  /// Under `documented`, with one root and the error policy, nothing fires without the bug.
  @Test(arguments: [
    (PlantedBug.skipsInverse, Invariant.InverseRelationshipsAgree),
    (.leavesOldInverse, .InverseRelationshipsAgree),
    (.skipsAncestors, .LoadsShowTheNewest),
    (.dropsQueuedBlock, .EveryBlockRuns),
  ])
  func `catches a planted bug by itself`(bug: PlantedBug, invariant: Invariant) throws {
    let found = try broken(by: bug, runs: 400)
    #expect(found.contains(invariant), "\(bug.name) broke \(found.map(\.rawValue))")
  }

  @Test func `about rest catches observers that set each other off`() throws {
    var stack = Stack()
    stack.stores = [Stack.Store(name: "main")]
    stack.coordinators = [Stack.Coordinator(name: "store", stores: [StoreID(0)])]
    stack.contexts = [
      Stack.Context(
        name: "view", concurrencyType: .mainQueue, parent: .coordinator(CoordinatorID(0)))
    ]
    let view = ContextID(0)
    stack.observers = [
      Stack.Observer(notification: .didSave, context: view, steps: [AddressedStep(view, .save)])
    ]
    let model = ObjectModel(entities: [Entity(name: "Note")])
    let program = Program(
      model: model, stack: stack, names: [], steps: [AddressedStep(view, .save)])
    let outcome = ProgramRunner(RunConfiguration(model: model, quirks: QuirkSet())).run(program)
    #expect(outcome.violations.map(\.invariant) == [.EveryStepTerminates])
  }
}
