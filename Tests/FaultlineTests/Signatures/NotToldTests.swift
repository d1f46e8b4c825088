import Execution
import Failures
import Testing
import Vocabulary

/// What would be told as a failure of a design, and is none, or is another.
@Suite struct `Not told of a design` {
  /// The worker's save takes its time while the main queue waits, for ever.
  @Test func `is that the main queue is blocked where it waits for ever`() throws {
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

  /// Whether that is an error or a silent loss is unknown. A save to the root completes the
  /// insertion, too.
  @Test(arguments: [false, true], ["coordinator store", "parent root"])
  func `is what a child saves of an object that was never saved`(
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

  /// Only an insertion that is pending can be repeated; the root has left this one out.
  @Test func `is what becomes of an object that the program inserts again`() throws {
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
