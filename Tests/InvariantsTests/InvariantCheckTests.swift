import Failures
import InputFiles
import Invariants
import ObjectModel
import Scenario
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
}
