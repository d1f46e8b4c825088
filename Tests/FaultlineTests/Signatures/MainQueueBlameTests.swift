import Execution
import Failures
import Testing
import Vocabulary

/// What holds the main queue up is the design's only where another design would not.
@Suite struct `A main queue that is held up is blamed` {
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

  /// A fetch asks the store in whatever design.
  @Test func `on the program for its own requests`() throws {
    let own = try onMain("  view  fetch Note")
    #expect(own.cause == .program && own.group == .misuse)
    let nested = try onMain("  view  performAndWait\n    root  fetch Note")
    #expect(nested.cause == .program && nested.group == .misuse)
    #expect(try onMain("  child  fetch Note").group == .misuse)
    let called = try onMain("  root  call reload")
    #expect(called.part == .entryPoint("reload") && called.group == .design)
  }

  /// A merge has no other place than the queue of its context.
  @Test func `on nothing for what a merge reads`() throws {
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

  /// A save writes before its observers are called; what they do is another finding.
  @Test func `on the design for what an observer asks after the program`() throws {
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

  /// Without the observer there would be nothing to wait for, but it does not wait.
  @Test func `on the part that waits, and not on what it waits for`() throws {
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

  /// A parent that a part of the design keeps busy is the design's; a coordinator is busy with any
  /// request, and the one on the main queue is the program's.
  @Test func `on the design where one of its parts keeps the main queue waiting`() throws {
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
    // What only reads would pass the writer.
    let beside = try blocked(
      "call importNotes", parent: "coordinator store", request: "batchDelete Note")
    #expect(beside.group == .misuse && beside.failure.detail?.ways.contains(.heldUp) == false)
    let own = try failingRun(
      "main queue blocked", "  view  mainQueue coordinator store", "  view  fetch Note",
      time: "read 20 budget 16")
    #expect(own.cause == .program && own.group == .misuse)
  }

  /// The program's own hold is longer, and hides nothing of the design.
  @Test func `for the longest hold of either`() throws {
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
