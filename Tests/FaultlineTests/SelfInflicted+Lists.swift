import Execution
import Failures
import Invariants
import Scenario
import ScenarioChecking
import Shrinking
import Testing
import Vocabulary

/// What a program has looked for in vain, and lists.
extension `What a program brings upon itself` {
  @Test func `is no stale list if it looks for what is not saved yet`() throws {
    let list = "  controller  list sync Note sort title"
    let steps = """
        view  insert Note as n
        sync  object view.n
        sync  performFetch list
        view  save
      """
    #expect(try kinds(steps, sync: " autoMerge", parts: list) == [])
    let without = steps.replacing("  sync  object view.n\n", with: "")
    #expect(try kinds(without, parts: list) == ["stale list"])
  }

  @Test func `is a stale list whatever else it has looked for`() throws {
    let list = "  controller  list sync Note sort title"
    let steps = """
        view  insert Note as old
        view  save
        view  delete old
        view  save
        sync  object view.old as gone
        sync  performFetch list
        view  insert Note as n
        view  save
      """
    #expect(try kinds(steps, parts: list) == ["stale list"])
  }
}
