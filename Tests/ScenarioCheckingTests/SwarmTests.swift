import Determinism
import Execution
import Foundation
import Generation
import InputFiles
import ObjectModel
import Scenario
import TestSupport
import Testing
import Vocabulary

@Suite struct `A swarm` {
  private func swarms(_ count: Int, _ stepFilter: StepFilter = StepFilter()) -> [Swarm] {
    (0..<count).map { index in
      var choices = Choices(seed: Generator.derive(300, UInt64(index)))
      return Swarm(stepFilter: stepFilter, &choices)
    }
  }

  @Test func `the simplest swarm is the average run`() {
    var choices = Choices(replaying: Choices.Recording())
    let swarm = Swarm(&choices)
    for kind in StepGenerator.Kind.allCases {
      #expect(swarm.share(of: kind) == (kind.isOnDemand ? 0 : Swarm.usualShare), "\(kind)")
    }
    #expect(swarm.tree == .any && swarm.values == .distinct)
    #expect(choices.positions[.shape] > 50)
    #expect(choices.positions[.workload] == 0)
  }

  @Test func `a swarm lacks some kinds of steps, and has much of others`() {
    let swarms = swarms(200)
    for kind in StepGenerator.Kind.allCases {
      let shares = swarms.map { $0.share(of: kind) }
      if [.insert, .set, .save].contains(kind) {
        #expect(shares.allSatisfy { $0 == Swarm.usualShare })
      } else if kind.isOnDemand {
        #expect(shares.allSatisfy { $0 == 0 }, "used only if it is asked for")
      } else {
        #expect(Set(shares).count == 4, "\(kind)")
        #expect(10...60 ~= shares.count { $0 == 0 }, "\(kind)")
      }
    }
    #expect(Set(swarms.map(\.tree)).count == Swarm.Tree.allCases.count)
    #expect(Set(swarms.map(\.values)).count == Swarm.Values.allCases.count)
  }

  /// A run without kills is different, but one without requests for URIs is not.
  @Test func `a swarm names the failures that a run does without`() throws {
    let path = Repository.root + "/Fixtures/Stacks/private-root-main-workers.stack"
    let stack = try StackFile.read(path: path).stack
    for swarm in swarms(100) {
      let parts = swarm.text(for: stack, isWhole: false).components(separatedBy: "; ")
      let missing = parts.first { $0.hasPrefix("without ") } ?? ""
      #expect(missing.contains("kill") == (swarm.share(of: .kill) == 0), "\(parts)")
      #expect(!missing.contains("uriRepresentation"), "\(parts)")
    }
  }

  /// The whole text also names steps that are rare in any run.
  @Test func `a swarm is described as a whole`() throws {
    let path = Repository.root + "/Fixtures/Stacks/private-root-main-workers.stack"
    let stack = try StackFile.read(path: path).stack
    for swarm in swarms(100) {
      let parts = swarm.text(for: stack, isWhole: true).components(separatedBy: "; ")
      for (word, share) in [("without", 0), ("rarely", 1), ("often", 6)] {
        let names = parts.first { $0.hasPrefix(word + " ") }?.dropFirst(word.count + 1)
          .components(separatedBy: ", ")
        for kind in [StepGenerator.Kind.uriRepresentation, .batchInsert, .set] {
          #expect((swarm.share(of: kind) == share) == (names ?? []).contains(kind.name), "\(parts)")
        }
      }
    }
  }

  @Test func `a swarm keeps to what is pinned`() {
    var stepFilter = StepFilter()
    stepFilter.only = [.insert, .save, .undo, .writeConflict]
    stepFilter.without = [.writeConflict]
    for swarm in swarms(60, stepFilter) {
      for kind in StepGenerator.Kind.allCases {
        #expect((swarm.share(of: kind) > 0) == [.insert, .save, .undo].contains(kind), "\(kind)")
      }
    }
  }

  @Test func `a swarm decides the tree`() {
    let model = ObjectModel(entities: [Entity(name: "Note")])
    for index in 0..<100 {
      for tree in Swarm.Tree.allCases {
        var choices = Choices(seed: UInt64(index))
        let stack = StackGenerator(model: model, limits: StackLimits(), tree: tree).stack(&choices)
        let depths = stack.contextIDs.map { stack.chain(from: $0).count }
        let free = stack.contexts.filter { $0.concurrencyType != .confinement }
        switch tree {
        case .any: break
        case .chain: #expect(depths.max() == free.count)
        case .siblings: #expect((depths.max() ?? 0) <= 2)
        case .roots:
          #expect(depths.count { $0 == 1 } == min(stack.contexts.count, StackLimits().rootCount))
        }
      }
    }
  }

  @Test func `a swarm decides which values are set`() throws {
    let path = Repository.root + "/Fixtures/Models/Note.model"
    let model = try ModelFile.read(path: path)
    let runner = ProgramRunner(RunConfiguration(model: model, quirks: Profile.current.quirks))
    var nils: [Swarm.Values: (nil: Int, all: Int)] = [:]
    for index in 0..<400 {
      var choices = Choices(seed: Generator.derive(301, UInt64(index)))
      let outcome = runner.run(&choices)
      let values = try #require(outcome.swarm).values
      for case .set(_, _, let value) in outcome.program.steps.map(\.step) {
        nils[values, default: (0, 0)].all += 1
        if value == .null { nils[values, default: (0, 0)].nil += 1 }
      }
    }
    let usual = try #require(nils[.distinct])
    let many = try #require(nils[.nils])
    #expect(many.nil * usual.all > 2 * usual.nil * many.all)
  }

  @Test func `a swarm is described in a few words`() {
    var choices = Choices(replaying: Choices.Recording())
    var stack = Stack()
    stack.stores = [Stack.Store(name: "main")]
    stack.coordinators = [Stack.Coordinator(name: "store", stores: [StoreID(0)])]
    stack.contexts = [
      Stack.Context(
        name: "work", concurrencyType: .privateQueue, parent: .coordinator(CoordinatorID(0)))
    ]
    #expect(Swarm(&choices).text(for: stack, isWhole: false) == "1 context on 1 level")
    let texts = swarms(60).map { $0.text(for: stack, isWhole: false) }
    #expect(texts.contains { $0.hasPrefix("without ") && $0.contains("; often ") })
    #expect(texts.contains { $0.contains("few values") })
    // The text does not mention steps that no context of the stack can perform.
    #expect(!texts.contains { $0.contains("tick") || $0.contains("undo") })
  }
}
