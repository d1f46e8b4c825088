import Execution
import Failures
import TestSupport
import Testing

/// The design is at fault for holding the main queue only where another design would not hold it.
@Suite struct `Blame for a main queue that is held up` {
  private func onMain(_ steps: String) throws -> FailingRun {
    try failingRun(
      "store access on the main queue",
      """
        view  mainQueue coordinator store
        root  privateQueue coordinator store
        child  mainQueue parent root
        entry  reload
          view  perform
            fetch Note
      """, steps, time: "read 2")
  }

  /// A fetch makes a request of the store in every design.
  @Test func `the program is blamed for its own requests`() throws {
    let own = try onMain("  view  fetch Note")
    #expect(own.cause == .program && own.group == .misuse)
    let nested = try onMain("  view  performAndWait\n    root  fetch Note")
    #expect(nested.cause == .program && nested.group == .misuse)
    #expect(try onMain("  child  fetch Note").group == .misuse)
    let called = try onMain("  root  call reload")
    #expect(called.part == .entryPoint("reload") && called.group == .design)
  }

  /// A merge must run on the queue of its context.
  @Test func `no part is blamed for what a merge reads`() throws {
    func isBlamed(_ answer: String) throws -> Bool {
      let stack = """
          view  mainQueue coordinator store
          work  privateQueue coordinator store
          controller  list view Note sort title
          observe  didSave work
            view  perform
              \(answer)
        """
      let steps = """
          view  performFetch list
          work  insert Note as n
          work  save
          work  reset
        """
      let text = smallScenario(steps: steps)
        .replacing(
          "  view  mainQueue coordinator store\n  edit  privateQueue parent view\n",
          with: stack + "\n"
        )
        .replacing("  store  main\n", with: "  time  read 2\n  store  main\n")
      return try judge(text).outcome.failures.contains {
        $0.kind == "store access on the main queue" && $0.detail?.part != nil
      }
    }
    #expect(try !isBlamed("mergeChanges delivered"))
    #expect(try isBlamed("fetch Note"))
  }

  /// A save writes before its observers are called. Requests of an observer are another finding.
  @Test func `the design is blamed for an observer's request after the program's`() throws {
    let asked = try failingRun(
      "store access on the main queue",
      """
        view  mainQueue coordinator store
        observe  didSave view
          view  fetch Note
      """,
      """
        view  insert Note as n
        view  save
      """, time: "read 2 write 20")
    let all = ProgramRunner(asked.configuration).run(asked.program).failures
      .filter { $0.kind == "store access on the main queue" }
    #expect(all.map { $0.detail?.part == nil } == [true, false])
  }

  /// Without the observer there would be nothing to wait for, but the observer does not wait.
  @Test func `the part that waits is blamed, and not the part that it waits for`() throws {
    let run = try failingRun(
      "main queue blocked",
      """
        group  pending
        view  mainQueue coordinator store
        work  privateQueue coordinator store
        entry  synchronize
          view  performAndWait
            wait pending
        observe  didSave view
          work  enter pending
          work  perform
            fetch Note
            leave pending
      """,
      """
        view  insert Note as n
        view  performAndWait
          save
          call synchronize
      """, time: "read 20 write 2 budget 16")
    #expect(run.cause == .entryPoint && run.part == .entryPoint("synchronize"))
  }

  /// The design is at fault if one of its parts keeps a parent busy. Any request keeps a
  /// coordinator busy, and the request on the main queue is the program's.
  @Test func `the design is blamed where its part keeps the main queue waiting`() throws {
    func blocked(
      _ step: String, parent: String, request: String = "fetch Note"
    ) throws -> FailingRun {
      try failingRun(
        "main queue blocked",
        """
          root  privateQueue coordinator store
          view  mainQueue \(parent)
          entry  importNotes
            root  perform
              save
        """,
        """
          root  insert Note as n
          root  \(step)
          view  perform
            \(request)
        """, isInterleaved: true, time: "read 2 write 20 budget 16")
    }
    let design = try blocked("call importNotes", parent: "parent root")
    #expect(design.group == .design && design.part == .entryPoint("importNotes"))
    #expect(try blocked("perform\n    save", parent: "parent root").group == .misuse)
    #expect(design.failure.detail?.ways.contains(.heldUp) == true)
    // A request that only reads would pass the writer.
    let beside = try blocked(
      "call importNotes", parent: "coordinator store", request: "batchDelete Note")
    #expect(beside.group == .misuse && beside.failure.detail?.ways.contains(.heldUp) == false)
    let own = try failingRun(
      "main queue blocked", "  view  mainQueue coordinator store", "  view  fetch Note",
      time: "read 20 budget 16")
    #expect(own.cause == .program && own.group == .misuse)
  }

  /// The program's own hold is longer, but does not hide the design's.
  @Test func `the longest hold of the program and of the design are both reported`() throws {
    let stack = """
        view  mainQueue coordinator store
        entry  saveView
          view  save
      """
    let steps = """
        view  insert Note as n
        view  call saveView
        view  performAndWait
          sleep 100
      """
    let run = try failingRun(
      "main queue blocked", stack, steps, time: "read 2 write 20 budget 16")
    let parts = ProgramRunner(run.configuration).run(run.program).failures
      .filter { $0.kind == "main queue blocked" }.map { $0.detail?.part }
    #expect(Set(parts) == [nil, .entryPoint("saveView")])
  }
}
