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

  /// A fetch in a root asks the store in whatever design.
  @Test func `on the program for its own requests in a root context`() throws {
    let own = try onMain("  view  fetch Note")
    #expect(own.cause == .program && own.group == .misuse)
    let nested = try onMain("  view  performAndWait\n    root  fetch Note")
    #expect(nested.cause == .program && nested.group == .misuse)
    #expect(try onMain("  child  fetch Note").group == .design)
    let called = try onMain("  root  call reload")
    #expect(called.part == .entryPoint("reload") && called.group == .design)
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

  /// The coordinator is busy in the first case; in the second the program waits where it need not.
  @Test func `on the program where the main queue waits since a step of its own asks for a queue`()
    throws
  {
    func blocked(_ step: String) throws -> FailingRun {
      try failingRun(
        "main queue blocked",
        """
          view  mainQueue coordinator store
          work  privateQueue coordinator store
        """,
        """
          work  insert Note as n
          work  perform
            save
          view  perform
            \(step)
        """, isInterleaved: true, time: "read 2 write 20 budget 16")
    }
    #expect(try blocked("fetch Note").group == .design)
    let own = try failingRun(
      "main queue blocked", "  view  mainQueue coordinator store", "  view  fetch Note",
      time: "read 20 budget 16")
    #expect(own.cause == .program && own.group == .misuse)
    #expect(try blocked("work  performAndWait\n      fetch Note").group == .misuse)
  }
}
