import Failures
import Invariants
import Scenario
import Shrinking
import Testing
import Vocabulary

extension `What a program brings upon itself` {
  /// Nothing is saved, and no other context has to do with it.
  @Test func `is the cause of a list that it fetches in the middle of its changes`() throws {
    let text = smallScenario(
      steps: "  view  insert Note as n\n  view  performFetch list\n  view  delete n"
    ).replacing("\nsteps", with: "  controller  list view Note sort title\n\nsteps")
    let (cause, part) = try cause(of: "stale list", text)
    #expect(cause == .program)
    let group = FailureIdentity("stale list", cause).group(part: part, ways: [])
    #expect(group == .misuse)
  }

  /// With the folders of notes, and how the two are related.
  private func scenario(_ steps: String, folders: String) -> String {
    smallScenario(steps: steps).replacing(
      "    title  string?\n", with: "    title  string?\n" + folders + "\n")
  }

  @Test func `is the cause of a reference that it has refreshed away`() throws {
    let text = scenario(
      """
        view  insert Note as n
        view  insert Folder as f
        view  save
        view  relate n.folder f
        view  refresh f
        view  delete f
        view  save
      """,
      folders: """
            folder  Folder? inverse notes
          Folder
            notes  Note* inverse folder
        """)
    #expect(try cause(of: "dangling reference", text).cause == .program)
    // The rule would have cleared it again; the program had done so itself.
    let unruled = text.replacing("Note* inverse folder", with: "Note* inverse folder noAction")
      .replacing(
        "  view  relate n.folder f\n  view  refresh f\n",
        with: """
            view  relate n.folder f
            view  save
            view  relate n.folder nil
            view  refresh n

          """)
    #expect(try cause(of: "dangling reference", unruled).cause == .program)
  }

  /// No deletion clears what nothing leads back from, whether or not other entities inherit from
  /// its destination.
  @Test(arguments: ["", "  Box : Folder\n    size  integer?\n"])
  func `is not the cause of a reference whose relationship has no inverse`(heir: String) throws {
    let text = scenario(
      """
        view  insert Note as n
        view  insert Folder as f
        view  relate n.folder f
        view  save
        view  delete f
        view  save
      """,
      folders: """
            folder  Folder?
          Folder
            name  string?

        """ + heir)
    #expect(try cause(of: "dangling reference", text).cause == .missingInverse)
  }
}
