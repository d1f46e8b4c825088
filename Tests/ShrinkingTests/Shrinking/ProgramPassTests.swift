import Execution
import Failures
import Invariants
import Scenario
import ScenarioChecking
import Shrinking
import TestSupport
import Testing
import Vocabulary

/// Every pass alone, on a program that it can make smaller.
@Suite struct `A pass over programs` {
  static let leak: FailureKind = "temporary ID leak"
  /// Only the context that has a list fetches it. The reference model refuses such a step in
  /// another context.
  @Test func `a pass leaves a list to its context`() throws {
    let program = try SmallProgram.program(
      """
        view  privateQueue coordinator store
        edit  privateQueue coordinator store
        controller  list edit Note sort title
      """,
      steps: """
          edit  performFetch list
          view  insert Note as note1
          view  save
        """)
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    configuration.checkLevel = .design
    let result = ShrinkingPipeline(configuration).smallest(program, failingAs: "stale list")
    let steps = SmallProgram.steps(of: result.outcome.program)
    let lists = result.outcome.program.stack.controllers
    #expect(!lists.isEmpty && steps.contains { $0.hasSuffix("performFetch list") }, "\(steps)")
    #expect(
      result.outcome.program.steps.allSatisfy { step in
        guard case .performFetch(let list) = step.step else { return true }
        return lists[list.index].context == step.context
      }, "\(steps)")
  }

  /// The shrunk observer waits for a save, whatever notification it waited for before.
  @Test(arguments: [
    ("objectsDidChange", "insert Note as note1"), ("contextWillSave", "save"),
  ])
  func `a pass gives observers one trigger`(notification: String, trigger: String) throws {
    let program = try SmallProgram.program(
      """
        view  privateQueue coordinator store
        edit  privateQueue parent view
        observe  \(notification) view
          edit  fetch Note
      """, interleave: "1",
      steps: """
          view  perform
            \(trigger)
          edit  fetch Note
        """)
    let configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    let shrunk = ProgramShrinker.shrink(
      program, keeping: "deadlock", configuration, passes: [.simplifySettings]
    ).outcome.program
    #expect(shrunk.stack.observers.map(\.notification) == [.didSave])
    #expect(SmallProgram.steps(of: shrunk) == ["view perform { save }", "edit fetch Note"])
  }

  /// A property of an entity with more properties than the simpler one, none of which corresponds
  /// to it.
  @Test func `a pass leaves an entity whose properties have no counterpart`() throws {
    let scenario = try ScenarioText.parse(
      """
      scenario  test
      evidence  inferred

      model
        Tag
          tags  Tag* inverse tags
        Note
          title  string?
          body  string?

      stack
        store  main
        view  mainQueue coordinator store
        edit  privateQueue parent view

      steps
        edit  insert Note as note1
        edit  set note1.body "s1"
        edit  save

      claims
        succeeded

      """
    ) { _ in .failure(UnreadableModel(message: "there is none")) }
    let program = Program(scenario)
    let configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    let result = ProgramShrinker.shrink(
      program, keeping: "duplicate awakeFromInsert", configuration, passes: [.simplifyEntities])
    #expect(result.outcome.program.steps.first == program.steps.first)
  }

  /// A merge names a save by its number. When a save is deleted, the later ones are renumbered.
  @Test func `a pass renumbers saves after a deleted one`() throws {
    let program = try SmallProgram.program(
      steps: """
          view  insert Note as note1
          edit  fetch Note
          edit  set note1.title "s1"
          view  save
          view  set note1.title "s3"
          view  save
          view  set note1.title "s2"
          view  save
          edit  mergeChanges didSave view 3
          edit  save
        """)
    let steps = SmallProgram.steps(
      of: try Self.shrunk(
        program, [.deleteSteps], keeping: "lost update through a merge", checkLevel: .design))
    #expect(steps.count(where: { $0 == "view save" }) == 2, "\(steps)")
    #expect(steps.contains("edit mergeChanges didSave view 2"), "\(steps)")
  }

  /// The policies of a designed stack are deliberate, even if a simpler one would fail, too.
  @Test func `a pass leaves a designed stack its policies`() throws {
    let program = try SmallProgram.program(
      """
        view  privateQueue coordinator store
        edit  privateQueue coordinator store policy overwrite
      """,
      steps: """
          view  insert Note as note1
          view  save
          edit  fetch Note
          view  set note1.title "s1"
          edit  set note1.title "s2"
          view  save
          edit  save
        """)
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    func policy() -> MergePolicy {
      let result = ProgramShrinker.shrink(
        program, keeping: "lost update in the store", configuration, passes: [.simplifySettings])
      return result.outcome.program.stack.contexts[1].mergePolicy
    }
    #expect(policy() == .mergeByPropertyObjectTrump)
    configuration.stack = program.stack
    #expect(policy() == .overwrite)
  }

  @Test func `a pass puts coordinators in the order of their contexts`() throws {
    let text = """
        store  main
        coordinator  first  main
        coordinator  second  main
        view  privateQueue coordinator second
        edit  privateQueue parent view
        other  privateQueue coordinator first
      """
    let program = try SmallProgram.program(
      text.replacing("  store  main\n", with: ""),
      steps: """
          edit  insert Note as note1
          edit  save
          view  save
        """)
    let stack = try Self.shrunk(program, [.arrangeContexts]).stack
    #expect(stack.contexts[0].parent == .coordinator(CoordinatorID(0)), "\(stack)")
  }

  static func shrunk(
    _ program: Program, _ passes: [ProgramPass], keeping kind: FailureKind = leak,
    checkLevel: CheckLevel = .soundness
  ) throws -> Program {
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    configuration.checkLevel = checkLevel
    return ProgramShrinker.shrink(
      program, keeping: FailureSignature(kind), configuration, passes: passes
    )
    .outcome.program
  }

  static let minimum = ["edit insert Note as note1", "edit save", "view save"]

  /// Each case has a pass, the stack, the steps, and the steps that the pass leaves.
  @Test(arguments: [
    (
      ProgramPass.truncate, SmallProgram.pair,
      "  edit  insert Note as n\n  edit  save\n  view  save\n  view  fetch Note\n  edit  rollback",
      minimum
    ),
    (
      .deleteSteps, SmallProgram.pair,
      "  edit  insert Note as n\n  view  save\n  edit  save\n  edit  rollback\n  view  fetch Note\n  view  save",
      minimum
    ),
    (
      .dropObjects, SmallProgram.pair,
      "  view  insert Note as m\n  edit  insert Note as n\n  view  set m.title \"x\"\n  edit  save\n  view  save",
      minimum
    ),
    (
      .unwrapBlocks, SmallProgram.pair,
      "  edit  performAndWait\n    insert Note as n\n    save\n  view  save", minimum
    ),
    (
      .mergeObjects, SmallProgram.pair,
      "  edit  insert Note as n\n  edit  insert Note as m\n  edit  set m.title \"s1\"\n  edit  save\n  view  save",
      ["edit insert Note as note1", "edit set note1.title \"s1\"", "edit save", "view save"]
    ),
    (
      .mergeContexts, SmallProgram.chain,
      "  detail  insert Note as n\n  detail  save\n  edit  save\n  view  save",
      ["edit insert Note as note1", "edit save", "edit save", "view save"]
    ),
    (
      .dropContexts, SmallProgram.chain,
      "  detail  hasChanges\n  edit  insert Note as n\n  edit  save\n  view  save", minimum
    ),
    (
      .simplifyArguments, SmallProgram.pair,
      "  edit  insert Note as n\n  edit  set n.body \"long\"\n  edit  save\n  view  save",
      // Nothing else requires this place. The program only has to fail.
      ["edit insert Note as note1", "view set note1.title \"s1\"", "edit save", "view save"]
    ),
    (
      .insertAbove, SmallProgram.pair,
      "  edit  insert Note as n\n  edit  save\n  view  save",
      ["view insert Note as note1", "edit existingObject view.note1", "view save"]
    ),
    (
      .mergeAndDelete, SmallProgram.chain,
      "  detail  insert Note as n\n  detail  save\n  edit  save\n  view  save", minimum
    ),
    (
      .simplifyEntities, SmallProgram.pair, "  edit  insert Memo as n\n  edit  save\n  view  save",
      minimum
    ),
    (
      .sortSteps, SmallProgram.pair,
      "  view  fetch Note\n  edit  insert Note as n\n  view  fetch Memo\n  edit  save\n  view  save",
      [
        "view fetch Note", "view fetch Memo", "edit insert Note as note1", "edit save", "view save",
      ]
    ),
  ])
  func `a pass leaves what is needed`(
    pass: ProgramPass, stack: String, steps: String, expected: [String]
  ) throws {
    let program = try SmallProgram.program(stack, steps: steps)
    let smaller = try Self.shrunk(program, [pass])
    #expect(SmallProgram.steps(of: smaller) == expected)
    #expect(
      ProgramSize(smaller, preemptionCount: 0) < ProgramSize(program, preemptionCount: 0))
  }

}
