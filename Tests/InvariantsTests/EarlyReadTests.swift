import Execution
import Failures
import Invariants
import TestSupport
import Testing

@Suite struct `A read after an enqueued save` {
  /// Returns the violations of an entry point with these steps. The caller holds the queue of the
  /// saved context, so that blocks for it run last.
  private func violations(
    _ entry: String, _ steps: String = "", parts: String = ""
  ) throws -> [String] {
    let indented = entry.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    let text = smallScenario(
      steps: "  work  insert Note as n\n\(steps)  work  call finish\n"
    ).replacing(
      "  edit  privateQueue parent view\n",
      with: "  edit  privateQueue parent view\n  work  privateQueue coordinator store\n\(parts)"
        + "  entry  finish\n\(indented)\n")
    return try judge(text).outcome.violations
      .filter { $0.invariant == .CallsReadWhatTheySave }.map { $0.detail ?? "" }
  }

  private static let save = "work  perform\n  save\n"

  @Test(arguments: [
    "view  perform\n  fetch Note", "view  perform\n  count Note", "edit  perform\n  fetch Note",
  ])
  func `a read in another context misses the insertion`(read: String) throws {
    #expect(try violations(Self.save + read) == ["insertion"])
  }

  @Test func `a list in another context misses the insertion`() throws {
    let found = try violations(
      Self.save + "view  perform\n  performFetch list",
      parts: "  controller  list view Note sort title\n")
    #expect(found == ["insertion"])
  }

  @Test func `a read in another context still shows a deletion`() throws {
    let steps = "  work  set n.title \"x\"\n  work  save\n  work  delete n\n"
    #expect(try violations(Self.save + "view  perform\n  fetch Note", steps) == ["deletion"])
    let found = Self.save + "view  perform\n  fetch Note where title == \"x\""
    #expect(try violations(found, steps) == ["deletion"])
  }

  @Test(arguments: [
    // The context itself shows its unsaved changes.
    save + "work  perform\n  fetch Note",
    // The predicate may not match the insertion.
    save + "view  perform\n  fetch Note where title == \"x\"",
    // The save comes first, or is not enqueued yet.
    "work  performAndWait\n  save\nview  perform\n  fetch Note",
    "view  performAndWait\n  fetch Note\n" + save,
    "view  performAndWait\n  fetch Note\n" + save + "view  perform\n  fetch Note",
    "work  perform\n  save\n  view  perform\n    fetch Note",
  ])
  func `a read that misses nothing, or cannot know, is not reported`(entry: String) throws {
    #expect(try violations(entry) == [])
  }

  /// A fetch does not refresh a registered object (FE-24).
  @Test func `a changed value is not reported`() throws {
    let steps = "  work  save\n  work  set n.title \"x\"\n"
    #expect(try violations(Self.save + "view  perform\n  fetch Note", steps) == [])
  }
}
