import Diagnosis
import Execution
import Failures
import Invariants
import Scenario
import TestSupport
import Testing

@Suite struct `Blame for a failure` {
  // MARK: Deadlocks

  private static let childStack = """
      view  mainQueue coordinator store
      edit  privateQueue parent view
      entry  later
        edit  perform
          save
      entry  now
        edit  performAndWait
          save
    """

  /// The main thread waits for the child before the entry point has begun.
  @Test func `the caller that waits for a queue to make a call there is blamed`() throws {
    let hop = try failingRun(
      "deadlock", Self.childStack,
      """
        view  perform
          edit  call later
        edit  fetch Note
      """, isInterleaved: true)
    #expect(hop.part == nil && hop.group == .misuse)
    #expect(throws: UnreadableModel.self) {
      try failingRun(
        "deadlock by the stack", Self.childStack,
        """
          view  perform
            edit  call later
          edit  fetch Note
        """, isInterleaved: true)
    }
    let own = try failingRun(
      "deadlock by the stack", Self.childStack,
      """
        view  perform
          call now
        edit  fetch Note
      """, isInterleaved: true)
    #expect(own.text == "the entry point now")
  }

  /// Core Data's wait for the root breaks no order, but the wait for the main queue does.
  @Test func `the part that gives the main queue a block that comes back is blamed`() throws {
    let rootStack = """
        root  privateQueue coordinator store
        view  mainQueue parent root
      """
    let program = """
        root  performAndWait
          view  fetch Note
      """
    #expect(try failingRun("deadlock", rootStack, program).group == .misuse)
    let observer = rootStack + "\n  observe  didSave root\n    view  fetch Note"
    let save = "  root  insert Note as a\n  root  save"
    let own = try failingRun("deadlock by the stack", observer, save)
    #expect(own.group == .design && own.text == "the observer of didSave by root, in view")
    // The call is the program's, which holds the root's queue.
    let entry = rootStack + "\n  entry  reload\n    view  fetch Note"
    let call = "  root  performAndWait\n    view  call reload"
    #expect(try failingRun("deadlock", entry, call).group == .misuse)
  }

  // MARK: Parts that only save

  private static let crossing = """
      view  insert Note as a
      view  insert Note as b
      view  save
      view  get a.title
      sync  fetch Note
      sync  existingObject view.b
      sync  existingObject view.a
      sync  get b.title
      view  set b.title "s1"
      sync  set a.title "s2"
      view  save
    """

  @Test func `the design is blamed for saves that cross, by whatever part and policy`() throws {
    let roots = """
        view  mainQueue coordinator store
        sync  privateQueue coordinator store
        entry  finish
          sync  performAndWait
            when hasChanges
              save
        entry  overwrite
          sync  policy mergeByPropertyObjectTrump
          sync  save
      """
    let plain = try failingRun("write skew in the store", roots, Self.crossing + "\n  sync  save")
    let called = try failingRun(
      "write skew in the store", roots, Self.crossing + "\n  sync  call finish")
    #expect(called.failure.detail?.part == .entryPoint("finish"))
    #expect(plain.text == Cause.design.text && called.text == plain.text)
    // A policy resolves the conflict of two saves of one row.
    let other = try failingRun(
      "write skew in the store", roots,
      Self.crossing + """

          sync  refresh a
          sync  set a.title "s2"
          sync  call overwrite
        """)
    #expect(other.text == Cause.design.text)
    // An observer that saves is not blamed either.
    let observed = try failingRun(
      "write skew in the store",
      """
        view  mainQueue coordinator store
        sync  privateQueue coordinator store
        observe  didSave view
          sync  perform
            save
      """, Self.crossing)
    #expect(observed.cause == .design && observed.part == nil)
  }

  @Test func `the design is blamed where a read finds its row gone`() throws {
    let read = try failingRun(
      "object deleted by being read",
      """
        root  privateQueue coordinator store
        view  mainQueue parent root
        edit  privateQueue parent view
        observe  didSave view
          root  perform
            save
      """,
      """
        view  insert Note as n
        edit  object view.n
        view  save
        view  delete n
        view  save
        edit  get n.title
      """)
    #expect(read.cause == .design && read.part == nil)
  }

  @Test func `the part that reads what another has remembered is blamed`() throws {
    let read = try failingRun(
      "object deleted by being read by the stack",
      """
        ids  changed
        view  mainQueue coordinator store
        sync  privateQueue coordinator store
        entry  push
          sync  perform
            forEach changed mark
            save
        observe  didSave view
          remember changed delivered
      """,
      """
        view  insert Note as n
        view  save
        view  delete n
        view  save
        view  call push
      """)
    #expect(read.cause == .entryPoint && read.part == .entryPoint("push"))
  }

  // MARK: The shape of a stack

  /// Another store beside it changes nothing, and neither does the part that reads.
  @Test func `two coordinators are blamed whatever reads through the second one`() throws {
    let read = try failingRun(
      "stale read through the row cache",
      """
        store  other
        coordinator  app  main
        coordinator  library  main other
        view  mainQueue coordinator app
        record  privateQueue coordinator library
        observe  didSave view
          record  perform
            forEach delivered touch
      """,
      """
        view  insert Note as n
        view  save
        record  fetch Note
        view  set n.title "s1"
        view  save
      """)
    #expect(read.cause == .severalCoordinators)
    #expect(read.text == Cause.severalCoordinators.text)
  }

  // MARK: Stores that are taken, and merges

  @Test func `the part that takes the store is blamed`() throws {
    let raised = try failingRun(
      "raised error by the stack",
      """
        view  mainQueue coordinator store
        swap  privateQueue coordinator store
        entry  saveView
          view  save
        entry  empty
          swap  destroyStore main anew
      """,
      """
        view  insert Note as n
        view  save
        view  set n.title "s1"
        swap  call empty
        view  call saveView
      """)
    #expect(raised.failure.detail?.part == .entryPoint("saveView"))
    #expect(raised.part == .entryPoint("empty"))
  }

  @Test func `the entry point that merges is blamed`() throws {
    let lost = try failingRun(
      "lost update through a merge in the store",
      """
        view  mainQueue coordinator store policy mergeByPropertyStoreTrump
        sync  privateQueue coordinator store
        entry  catchUp
          view  mergeHistory
        entry  saveView
          view  save
      """,
      """
        view  insert Note as n
        view  save
        sync  existingObject view.n
        view  set n.title "s1"
        sync  set n.title "s2"
        sync  save
        view  call catchUp
        view  call saveView
      """)
    #expect(lost.failure.detail?.part == .entryPoint("saveView"))
    #expect(lost.part == .entryPoint("catchUp"))
  }

  // MARK: Schedules

  @Test func `the blame is the same whether the schedule matters or not`() {
    let part = DesignPart.entryPoint("save")
    func isSame(_ a: Cause, _ b: Cause, _ other: DesignPart? = nil) -> Bool {
      let kind: FailureKind = "object deleted by being read"
      return Blame(FailureIdentity(kind, a), part: part, ways: []).key
        == Blame(FailureIdentity(kind, b), part: other ?? part, ways: []).key
    }
    #expect(isSame(.design, .interleaving) && isSame(.interleaving, .design))
    #expect(!isSame(.design, .interleaving, .entryPoint("other")))
    #expect(isSame(.interleaving, .observer))
    #expect(!isSame(.interleaving, .observer, .entryPoint("other")) && !isSame(.program, .design))
    #expect(isSame(.severalCoordinators, .severalCoordinators, .entryPoint("other")))
    #expect(!isSame(.severalRoots, .severalRoots, .entryPoint("other")))
    func isSameDeadlock(_ a: Cause, _ b: Cause) -> Bool {
      FailureIdentity("deadlock", a).agrees(with: FailureIdentity("deadlock", b))
    }
    #expect(isSameDeadlock(.design, .design) && !isSameDeadlock(.design, .interleaving))
    #expect(
      !FailureIdentity("stale copy", .design).agrees(with: FailureIdentity("stale list", .design)))
  }

  @Test func `the automatic merge that a read comes before is blamed`() throws {
    let stale = try failingRun(
      "stale read before a merge",
      """
        view  mainQueue coordinator store autoMerge
        work  privateQueue coordinator store
      """,
      """
        view  insert Note as n
        view  save
        work  perform
          object view.n
          set n.title "s2"
          save
        view  get n.title
      """, isInterleaved: true)
    #expect(stale.cause == .automaticMerge && stale.group == .design)
  }

  // MARK: Copies

  /// A merged deletion that a rollback takes back is the lesser cause.
  @Test func `a save without notification is blamed rather than a rollback`() throws {
    let stale = try failingRun(
      "stale copy in a following context",
      """
        view  mainQueue coordinator store
        sync  privateQueue coordinator store
        other  privateQueue coordinator store
        observe  didSave sync
          view  perform
            mergeChanges delivered
      """,
      """
        view  insert Note as a
        view  insert Note as b
        view  save
        sync  existingObject view.a
        other  existingObject view.b
        sync  delete a
        sync  save
        view  rollback
        other  set b.title "new"
        other  save
      """)
    let violations = ProgramRunner(stale.configuration).run(stale.program).violations
      .filter { $0.kind == stale.failure.kind }
    #expect(violations.count == 1)
    #expect(!violations.contains { $0.proof.contains { $0.operation == .rollsBack } })
  }
}
