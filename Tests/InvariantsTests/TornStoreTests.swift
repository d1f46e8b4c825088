import Determinism
import Execution
import Failures
import Invariants
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Timelines
import Vocabulary

@Suite struct `A torn store` {
  private let path = "Stacks/two-rows-saved-and-killed"

  /// Runs without the reference model, which would differ, and without a step that reads the row
  /// again.
  @Test func `a torn store is reported at the save that tore it, by one invariant`() throws {
    let outcome = try outcome(of: path, bugs: [.tearsSaves], compares: false).outcome
    let violation = try #require(outcome.violations.first)
    #expect(outcome.violations.map(\.invariant) == [.KillsLeaveWhatWasCommitted])
    #expect(
      violation.report(in: outcome.program) == """
        after step 7: torn store. b.title was saved as "newer"; the store has nil.
          step 7   view saves b.title = "newer" to the store
                   the store has b.title = nil
        """)
  }

  @Test func `a store is not torn if both rows arrive`() throws {
    #expect(try outcome(of: path, compares: false).outcome.violations.isEmpty)
  }

  /// Objects in memory are on no disk, whatever a policy does about unique values.
  @Test func `a store in memory is never torn`() throws {
    let text = """
      scenario  test
      evidence  inferred

      model
        Note
          slug  string?
          title  string?
          unique  slug

      stack
        store  main inMemory
        view  mainQueue coordinator store policy mergeByPropertyObjectTrump

      steps
        view  insert Note as n
        view  save
        view  set n.title "x"
        view  save

      claims
        succeeded

      """
    let program = Program(
      try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "there is none")) })
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    configuration.checkLevel = .design
    #expect(ProgramRunner(configuration).run(program).violations.isEmpty)
  }

  @Test func `the reference model, too, sees a torn store`() throws {
    #expect(try outcome(of: path, bugs: [.tearsSaves]).outcome.disagreement != nil)
  }

  /// Generated programs, which insert, delete, send batch requests and have saves refused.
  @Test(arguments: [false, true])
  func `campaigns show torn stores if saves are torn, and only then`(areTorn: Bool) throws {
    var tornCount = 0
    for seed in 0..<200 {
      let model = try Repository.modelFiles()[seed % 4].model
      var configuration = RunConfiguration(model: model, quirks: Profile.current.quirks)
      configuration.checkLevel = .design
      configuration.comparesWithReference = false
      if areTorn { configuration.bugs = PlantedBugSet([.tearsSaves]) }
      var choices = Choices(seed: Generator.derive(42, UInt64(seed)))
      let kinds = ProgramRunner(configuration).run(&choices).violations.map(\.invariant)
      if kinds.contains(.KillsLeaveWhatWasCommitted) { tornCount += 1 }
    }
    #expect(areTorn ? tornCount > 100 : tornCount == 0, "\(tornCount) programs")
  }
}
