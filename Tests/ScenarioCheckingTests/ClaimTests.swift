import Scenario
import ScenarioChecking
import TestSupport
import Testing

/// The subjects of claims, and the messages for claims that do not hold.
@Suite struct `A claim` {
  private func problems(
    header: String = "", steps: String, claims: String = "  succeeded"
  ) throws -> [String] {
    let text = smallScenario(header: header, steps: steps, claims: claims)
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
    return ScenarioCheck(scenario).problems.filter { !$0.isOfTranscript }.map { problem in
      (problem.line.map { "\($0): " } ?? "") + problem.message
    }
  }

  @Test func `a claim can be about any moment between two steps`() throws {
    let steps = """
        view  insert Note as n
          claim  temporary  view.n
          claim  changed  view
          claim  equal  store.Note []
        view  save
          claim  temporary  view.n
          claim  clean  view
        view  set n.title "x"
          claim  equal  view.n {title: "x"}
          claim  equal  store.n {title: nil}
        view  save
      """
    #expect(
      try problems(steps: steps) == [
        "19: does not hold: temporary  view.n; it is permanent, realised"
      ])
  }

  /// The words are those of promises.
  @Test func `a claim about data concerns the stores or a context`() throws {
    let steps = """
        view  insert Note as n
        view  set n.title "x"
          claim  count  Note == 0
          claim  count  Note == 1 in view
          claim  every  Note where title != nil has title BEGINSWITH "x" in store view
        view  insert Note as m
        view  set m.title "x"
        view  save
      """
    let claims = """
        unique  Note.title
        every  Note has title == "y" in view
        count  Note where title == "x" == 3
        sometimes  count  Note == 2
      """
    #expect(
      try problems(steps: steps, claims: claims) == [
        "24: does not hold: unique  Note.title; it is a store in which two objects have the value "
          + "\"x\"",
        "25: does not hold: every  Note has title == \"y\" in view; it is a view in which it does "
          + "not hold for n",
        "26: does not hold: count  Note where title == \"x\" == 3; it is a store in which 2 objects "
          + "exist",
      ])
  }

  @Test func `a claim does not hold at a moment that the run does not reach`() throws {
    let steps = """
        view  dispatchSync worker
          view  dispatchSync worker
            view  save
        view  insert Note as n
          claim  clean  view
        view  save
          claim  clean  view
      """
    let text = smallScenario(steps: steps, claims: "  deadlock")
      .replacing("store  main\n", with: "store  main\n  queue  worker\n")
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
    let messages = ScenarioCheck(scenario).problems.filter { !$0.isOfTranscript }.map(\.message)
    #expect(
      messages == ["does not hold: clean  view; it is a moment that the run does not reach"])
  }

  /// A block that another lane enqueued may come before or after the claim. The check looks at
  /// every order.
  @Test func `a claim between two steps holds in every order or only in some`() throws {
    let steps = """
        view  insert Note as n
        view  save
        edit  perform
          existingObject view.n
          set n.title "x"
        view  hasChanges
          claim  QUANTIFIER  clean  edit
          claim  sometimes  changed  edit
        view  hasChanges
      """
    let header = "\ninterleave  every"
    let sometimes = steps.replacing("QUANTIFIER", with: "sometimes")
    #expect(try problems(header: header, steps: sometimes) == [])
    let always = try problems(header: header, steps: steps.replacing("QUANTIFIER", with: "always"))
    #expect(always.count == 1 && always[0].hasPrefix("21: holds in "), "\(always)")
  }

  @Test func `a claim can be about the contents of a notification`() throws {
    let steps = "  view  insert Note as n\n  view  insert Note as m\n  view  save"
    let claims = """
        posted  view didSave inserted n m
        posted  store saveRequest inserted n m
        posted  view didSave inserted n
        posted  edit didSave nothing
      """
    #expect(
      try problems(steps: steps, claims: claims) == [
        "21: does not hold: posted  view didSave inserted n; it is didSave inserted n m",
        "22: does not hold: posted  edit didSave nothing; it is never didSave",
      ])
  }

  @Test func `a claim counts at least, at most, or exactly`() throws {
    let steps = "  view  insert Note as n\n  view  save\n  view  save"
    let claims = ["== 2", ">= 2", "<= 2", ">= 3", "<= 1"].map { "  count  didSave view \($0)" }
    #expect(
      try problems(steps: steps, claims: claims.joined(separator: "\n")) == [
        "22: does not hold: count  didSave view >= 3; it is 2",
        "23: does not hold: count  didSave view <= 1; it is 2",
      ])
  }

  @Test func `a claim that does not hold says what is true instead`() throws {
    let steps = """
        view  insert Note as n
        view  insert Note as m
        edit  object view.n
      """
    let claims = """
        clean  view
        changed  edit
        same  view.n view.m
        failed  managedObjectMerge
        deadlock
        unregistered  view.n
      """
    #expect(
      try problems(steps: steps, claims: claims) == [
        "19: does not hold: clean  view; it is inserted n m",
        "20: does not hold: changed  edit; it is without changes",
        "21: does not hold: same  view.n view.m; it is two instances",
        "22: does not hold: failed  managedObjectMerge; it is a run without a failure",
        "23: does not hold: deadlock; it is a run without a deadlock",
        "24: does not hold: unregistered  view.n; it is temporary, realised, inserted",
      ])
  }

  /// The object of `n` is in the child in both cases: once without the name.
  @Test func `a claim tells a name that is not bound from an object that is missing`() throws {
    let steps = """
        view  insert Note as n
        view  insert Note as m
        edit  fetch Note where title == "none"
        edit  object view.n as k
        view  save
        view  delete m
        view  save
      """
    let claims = "  realised  edit.n\n  realised  edit.m\n  realised  view.m\n  realised  view.k"
    #expect(
      try problems(steps: steps, claims: claims) == [
        "23: does not hold: realised  edit.n; it is nothing: no step has bound 'n' in edit, which "
          + "has registered the object; bind it with 'registeredObject'",
        "24: does not hold: realised  edit.m; it is nothing: no step has bound 'm' in edit, and edit "
          + "has not registered the object",
        "25: does not hold: realised  view.m; it is an instance that no longer belongs to view",
        "26: does not hold: realised  view.k; it is nothing: no step has bound 'k' in view, which "
          + "has registered the object; bind it with 'registeredObject'",
      ])
  }

  @Test func `a claim between two steps is printed in its place`() throws {
    let text = smallScenario(
      steps: """
          view  insert Note as n
            claim  changed  view
            claim  count  awakeFromInsert n >= 1
          view  save
        """)
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
    #expect(ScenarioText.print(scenario) == text)
    #expect(scenario.claims.map(\.place) == [0, 0, nil])
  }

  @Test func `a step that lacks its name in the context is reported as doing nothing`() throws {
    let text = smallScenario(
      steps:
        "  view  insert Note as n\n  edit  perform\n    set n.title \"x\"\n  edit  object view.n")
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
    #expect(scenario.stepsWithoutName.map(\.line) == [15])
    #expect(scenario.stepsWithoutName[0].message.hasPrefix("'set n' does nothing: edit has no "))
  }
}
