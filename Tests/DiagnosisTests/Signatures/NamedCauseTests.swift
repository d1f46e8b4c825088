import Diagnosis
import Execution
import Failures
import Invariants
import TestSupport
import Testing
import Vocabulary

/// The cause that is named is the one that ends the failure, and not a mere condition of it.
@Suite struct `The cause that is named` {
  private func accesses(of run: FailingRun) -> ConflictingAccesses? {
    let violations = ProgramRunner(run.configuration).run(run.program).violations
    return Experiment(of: run.failure, in: run.program, run.configuration)
      .accesses(for: run.cause, in: run.part, violations.first { $0.kind == run.failure.kind })
  }

  /// A root's policy drops one of two equal insertions, so the child's save finds nothing to
  /// change. Under the quirk a child's policy resolves nothing, so without the root's policy
  /// nothing is dropped.
  @Test func `the policy of a root that dropped a child's change is named`() throws {
    let run = try failingRun(
      "silently ignored save",
      """
        root  privateQueue coordinator store policy mergeByPropertyObjectTrump
        view  mainQueue parent root
      """,
      """
        view  insert Note as n
        view  set n.title "a"
        view  insert Note as m
        view  set m.title "a"
        view  save
        root  save
        view  set m.kind "b"
        view  save
        view  set n.kind "b"
        view  save
      """, mark: "\n    kind  string?\n    unique  title")
    #expect(run.cause == .mergePolicy(.mergeByPropertyObjectTrump))
    #expect(run.group == .design)
  }

  /// The view's policy lets the save through, which would fail otherwise. The reader shows the new
  /// value because it merges.
  @Test func `the merge between two reads is named, and no policy`() throws {
    let run = try failingRun(
      "non-repeatable read",
      """
        view  mainQueue coordinator store policy mergeByPropertyStoreTrump
        sync  privateQueue coordinator store autoMerge
      """,
      """
        view  insert Note as n
        view  set n.title "a"
        view  save
        sync  existingObject view.n
        sync  insert Note as o
        sync  get n.kind
        view  set n.kind "b"
        view  insert Note as m
        view  set m.title "a"
        view  save
        sync  get n.kind
      """, mark: "\n    kind  string?\n    unique  title")
    #expect(run.cause == .automaticMerge)
  }

  /// The context has deleted the object itself, and fetches past its own deletion.
  @Test func `no cause is named where a context reads what it has deleted`() throws {
    func kinds(deleting context: String) throws -> [FailureKind] {
      try failureKinds(
        """
          root  privateQueue coordinator store
          view  mainQueue parent root
          work  privateQueue parent root
        """,
        """
          view  insert Note as n
          view  set n.title "a"
          view  save
          root  save
          work  existingObject view.n
          \(context)  delete n
          \(context)  save
          view  fetch Note where title == "a" savedState
          view  refresh n
          root  save
          view  get n.title
        """)
    }
    let read: FailureKind = "object deleted by being read"
    #expect(try kinds(deleting: "work").contains(read))
    #expect(try !kinds(deleting: "view").contains(read))
  }

  /// The report names the context whose values are missing, and not the root that passes them on.
  @Test func `the save that no part merges is named`() throws {
    let stack = """
        root  privateQueue coordinator store hidden
        view  mainQueue parent root
        stray  privateQueue parent root
      """
    let run = try failingRun(
      "stale copy", stack,
      """
        view  insert Note as n
        view  save
        root  save
        stray  existingObject view.n
        view  set n.title "new"
        view  save
        root  save
      """)
    #expect(accesses(of: run)?.text == "nothing merges view's save into stray")
  }

  /// An entry point of the design merges the saves of every context.
  @Test func `no missing merge is named where an entry point merges the history`() throws {
    let run = try failingRun(
      "stale copy in a following context",
      """
        view  mainQueue coordinator store
        work  privateQueue coordinator store
        entry  catchUp
          view  mergeHistory
      """,
      """
        work  insert Note as n
        work  save
        view  existingObject work.n
        work  set n.title "new"
        work  save
      """)
    #expect(accesses(of: run)?.text == "view's read, and then work's save")
  }

  /// The object is a fault where the list is, so a merge passes over it (NT-18).
  @Test func `no part is named where a merge leaves a list as it is`() throws {
    let run = try failingRun(
      "stale list in a following context",
      """
        view  mainQueue coordinator store
        work  privateQueue coordinator store
        controller  list  view Note where title == "new" sort title
        observe  didSave work
          view  perform
            mergeChanges delivered
      """,
      """
        work  insert Note as n
        work  save
        view  performFetch list
        work  set n.title "new"
        work  save
      """)
    #expect(accesses(of: run)?.text == "no merge into view brings its list up to date")
  }

  /// Both contexts save one row, which is a conflict without the policy.
  @Test func `the policy that lets two saves of one row cross is named`() throws {
    let (crossed, configuration) = try outcome(of: "Conflicts/saves-cross-under-store-trump")
    let violation = try #require(crossed.violations.first { $0.invariant == .SavesDoNotCross })
    let cause = Experiment(of: FailureSignature(violation.kind), in: crossed.program, configuration)
      .cause
    #expect(cause == .mergePolicy(.mergeByPropertyStoreTrump))
    let remedy = Invariant.SavesDoNotCross.definition.remedy(for: cause, at: .store)
    #expect(remedy?.hasPrefix("keep the error policy") == true)
  }
}
