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
    #expect(try onMain("  child  fetch Note").group == .design)
    let called = try onMain("  root  call reload")
    #expect(called.part == .entryPoint("reload") && called.group == .design)
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
    #expect(try blocked("work  performAndWait\n      fetch Note").group == .misuse)
  }
}
