import Determinism
import Execution
import Failures
import Generation
import Invariants
import ObjectModel
import SimulatedDispatch
import TestSupport
import Testing
import Vocabulary

@Suite struct `An invariant` {
  /// Returns the invariants that a planted bug violates, without the reference model, which would
  /// differ.
  private func broken(by bug: PlantedBug, runs: Int) throws -> [Invariant] {
    var found: [Invariant] = []
    let models = try Repository.modelFiles()
    for index in 0..<runs {
      let model = models[index % models.count].model
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

  /// Under `documented`, with one root and the error policy, no invariant fails without the bug.
  @Test(arguments: [
    (PlantedBug.skipsInverse, Invariant.InverseRelationshipsAgree),
    (.leavesOldInverse, .InverseRelationshipsAgree),
    (.skipsAncestors, .LoadsShowTheNewest),
    (.dropsQueuedBlock, .EveryBlockRuns),
  ])
  func `an invariant alone catches a planted bug`(bug: PlantedBug, invariant: Invariant) throws {
    let found = try broken(by: bug, runs: 400)
    #expect(found.contains(invariant), "\(bug.name) broke \(found.map(\.rawValue))")
  }

  @Test func `the invariant about rest catches observers that set each other off`() throws {
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
  /// Each save makes both other contexts save. The queues grow with every turn, whatever the
  /// program does.
  @Test func `the invariant about rest ends a run whose observers enqueue more and more`() throws {
    var stack = Stack()
    stack.stores = [Stack.Store(name: "main")]
    stack.coordinators = [Stack.Coordinator(name: "store", stores: [StoreID(0)])]
    stack.contexts = ["view", "work", "sync"].map {
      Stack.Context(
        name: $0, concurrencyType: .privateQueue, parent: .coordinator(CoordinatorID(0)))
    }
    for context in stack.contextIDs {
      let others = stack.contextIDs.filter { $0 != context }
      stack.observers.append(
        Stack.Observer(
          notification: .didSave, context: context,
          steps: others.map { AddressedStep($0, .perform([AddressedStep($0, .save)])) }))
    }
    let model = ObjectModel(entities: [Entity(name: "Note")])
    var configuration = RunConfiguration(model: model, quirks: Profile.current.quirks)
    configuration.stack = stack
    configuration.strategy = .only(.uniformWalk)
    var endlessCount = 0
    for seed in 0..<5 as Range<UInt64> {
      var choices = Choices(seed: seed)
      let outcome = ProgramRunner(configuration).run(&choices)
      #expect(outcome.stepCount < 20_000, "seed \(seed)")
      endlessCount += outcome.violations.count { $0.invariant == .EveryStepTerminates }
    }
    #expect(endlessCount > 0)
  }
}
