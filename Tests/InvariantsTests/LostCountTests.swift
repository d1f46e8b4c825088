import Execution
import Failures
import Invariants
import TestSupport
import Testing

/// Two contexts that count from one value save the same number, so no value of the store shows the
/// loss.
@Suite struct `A count` {
  /// Returns the kinds of failures if `view` and another context count from zero, and both save.
  private func kinds(
    _ steps: String, policy: String, other: String = "sync  privateQueue coordinator store"
  ) throws -> [FailureKind] {
    let text = smallScenario(
      steps: """
          view  insert Note as n
          view  save
        \(steps)
        """
    ).replacing("    title  string?\n", with: "    views  integer = 0\n")
      .replacing("coordinator store\n", with: "coordinator store policy \(policy)\n")
      .replacing("  edit  privateQueue parent view\n", with: "  \(other)\n")
    var (outcome, configuration) = try judge(text)
    configuration.checkLevel = .scenario
    outcome = ProgramRunner(configuration).run(outcome.program)
    return outcome.failureKinds
  }

  private static let crossing = """
      sync  existingObject view.n
      view  increment n.views
      sync  increment n.views
      sync  save
      view  save
    """

  @Test func `a count is lost if another is saved over it`() throws {
    #expect(
      try kinds(Self.crossing, policy: "mergeByPropertyObjectTrump")
        == ["lost update in the store"])
    #expect(try kinds(Self.crossing, policy: "error") == ["failed save"])
  }

  @Test func `a count down is lost if another is saved over it`() throws {
    let down = Self.crossing.replacing("n.views", with: "n.views by -1")
    #expect(
      try kinds(down, policy: "mergeByPropertyObjectTrump") == ["lost update in the store"])
  }

  @Test func `a count is not lost if the second context has seen the first one`() throws {
    let steps = """
        view  increment n.views
        view  save
        sync  existingObject view.n
        sync  increment n.views
        sync  save
      """
    // The value that view still shows is another finding.
    #expect(try kinds(steps, policy: "mergeByPropertyObjectTrump") == ["stale copy"])
  }

  @Test func `a count is lost between a child and its parent`() throws {
    let steps = """
        edit  object view.n
        edit  increment n.views
        view  increment n.views
        edit  save
      """
    #expect(
      try kinds(steps, policy: "error", other: "edit  privateQueue parent view")
        == ["lost update"])
  }
}
