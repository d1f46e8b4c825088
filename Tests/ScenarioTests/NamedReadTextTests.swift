import ObjectModel
import Scenario
import Testing
import Vocabulary

/// `get n.folder as f` and `fetch Note as n`.
@Suite struct `A read that names what it finds` {
  private static let steps = """
    \(Examples.inserts)
      edit  get n.folder as g
      edit  fetch Note where folder == g sort title -stamp limit 1 as first
      edit  get first.folder as h
      edit  set first.title "x"
    """

  @Test func `a read with a name is printed as it stands, and its name can be claimed`() throws {
    let claims = """
        same  edit.g edit.h
        equal  edit.first {folder: g}
        equal  store.first {title: "x"}
      """
    let text = ScenarioText.print(
      try Examples.parse(Examples.scenario(steps: Self.steps, claims: claims)))
    #expect(text.contains("  edit  get n.folder as g\n"))
    #expect(
      text.contains("  edit  fetch Note where folder == g sort title -stamp limit 1 as first\n"))
    let scenario = try Examples.parse(text)
    #expect(ScenarioText.print(scenario) == text)
    let names = Set(["g", "first", "h"].compactMap { scenario.names.firstIndex(of: $0) })
    #expect(names.count == 3 && scenario.namesOfReads == Set(names.map { ObjectName($0) }))
    let entities = scenario.entitiesOfNames
    #expect(
      names.sorted().map { entities[$0].map { scenario.model[$0].name } }
        == ["Folder", "Note", "Folder"])
  }

  /// A property of this name needs a `+` in a list, as with every word of a request.
  @Test func `a read leaves the word 'as' to a property`() throws {
    let text = Examples.scenario(steps: "  view  fetch Note sort +as as n")
      .replacing("stamp  integer16?", with: "as  integer16?")
    let scenario = try Examples.parse(text)
    #expect(ScenarioText.print(scenario).contains("  view  fetch Note sort +as as n\n"))
  }

  @Test(arguments: [
    ("edit  get n.folder as f", "'f' is the name of an object in line 29; choose another name"),
    (
      "edit  get n.title as x",
      "'as' names one object, and 'title' is an attribute; write 'as' after a to-one "
        + "relationship, or 'fetch … as NAME'"
    ),
    (
      "edit  get n.tags as x",
      "'as' names one object, and 'tags' is a to-many relationship; write 'as' after a to-one "
        + "relationship, or 'fetch … as NAME'"
    ),
    ("edit  get n.folder as", "expected a name for the object, but the line ends"),
    ("edit  get n.folder as nil", "'nil' cannot be an object's name; it means no object"),
    ("edit  fetch Note as x where", "unexpected 'where'; the line should end before it"),
    ("edit  fetch Note as f", "'f' is the name of an object in line 29; choose another name"),
    ("edit  count Note as x", "'as' names an object, but a count returns none; write 'fetch'"),
    (
      "edit  fetch Note ids as x",
      "'as' names an object, but this request returns none; leave out its result type"
    ),
    (
      "edit  fetch Note as x\n  edit  fetch Note limit 1 as x",
      "'x' names the object that line 32 finds in 'edit'; choose another name"
    ),
    (
      "edit  fetch Note as x\n  view  fetch Tag as x",
      "'x' names a 'Note' elsewhere and cannot also name a 'Tag'; choose another name"
    ),
  ])
  func `a wrong read is refused`(steps: String, message: String) {
    let text = Examples.scenario(steps: Examples.inserts + "\n  " + steps)
    let line = 32 + steps.count { $0 == "\n" }
    #expect(throws: TextError(line: line, message: message)) { try Examples.parse(text) }
  }

  /// The same object in two contexts has one name, as with look-ups.
  @Test func `a read has its name in each context`() throws {
    let steps = Examples.inserts + "\n  edit  fetch Note as x\n  view  fetch Note as x"
    #expect(try Examples.parse(Examples.scenario(steps: steps)).names.last == "x")
  }

  @Test func `a read that cannot be parsed is the only error`() throws {
    let steps = "  view  fetch Nte as x\n  view  set x.title \"a\"\n  view  get x.folder as y"
    let text = Examples.scenario(steps: steps + "\n  view  release y")
    #expect {
      try Examples.parse(text)
    } throws: { error in
      guard let error = error as? TextError else { return false }
      return error.line == 28 && error.others.isEmpty && error.message.contains("'Nte'")
    }
  }

  @Test func `a read with a name is no step of a stack`() {
    let text =
      "  store  main\n  view  mainQueue coordinator store\n  entry  e\n    view  fetch A as a"
    #expect {
      _ = try DesignText.parse(text)
    } throws: { error in
      (error as? TextError)?.line == 7
    }
  }
}
