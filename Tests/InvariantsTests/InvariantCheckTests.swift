import Determinism
import Execution
import Failures
import InputFiles
import Invariants
import ObjectModel
import Scenario
import ScenarioChecking
import SimulatedCoreData
import TestSupport
import Testing
import Vocabulary

@Suite struct `The checks of invariants` {
  private func world() throws -> World {
    let path = Repository.root + "/Fixtures/Stacks/private-root-main-workers.stack"
    let model = ObjectModel(entities: [Entity(name: "Note")])
    return World(
      model: model, stack: try StackFile.read(path: path).stack, quirks: Profile.current.quirks,
      bugs: PlantedBugSet())
  }

  /// A run itself reports the two invariants that are not checked after actions.
  @Test func `every invariant is judged by a check`() throws {
    let judged = InvariantChecks(try world(), .design).judged
    for invariant in Invariant.allCases
    where invariant != .WaitForGraphIsAcyclic && invariant != .EveryStepTerminates {
      #expect(judged.contains(invariant), "nothing checks \(invariant)")
    }
  }

  @Test func `no check judges the design of a generated stack`() throws {
    let judged = InvariantChecks(try world(), .proof).judged
    for invariant in Invariant.allCases where invariant.judgesDesign {
      // Loads of values that were rolled back are found in every stack.
      #expect(!judged.contains(invariant), "\(invariant) is checked")
    }
  }

  /// Searches that ask only for one failure leave out the checks of other invariants.
  @Test(arguments: [
    "private-root-main-workers", "modal-edit-child", "feed-import-with-history",
    "container-with-automatic-merging",
  ])
  func `a run that judges one invariant reports what a whole run reports of it`(
    name: String
  ) throws {
    let model = try ModelFile.read(path: Repository.root + "/Fixtures/Models/Library.xcdatamodeld")
    var configuration = RunConfiguration(model: model, quirks: Profile.current.quirks)
    configuration.stack = try StackFile.read(
      path: "\(Repository.root)/Fixtures/Stacks/\(name).stack"
    ).stack
    configuration.checkLevel = .design
    var seen: Set<Invariant> = []
    for seed in UInt64(1)...60 {
      var choices = Choices(seed: seed)
      let program = ProgramRunner(configuration).run(&choices).program
      let whole = ProgramRunner(configuration).run(program)
      for failure in whole.failures {
        guard let invariant = failure.kind.invariant else { continue }
        seen.insert(invariant)
        let part = ProgramRunner(configuration.judging(failure)).run(program)
        #expect(
          part.violations.filter { $0.invariant == invariant }
            == whole.violations.filter { $0.invariant == invariant }, "\(seed) \(failure.kind)")
      }
    }
    #expect(seen.count >= 4, "\(seen)")
  }

  @Test func `a scenario shows the same violations if only their invariant is judged`() throws {
    var seen: Set<Invariant> = []
    for path in try ScenarioFile.paths(below: Repository.root + "/Scenarios") {
      let scenario = try ScenarioFile.read(path: path)
      let program = Program(scenario)
      var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
      configuration.checkLevel = .scenario
      let whole = ProgramRunner(configuration).run(program)
      for failure in whole.failures {
        guard let invariant = failure.kind.invariant else { continue }
        seen.insert(invariant)
        let part = ProgramRunner(configuration.judging(failure)).run(program)
        #expect(
          part.failures.filter { $0.kind.invariant == invariant }
            == whole.failures.filter { $0.kind.invariant == invariant }, "\(path): \(failure.kind)")
      }
    }
    #expect(seen.count >= 30, "\(seen.count)")
  }
}
