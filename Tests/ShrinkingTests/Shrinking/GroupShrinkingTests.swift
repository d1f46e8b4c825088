import Execution
import InputFiles
import Scenario
import Shrinking
import TestSupport
import Testing
import Vocabulary

@Suite struct `Groups and sets of a shrunk program` {
  private static let parts = "  group  spare\n  group  busy\n  ids  other\n  ids  seen\n"
  private static let stack = parts + SmallProgram.twoRoots

  private func program() throws -> Program {
    try SmallProgram.program(
      Self.stack,
      steps: """
          view  insert Note as note1
          view  save
          view  remember seen registered
          sync  object view.note1
          view  enter busy
          view  leave busy
          sync  set note1.title "s2"
          view  set note1.title "s1"
          view  save
          sync  notify busy
            save
        """)
  }

  @Test func `groups and sets that no step mentions are dropped, and come back by name`() throws {
    let whole = try program()
    let shrunk = try `A pass over programs`.shrunk(
      whole, [.dropParts], keeping: "lost update in the store")
    #expect(shrunk.stack.groups == [Stack.Group(name: "busy")])
    #expect(shrunk.stack.idSets == [Stack.IDSet(name: "seen")])
    #expect(SmallProgram.steps(of: shrunk) == SmallProgram.steps(of: whole))
    #expect(shrunk.steps[4].step == .enter(GroupID(0)))
    let restored = try #require(shrunk.restored(to: whole.stack))
    #expect(restored.stack == whole.stack && restored.steps == whole.steps)
    var other = whole.stack
    other.groups = [Stack.Group(name: "spare")]
    #expect(shrunk.restored(to: other) == nil)
    other = whole.stack
    other.idSets = []
    #expect(shrunk.restored(to: other) == nil)
  }

  /// An observer that enters a group and no longer leaves it has a deadlock that the design does
  /// not have.
  @Test func `a group is entered and left as often as in the design`() throws {
    let path = "\(Repository.root)/Fixtures/Stacks/harmony-record-controller.stack"
    let design = try StackFile.read(path: path).stack
    func stack(without isLeftOut: (Step) -> Bool) -> Stack {
      var stack = design
      for index in stack.observers.indices {
        stack.observers[index].steps = stack.observers[index].steps.compactMap {
          $0.without(isLeftOut)
        }
      }
      return stack
    }
    func isPart(_ isLeftOut: (Step) -> Bool) -> Bool {
      stack(without: isLeftOut).isPart(of: design, declaring: [])
    }
    #expect(isPart { if case .forEach = $0 { true } else { false } })
    #expect(!isPart { if case .leave = $0 { true } else { false } })
    #expect(isPart { $0.group != nil })
  }

  @Test func `groups and sets are dropped with the last step about them`() throws {
    let shrunk = try `A pass over programs`.shrunk(
      program(), [.unwrapBlocks, .deleteSteps, .dropParts], keeping: "lost update in the store")
    #expect(shrunk.stack.groups == [] && shrunk.stack.idSets == [])
    #expect(shrunk.steps.allSatisfy { $0.step.group == nil })
  }
}
