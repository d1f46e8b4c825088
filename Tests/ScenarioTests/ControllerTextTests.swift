import ObjectModel
import Scenario
import Testing
import Vocabulary

/// Lines such as `controller  list view Note sort title`, their step and their claim.
@Suite struct `A fetched-results controller in a text` {
  private static let plain = "\n  controller  list view Note sort title"

  private func expectCanonical(_ text: String) throws {
    let scenario = try Examples.parse(text)
    #expect(ScenarioText.print(scenario) == text)
    #expect(try Examples.parse(ScenarioText.print(scenario)) == scenario)
  }

  @Test(arguments: [
    plain, "\n  controller  list view sections Note sort title",
    "\n  controller  list edit sections Note where done == true and stamp > 3 sort -stamp title",
    "\n  controller  list view Note where folder == edit.f sort title",
    "\n  controller  list view Note where folder != nil sort folder realised withoutSubentities",
    "\n  controller  list view Note sort +limit stores main",
    plain + "\n  controller  other view Note sort title\n  controller  third edit Note sort title",
    plain + "\n  observe  didSave edit\n    view  performFetch list",
  ])
  func `a controller prints as it stands`(stack: String) throws {
    try expectCanonical(Examples.scenario(stack: stack, steps: Examples.inserts))
  }

  @Test func `a controller prints with its steps and claims`() throws {
    try expectCanonical(
      Examples.scenario(
        header: "\nwatch  controllerDidChangeContent", stack: Self.plain,
        steps: "  view  performFetch list",
        claims: "  count  controllerDidChangeContent view == 0\n  answered  view list shows nil [n]"
      ))
  }

  @Test func `a controller is read as it is written`() throws {
    let scenario = try Examples.parse(
      Examples.scenario(
        stack: Self.plain
          + "\n  controller  stamps edit sections Note where done == true sort -stamp title",
        steps: "  view  performFetch list\n  edit  performFetch stamps"))
    var list = FetchRequest(entity: EntityID(0))
    list.sortDescriptors = [
      FetchRequest.SortDescriptor(property: PropertyID(0), ascending: true)
    ]
    var stamps = FetchRequest(entity: EntityID(0))
    stamps.predicate = [
      Comparison(property: PropertyID(8), relation: .equal, operand: .value(.boolean(true)))
    ]
    stamps.sortDescriptors = [
      FetchRequest.SortDescriptor(property: PropertyID(1), ascending: false),
      FetchRequest.SortDescriptor(property: PropertyID(0), ascending: true),
    ]
    #expect(
      scenario.stack.controllers == [
        Stack.ResultsController(name: "list", context: ContextID(0), request: list),
        Stack.ResultsController(
          name: "stamps", context: ContextID(1), request: stamps, sectionProperty: PropertyID(1)),
      ])
    #expect(
      scenario.items.map(\.step) == [
        AddressedStep(ContextID(0), .performFetch(ControllerID(0))),
        AddressedStep(ContextID(1), .performFetch(ControllerID(1))),
      ])
  }

  @Test func `a controller without sections shows nothing`() throws {
    let scenario = try Examples.parse(
      Examples.scenario(stack: Self.plain, steps: "  view  performFetch list"))
    let text = EventText(model: scenario.model, stack: scenario.stack) { _ in nil }
    let line = text.line(for: .sections(ControllerID(0), []), lane: ContextID(0))
    #expect(line == "view  list shows nothing")
  }

  @Test(arguments: [
    ("", "expected the name of a controller, but the line ends"),
    ("5", "expected the name of a controller instead of '5'"),
    ("list", "expected the context of the controller, but the line ends"),
    (
      "list veiw Note sort title",
      "controller names context 'veiw'; the stack has 'view' and 'edit': did you mean 'view'?"
    ),
    ("list view", "expected the name of an entity, but the line ends"),
    ("list view sections", "expected the name of an entity, but the line ends"),
    ("list view Note", "a controller needs an order; write 'sort' and a property"),
    (
      "list view Note where done == true",
      "a controller needs an order; write 'sort' and a property"
    ),
    ("list view Note sort", "expected a property of 'Note', but the line ends"),
    ("list view Note sort tags", "cannot sort by to-many 'tags'"),
    ("list view Note sort titel", "no property 'titel': did you mean 'title'?"),
    ("list view Note sort title sort stamp", "'sort' is given twice; once is enough"),
    (
      "list view Note where folder == g sort title",
      "no step inserts 'g'; the steps bind 'n', 'f', 't' and 'u'"
    ),
  ])
  func `a malformed controller is refused`(line: String, message: String) {
    expectError("\n  controller  \(line)", 26, message)
  }

  @Test(arguments: ["limit 1", "offset 1", "savedState", "ids", "counting", "dictionaries title"])
  func `a controller shows whole objects, and all of them`(window: String) {
    expectError(
      Self.plain + " " + window, 26,
      "a controller shows all objects of its request; leave out offset, limit and result types")
  }

  @Test func `a controller has a name of its own`() {
    expectError(
      Self.plain + "\n  controller  list edit Folder sort notes", 27,
      "the stack has a controller 'list' already; choose another name")
  }

  @Test func `a controller stands between contexts and observers`() {
    let order =
      "the order is time, stores, queues, flags, groups, ids, coordinators, contexts, controllers, "
      + "entries, observers, promises"
    expectError(
      Self.plain + "\n  more  mainQueue parent view", 27,
      "context is below the first controller; \(order)")
    expectError(
      "\n  observe  didSave edit\n    view  save" + Self.plain, 28,
      "controller is below the first observe; \(order)")
  }

  @Test(arguments: [
    ("view  performFetch", "expected the name of a controller, but the line ends"),
    (
      "view  performFetch lits",
      "step names controller 'lits'; the stack has 'list': did you mean 'list'?"
    ),
    (
      "edit  performFetch list",
      "controller 'list' belongs to 'view'; only its steps can fill it"
    ),
    ("view  performFetch list now", "unexpected 'now'; the line should end before it"),
  ])
  func `a malformed step that fills a controller is refused`(step: String, message: String) {
    expectError(Self.plain, 33, message, steps: "\n  " + step)
  }

  private func expectError(_ stack: String, _ line: Int, _ message: String, steps: String = "") {
    let text = Examples.scenario(stack: stack, steps: Examples.inserts + steps)
    #expect(throws: TextError(line: line, message: message), "\(text)") {
      try Examples.parse(text)
    }
  }
}
