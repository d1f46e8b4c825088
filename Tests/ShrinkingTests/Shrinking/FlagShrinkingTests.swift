import Execution
import Shrinking
import TestSupport
import Testing
import Vocabulary

@Suite struct `Flags of a shrunk program` {
  private static let flags = "  flag  spare\n  flag  busy\n"
  private static let stack = flags + SmallProgram.twoRoots

  private func program() throws -> Program {
    try SmallProgram.program(
      Self.stack,
      steps: """
          view  insert Note as note1
          view  save
          sync  object view.note1
          view  raise busy
          sync  set note1.title "s2"
          view  set note1.title "s1"
          view  save
          sync  when busy
            save
        """)
  }

  @Test func `flags that no step mentions are dropped, and the rest is renumbered`() throws {
    let whole = try program()
    let shrunk = try `A pass over programs`.shrunk(
      whole, [.dropParts], keeping: "lost update in the store")
    #expect(shrunk.stack.flags == [Stack.Flag(name: "busy")])
    #expect(SmallProgram.steps(of: shrunk) == SmallProgram.steps(of: whole))
    #expect(shrunk.steps[3].step.flag == FlagID(0) && whole.steps[3].step.flag == FlagID(1))
  }

  /// The flags of the design come back by name.
  @Test func `flags come back with the design`() throws {
    let whole = try program()
    let shrunk = try `A pass over programs`.shrunk(
      whole, [.dropParts], keeping: "lost update in the store")
    let restored = try #require(shrunk.restored(to: whole.stack))
    #expect(restored.stack == whole.stack && restored.steps == whole.steps)
    var other = whole.stack
    other.flags = [Stack.Flag(name: "spare")]
    #expect(shrunk.restored(to: other) == nil)
  }

  /// The condition and its block stay as they are. A test of a flag that is raised can go.
  @Test func `flags are dropped with the last step about them`() throws {
    let shrunk = try `A pass over programs`.shrunk(
      program(), [.unwrapBlocks, .deleteSteps, .dropParts], keeping: "lost update in the store")
    #expect(shrunk.stack.flags == [])
    #expect(shrunk.steps.allSatisfy { $0.step.flag == nil })
  }
}
