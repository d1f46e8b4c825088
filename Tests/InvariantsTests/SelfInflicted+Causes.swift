import Failures
import TestSupport
import Testing

extension `Failures that a program brings upon itself` {
  /// Nothing is saved, and no other context is involved.
  @Test func `a program that fetches in the middle of its changes causes a stale list`() throws {
    let text = smallScenario(
      steps: "  view  insert Note as n\n  view  performFetch list\n  view  delete n"
    ).replacing("\nsteps", with: "  controller  list view Note sort title\n\nsteps")
    let (cause, part) = try cause(of: "stale list", text)
    #expect(cause == .program)
    let group = FailureIdentity("stale list", cause).group(part: part, ways: [])
    #expect(group == .misuse)
  }

  /// Returns a scenario with the folders of notes, related as given.
  private func scenario(_ steps: String, folders: String) -> String {
    smallScenario(steps: steps).replacing(
      "    title  string?\n", with: "    title  string?\n" + folders + "\n")
  }

  @Test func `a program causes a reference that it has refreshed away`() throws {
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
    // The rule would have cleared the reference again, but the program had done so itself.
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

  /// No deletion clears a reference without an inverse, whether or not other entities inherit from
  /// its destination.
  @Test(arguments: ["", "  Box : Folder\n    size  integer?\n"])
  func `a program does not cause a reference that has no inverse`(heir: String) throws {
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
