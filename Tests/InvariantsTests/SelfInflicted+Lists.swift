import TestSupport
import Testing

/// Lists, and objects that a program has looked for in vain.
extension `Failures that a program brings upon itself` {
  @Test func `a list is not stale if the program looks for what is not saved yet`() throws {
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

  @Test func `a list is stale whatever else the program has looked for`() throws {
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
