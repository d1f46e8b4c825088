import Failures
import TestSupport
import Testing

/// Results that look like failures of a design, but are none, or are others.
@Suite struct `Failures that are not reported of a design` {
  /// The worker's save takes its time while the main queue waits forever.
  @Test func `a main queue that waits forever is not reported as blocked`() throws {
    let kinds = try failureKinds(
      """
        group  pending
        view  mainQueue coordinator store
        work  privateQueue coordinator store
        entry  finish
          view  performAndWait
            work  perform
              save
            wait pending
      """,
      """
        work  insert Note as n
        view  enter pending
        view  call finish
      """, time: "write 50 budget 40")
    #expect(kinds.contains { $0.invariant == .WaitForGraphIsAcyclic }, "\(kinds)")
    #expect(!kinds.contains("main queue blocked"))
  }

  /// Apple does not say whether this is an error or a silent loss. A save to the root completes the
  /// insertion, too.
  @Test(arguments: [false, true], ["coordinator store", "parent root"])
  func `a child's save of an object that was never saved is not reported`(
    isSaved: Bool, parent: String
  ) throws {
    let kinds = try failureKinds(
      """
        root  privateQueue coordinator store
        view  mainQueue \(parent)
        edit  privateQueue parent view
        entry  done
          edit  save
      """,
      """
        view  insert Note as n
        \(isSaved ? "view  save" : "view  processPendingChanges")
        edit  fetch Note
        edit  set n.title "typed"
        view  delete n
        edit  call done
      """)
    #expect(kinds.contains("silently ignored save") == isSaved, "\(kinds)")
  }

  /// Only a pending insertion can be repeated, and the root has left this one out.
  @Test func `a program that inserts an object again is at fault itself`() throws {
    let run = try failingRun(
      "stale read through a cached ancestor",
      """
        root  privateQueue coordinator store policy mergeByPropertyStoreTrump
        view  mainQueue parent root
        edit  privateQueue parent view
      """,
      """
        view  insert Note as n
        view  set n.title "same"
        view  insert Note as m
        view  set m.title "same"
        edit  fetch Note
        edit  set m.kind 1
        edit  save
        view  save
        root  save
        edit  discard
        view  insertAgain m
        view  save
        edit  fetch Note realised
      """, mark: "\n    kind  integer?\n    unique  title")
    #expect(run.cause == .program && run.group == .misuse, "\(run.text ?? "none")")
  }
}
