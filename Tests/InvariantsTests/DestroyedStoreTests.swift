import Execution
import TestSupport
import Testing
import Timelines

/// Invariants about a store that the design or the program destroys on purpose.
@Suite struct `A store that is destroyed` {
  private func outcome(_ stack: String, _ steps: String) throws -> Outcome {
    let text = """
      scenario  test
      evidence  inferred

      model
        Note
          title  string?

      stack
        store  main
        queue  eraser
        view  mainQueue coordinator store
        sync  privateQueue coordinator store
      \(stack)

      steps
        view  insert Note as n
        view  save
      \(steps)

      """
    return try judge(text).outcome
  }

  private let reset = """
      entry  reset
        view  dispatchAsync eraser
          sync  destroyStore main
    """

  @Test(arguments: ["destroyStore main", "destroyStore main anew"])
  func `a destroyed store loses nothing, at once or after a kill`(destruction: String) throws {
    let steps = """
        view  reset
        sync  \(destruction)
        sync  addStore main
        view  insert Note as m
        view  save
        view  kill
        view  fetch Note
      """
    #expect(try outcome("", steps).violations == [])
  }

  @Test func `a save raises if the design destroyed the store of its object`() throws {
    let steps = """
        view  call reset
        view  set n.title "x"
        view  save
      """
    let outcome = try outcome(reset, steps)
    let violation = try #require(outcome.violations.first)
    #expect(outcome.failureKinds == ["raised error"])
    #expect(
      violation.report(in: outcome.program) == """
        after step 5: raised error. 'view  save' failed: the object's store was destroyed.
          step 3   sync destroys the store main
          step 5   'view  save'
        """)
  }

  @Test func `a save of a new object raises until there is another store`() throws {
    let steps = """
        view  call reset
        view  insert Note as m
        view  save
      """
    let outcome = try outcome(reset, steps)
    let report = outcome.violations.map { $0.report(in: outcome.program) }.joined()
    #expect(outcome.failureKinds == ["raised error"])
    #expect(report.contains("failed: the store was destroyed, and no other store exists"))
    let anew = steps.replacing("  view  save", with: "  view  addStore main\n  view  save")
    #expect(try self.outcome(reset, anew).violations == [])
  }

  @Test func `a save by the design that raises is counted apart`() throws {
    let stack = reset + "\n  entry  save\n    view  save"
    let steps = """
        view  call reset
        view  set n.title "x"
        view  call save
      """
    #expect(try outcome(stack, steps).failureKinds == ["raised error by the stack"])
  }

  /// A program that destroys a store causes its own failures, whatever the design did before.
  @Test func `a program that destroys a store causes no failure of the design`() throws {
    let steps = """
        view  call reset
        view  addStore main
        view  insert Note as m
        view  save
        sync  destroyStore main
        view  set m.title "x"
        view  save
      """
    #expect(try outcome(reset, steps).violations == [])
  }
}
