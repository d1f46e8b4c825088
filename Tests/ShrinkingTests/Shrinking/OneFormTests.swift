import Execution
import Failures
import InputFiles
import Scenario
import ScenarioChecking
import Shrinking
import TestSupport
import Testing
import Vocabulary

/// Programs that show one wrong answer in different ways shrink to the simplest of them. Planted
/// bugs give these answers.
@Suite struct `Common forms of different programs` {
  /// Returns the result of one pass on `steps`, on employees with managers and departments.
  private func shrunk(
    _ bug: PlantedBug, _ pass: ProgramPass, _ steps: String
  ) throws -> [String] {
    let path = Repository.root + "/Fixtures/Models/EmployeeDepartment.model"
    let scenario = try ScenarioText.parse(
      """
      scenario  test
      evidence  inferred

      model  Fixtures/Models/EmployeeDepartment.model

      stack
        store  main
      \(SmallProgram.pair)

      steps
      \(steps)

      claims
        succeeded

      """
    ) { _ in
      Result { try ModelFile.read(path: path) }.mapError { UnreadableModel(message: "\($0)") }
    }
    let program = Program(scenario)
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    configuration.bugs = PlantedBugSet([bug])
    let failing = ProgramRunner(configuration).run(program)
    let kind = try #require(failing.disagreement, "\(bug)").failureKind
    let result = ProgramShrinker.shrink(
      program, keeping: FailureSignature(kind), configuration, passes: [pass])
    return SmallProgram.steps(of: result.outcome.program)
  }

  private static let owned = [
    "view insert Employee as employee1", "view insert Manager as manager1",
    "view relate employee1.manager manager1", "view save", "view delete manager1", "view save",
  ]

  @Test func `two contexts become one, and a step becomes a save`() throws {
    let steps = try shrunk(
      .nullifySkipsToOnes, .mergeAndSave,
      """
        view  insert Employee as e
        view  insert Manager as m
        edit  fetch Employee
        view  relate e.manager m
        edit  delete m
        edit  save
      """)
    #expect(steps == Self.owned)
  }

  @Test func `a block of one step becomes a save`() throws {
    let steps = try shrunk(
      .nullifySkipsToOnes, .unwrapBlocks,
      """
        view  insert Employee as e
        view  insert Manager as m
        view  perform
          relate e.manager m
        view  delete m
        view  save
      """)
    #expect(steps == Self.owned)
  }

  /// Two objects in any relationship: to one, to many, or of another entity.
  @Test(arguments: [
    ("Manager", "relate a.manager b", "relate a.manager nil"),
    ("Department", "relate a.department b", "relate a.department nil"),
  ])
  func `two related objects become one that is related to itself`(
    other: String, relate: String, change: String
  ) throws {
    let steps = try shrunk(
      .leavesOldInverse, .relateToItself,
      "  view  insert Employee as a\n  view  insert \(other) as b\n  view  \(relate)\n  view  \(change)"
    )
    #expect(
      steps == [
        "view insert Manager as manager1", "view relate manager1.manager manager1",
        "view relate manager1.manager nil",
      ])
  }

  /// Each case has a pass, a bug that shows in the steps, the index of a step, and the new form of
  /// that step.
  @Test(arguments: [
    (
      ProgramPass.postponeSteps, PlantedBug.refusedSaveBumpsVersions,
      [
        "insert Employee as e", "refuseWrite main 2", "save", "set e.name \"s1\"", "save",
        "set e.name \"s2\"", "save",
      ], 2, "refuseWrite main 1"
    ),
    (
      .simplifyArguments, .fetchOffsetTwice,
      [
        "insert Employee as e",
        "fetch Employee where name != \"s1\" sort -name offset 2 limit 3 realised ids",
      ], 1, "fetch Employee offset 1"
    ),
    (
      .simplifyArguments, .batchKeepsVersion,
      [
        "insert Manager as m", "save", "batchUpdate Manager {name: \"s1\"}", "set m.name \"s2\"",
        "save",
      ], 2, "batchUpdate Employee {name: \"s1\"}"
    ),
    (
      .simplifyEntities, .batchKeepsVersion,
      [
        "insert Manager as m", "save", "batchUpdate Employee {name: \"s2\"}", "set m.title \"s3\"",
        "set m.name \"s1\"", "save",
      ], 2, "batchUpdate Employee {name: \"s1\"}"
    ),
    (
      .simplifyArguments, .forgetsMetadata,
      ["setMetadata main 5", "save", "metadata main"], 0, "setMetadata main 1"
    ),
    (
      .simplifyArguments, .leavesOldInverse,
      [
        "insert Employee as e", "insert Manager as m", "insert Manager as n",
        "relate e.manager m", "relate e.manager n",
      ], 4, "relate employee1.manager nil"
    ),
    (
      .weakenSteps, .skipsMandatoryCheck,
      ["insert Employee as e", "setPrimitive e.salary nil", "save"], 1, "set employee1.salary nil"
    ),
  ])
  func `different steps get one form`(
    pass: ProgramPass, bug: PlantedBug, steps: [String], index: Int, expected: String
  ) throws {
    let simpler = try shrunk(bug, pass, steps.map { "  view  \($0)" }.joined(separator: "\n"))
    #expect(simpler.dropFirst(index).first == "view \(expected)", "\(simpler)")
  }

  /// Other steps on the objects, and requests about their entity, change with them.
  @Test func `related objects get one entity`() throws {
    let steps = try shrunk(
      .leavesOldInverse, .relateToItself,
      """
        view  insert Department as d
        view  insert Employee as e
        view  set d.name "s1"
        view  fetch Department where name == "s1"
        view  add d.employees e
        view  relate e.department nil
      """)
    #expect(
      steps == [
        "view insert Manager as manager1", "view set manager1.name \"s1\"",
        "view fetch Manager where name == \"s1\"", "view relate manager1.manager manager1",
        "view relate manager1.manager nil",
      ])
  }

  /// A fetch also finds changes that were saved in the meantime.
  @Test func `a load by ID becomes a later fetch`() throws {
    let program = try SmallProgram.program(
      SmallProgram.twoRoots,
      steps: """
          view  insert Note as n
          sync  object view.n
          view  save
          view  set n.title "s1"
          sync  set n.title "s2"
          view  save
          sync  save
        """)
    let shrunk = try `A pass over programs`.shrunk(
      program, [.postponeSteps], keeping: "lost update in the store")
    #expect(
      SmallProgram.steps(of: shrunk).prefix(3) == [
        "view insert Note as note1", "view save", "sync fetch Note",
      ])
  }

  @Test func `replacing all objects becomes adding one`() throws {
    let steps = try shrunk(
      .skipsInverse, .weakenSteps,
      """
        edit  insert Employee as e
        edit  insert Manager as m
        edit  replace m.reports [e]
        edit  save
      """)
    #expect(steps[2] == "edit add manager1.reports employee1")
  }
}
