import Execution
import Failures
import Invariants
import Scenario
import ScenarioChecking
import Shrinking
import TestSupport
import Testing
import Vocabulary

@Suite struct `An explanation` {
  private func explanation(
    _ steps: String, interleave: String = "", of kind: FailureKind = "temporary ID leak"
  ) throws -> Explanation {
    let program = try SmallProgram.program(interleave: interleave, steps: steps)
    return Explanation(
      of: FailureSignature(kind), in: program,
      RunConfiguration(model: program.model, quirks: Profile.current.quirks))
  }

  @Test func `an explanation tells steps that matter from others`() throws {
    let found = try explanation(
      "  edit  insert Note as n\n  view  fetch Memo\n  edit  save\n  view  save")
    #expect(found.steps.map { $0.role == .irrelevant } == [false, true, false, false])
    // The second awakening happens without this step as well.
    #expect(found.steps[3].role == .essential)
    #expect(found.text.contains("The program also fails without 'view fetch Memo'."))
  }

  @Test func `an explanation tells equal steps apart, and counts the needed ones`() throws {
    let found = try explanation(
      "  view  fetch Memo\n  edit  insert Note as n\n  view  fetch Memo\n  edit  save\n  view  save"
    )
    #expect(found.text.first == "3 of 5 steps are needed.")
    #expect(found.text.contains("The program also fails without the first 'view fetch Memo'."))
    #expect(found.text.contains("The program also fails without the second 'view fetch Memo'."))
  }

  @Test func `an explanation says which values do not matter, alone and together`() throws {
    let found = try explanation(
      "  edit  insert Note as n\n  edit  set n.title \"x\"\n  edit  set n.body \"y\"\n"
        + "  edit  save\n  view  save")
    #expect(found.values.map(\.isIrrelevant) == [true, true])
    #expect(found.variation?.failingCount == 100)
    #expect(found.variation?.triedCount == 100)
  }

  /// A save of a value that is already there overwrites nothing.
  @Test func `an explanation says which values would not fail`() throws {
    let program = try SmallProgram.program(
      SmallProgram.twoRoots, steps: `Canonical stacks`.crossing)
    let found = Explanation(
      of: "lost update in the store", in: program,
      RunConfiguration(model: program.model, quirks: Profile.current.quirks))
    #expect(
      found.text.contains(
        "The program also fails with any other value in 'sync set n.title \"s2\"' (2 tried), but not with nil or the value of 'view set n.title \"s1\"'."
      ), "\(found.text)")
  }

  /// Either of two steps of an observer waits for a queue whose owner waits for the observer.
  @Test func `an explanation says that some steps of the stack are needed, but not which`() throws {
    let text = smallScenario(
      steps: """
          view  perform
            save
          edit  fetch Note
        """
    ).replacing(
      "parent view\n",
      with: "parent view\n  observe  didSave view\n    edit  fetch Note\n    edit  count Note\n"
    ).replacing("\n\nmodel", with: "\ninterleave  choices 1\n\nmodel")
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    let program = Program(scenario)
    let found = Explanation(
      of: "deadlock", in: program,
      RunConfiguration(model: program.model, quirks: scenario.quirkSet))
    #expect(
      found.text.prefix(2) == [
        "All 3 steps are needed, and each block is a step of its own. Of the stack's own steps, not all are needed.",
        "The program also fails without one of these steps of the stack, but not without all of them: the second 'edit fetch Note' or 'edit count Note'.",
      ], "\(found.text)")
  }

  /// Two equal titles make the observer's save fail, which would end the unit of work. The observer
  /// itself is not in the example.
  @Test func `an explanation says which steps only the whole of a stack needs`() throws {
    let text = smallScenario(
      steps: """
          view  insert Note as n
          view  get n.title
          edit  object view.n
          view  insert Note as a
          view  insert Note as b
          edit  set n.title "s1"
          edit  save
          view  get n.title
        """
    ).replacing(
      "title  string?\n", with: "title  string? = \"same\"\n    unique  title\n"
    ).replacing(
      "parent view\n",
      with: "parent view\n  observe  objectsDidChange view\n    perform\n      save\n")
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    var program = Program(scenario)
    var configuration = RunConfiguration(model: program.model, quirks: scenario.quirkSet)
    configuration.checkLevel = .design
    configuration.stack = program.stack
    program.stack.observers = []
    let found = Explanation(of: "non-repeatable read", in: program, configuration)
    let words = "On the whole stack, 'view insert Note as a' and 'view insert Note as b' are needed"
    #expect(found.text[0].contains(words), "\(found.text)")
    #expect(!found.text[0].hasPrefix("All "), "\(found.text)")
    configuration.stack = nil
    let parts = Explanation(of: "non-repeatable read", in: program, configuration)
    #expect(
      parts.text.contains("The program also fails without 'view insert Note as a'."),
      "\(parts.text)")
  }

  /// Without the observer no context follows another one, and the list is still stale.
  @Test func `a step is not needed if the failure goes by another name without it`() throws {
    let program = Program(
      try ScenarioText.parse(
        """
        scenario  test
        evidence  inferred

        model
          Note
            title  string?

        stack
          store  main
          view  mainQueue coordinator store
          work  privateQueue coordinator store
          controller  list  view Note where title == "x" sort title
          observe  didSave work
            view  perform
              mergeChanges delivered

        steps
          work  insert Note as n
          work  save
          view  performFetch list
          work  set n.title "x"
          work  save

        claims
          succeeded

        """
      ) { _ in .failure(UnreadableModel(message: "none")) })
    var configuration = RunConfiguration(
      model: program.model, quirks: Profile.current.quirks)
    configuration.checkLevel = .design
    let found = Explanation(
      of: "stale list in a following context", in: program, configuration)
    #expect(
      found.text[0].contains("Of the stack's own steps, 0 of 2 steps are needed."),
      "\(found.text)")
    #expect(
      found.text.contains(
        "Without 'view mergeChanges delivered', the failure has another name: stale list."))
  }

  /// The first block of the observer takes a turn of the schedule.
  @Test func `a step is not needed if another schedule fails without it`() throws {
    let program = try SmallProgram.program(
      """
        view  mainQueue coordinator store policy mergeByPropertyStoreTrump
        sync  privateQueue coordinator store policy mergeByPropertyObjectTrump
        observe  didSave view
          sync  perform
            mergeChanges delivered
          sync  perform
            forEach delivered mark
      """, interleave: "0 0 1 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0",
      steps: "  view  insert Note as n\n  view  save\n  view  delete n\n  view  save")
    var configuration = RunConfiguration(
      model: program.model, quirks: Profile.current.quirks)
    configuration.checkLevel = .design
    let found = Explanation(
      of: "object deleted by being read by the stack", in: program, configuration)
    #expect(
      found.text.contains(
        "Without 'sync perform { mergeChanges delivered }', another schedule fails."),
      "\(found.text)")
    #expect(found.steps.contains { $0.role == .irrelevantToOrder })
  }

  @Test func `an explanation says when no schedule helps`() throws {
    let found = try explanation("  edit  insert Note as n\n  edit  save\n  view  save")
    #expect(found.commitPoint?.stepCount == 0)
    #expect(found.commitPoint?.isExhaustive == true)
  }

  @Test func `an explanation finds the step after which a deadlock is certain`() throws {
    let steps = "  edit  perform\n    view  save\n  view  performAndWait\n    edit  save"
    let found = try explanation(steps, interleave: "1", of: "deadlock")
    let point = try #require(found.commitPoint)
    #expect(point.isExhaustive)
    #expect(point.stepCount == 2)
    #expect(found.choices.contains { $0.roles.contains(.essential) })
    #expect(found.text.contains { $0.contains(" matter") && $0.contains(" at '") })
    #expect(found.text.contains { $0.hasPrefix("The failure is certain once ") })
  }

  /// An observer of the whole stack can lead to other schedules.
  @Test func `an explanation of schedules says that parts of the stack were omitted`() throws {
    let program = try SmallProgram.program(
      interleave: "1",
      steps: "  edit  perform\n    view  save\n  view  performAndWait\n    edit  save")
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    configuration.stack = program.stack
    let view = try #require(program.stack.contextIDs.first)
    configuration.stack?.observers.append(
      Stack.Observer(
        notification: .didSave, context: view, steps: [AddressedStep(view, .hasChanges)]))
    let found = Explanation(of: "deadlock", in: program, configuration)
    #expect(
      found.text.contains { $0.hasPrefix("On these parts of the stack, the failure is certain") },
      "\(found.text)")
  }
}
