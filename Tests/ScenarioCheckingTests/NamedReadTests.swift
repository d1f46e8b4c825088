import Scenario
import ScenarioChecking
import TestSupport
import Testing

/// Later steps and claims can use objects that a read has named, in engine and reference model.
@Suite struct `Objects that a read has named` {
  private func problems(
    _ steps: String, claims: String = "  succeeded", header: String = ""
  ) throws -> [String] {
    let text = smallScenario(header: header, steps: steps, claims: claims).replacing(
      "    title  string?\n",
      with: """
            title  string?
            folder  Folder? inverse notes
          Folder
            name  string?
            notes  Note* inverse folder
            awakeFromInsert  notes = insert

        """)
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
    return ScenarioCheck(scenario).problems.filter { !$0.isOfTranscript }.map { problem in
      (problem.line.map { "\($0): " } ?? "") + problem.message
    }
  }

  private static let start = """
      view  insert Folder as f
      view  insert Note as n
      view  set n.title "a"
      view  relate n.folder f
      view  save

    """

  @Test func `an object that a read has named is like any other`() throws {
    let steps =
      Self.start + """
          edit  fetch Note where title == "a" as first
          edit  get first.folder as g
          edit  set g.name "mine"
            claim  updated  edit.g
          edit  fetch Note where folder == g sort -title as top
            claim  same  edit.first edit.top
          edit  delete top
          edit  save
          view  save
        """
    let claims = """
        equal  view.f {name: "mine"}
        equal  store.g {name: "mine"}
        succeeded
      """
    #expect(try problems(steps, claims: claims) == [])
  }

  /// The name holds the object, which would leave the context otherwise.
  @Test func `an object that a read has named stays registered`() throws {
    let steps =
      Self.start + """
          edit  fetch Note where title == "a" as first
          edit  get first.folder as g
          edit  processPendingChanges
        """
    #expect(try problems(steps, claims: "  fault  edit.g\n  succeeded") == [])
    #expect(
      try problems(steps.replacing(" as g", with: " as h"), claims: "  fault  edit.f") != [])
  }

  /// An object that a hook has inserted has no other name.
  @Test func `a read can name an object that a hook has inserted`() throws {
    let steps = """
        view  insert Folder as f
        view  save
        edit  fetch Note as made
        edit  set made.title "found"
        edit  save
        view  save
      """
    let claims = "  equal  store.Note [made]\n  equal  store.made {title: \"found\"}"
    #expect(try problems(steps, claims: claims) == [])
  }

  @Test func `a read that finds nothing to name is reported`() throws {
    let steps =
      Self.start + """
          edit  fetch Note where title == "b" as b
          edit  object view.n
          edit  relate n.folder nil
          edit  get n.folder as g
          edit  release g
        """
    let found = try problems(steps)
    #expect(
      found.map { $0.prefix { $0 != "," } } == [
        "24: 'edit  fetch Note where title == \"b\" as b' finds nothing",
        "27: 'edit  get n.folder as g' finds nothing",
      ], "\(found)")
  }

  /// The object that had the name before is released, because the reference model compares each
  /// step.
  @Test func `a name stands for nothing after a read that finds nothing`() throws {
    let steps =
      Self.start + """
          edit  fetch Note where title == "a" as first
          edit  perform
            get first.folder as g
            set first.title "b"
            relate first.folder nil
          edit  perform
            get first.title
        """
    #expect(try problems(steps, claims: "  realised  edit.first") == [])
  }

  @Test func `a name is missed only if no order finds an object`() throws {
    let steps = """
        view  perform
          insert Note as n
          save
        edit  perform
          fetch Note as found
      """
    let every = "\ninterleave  every"
    #expect(try problems(steps, header: every) == [])
    let never = steps.replacing("fetch Note", with: "fetch Note where title == \"x\"")
    let found = try problems(
      never, claims: "  unregistered  edit.found", header: every)
    #expect(found.count == 1 && found[0].contains("finds nothing"), "\(found)")
  }
}
