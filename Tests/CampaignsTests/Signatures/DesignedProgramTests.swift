import Campaigns
import Execution
import InputFiles
import Scenario
import Shrinking
import TestSupport
import Testing
import Vocabulary

/// A generated program uses a designed stack as an app does that uses it as intended.
@Suite struct `A program on a designed stack` {
  private static func programs(on name: String, runs: Int = 150) throws -> [Program] {
    let folder = "\(Repository.root)/Fixtures"
    let path = "\(folder)/Models/Note.model"
    var settings = CampaignSettings(models: [.file(path: path, try ModelFile.read(path: path))])
    settings.stack = try StackFile.read(path: "\(folder)/Stacks/\(name).stack").stack
    (settings.runs, settings.steps) = (runs, 40)
    let campaign = FuzzCampaign(settings)
    return (1...runs).map { number in
      let (source, seed) = campaign.origin(ofProgram: number)
      var choices = campaign.choices(seed, source)
      return campaign.run(source, &choices).program
    }
  }

  @Test func `a program works on one piece of work in a block that ends it`() throws {
    var blockCount = 0
    for program in try Self.programs(on: "magicalrecord-save-blocks") {
      let stack = program.stack
      for step in program.steps {
        let endings = stack.entryPoints(thatFinish: step.context)
        guard !endings.isEmpty else { continue }
        guard case .perform(let steps) = step.step else {
          Issue.record("\(stack[step.context].name) has \(step.step) on its own")
          continue
        }
        blockCount += 1
        let isAsked = steps == [AddressedStep(step.context, .hasChanges)]
        let calls = steps.compactMap {
          if case .call(let entryPoint) = $0.step { entryPoint } else { nil }
        }
        #expect(isAsked || calls.last.map(endings.contains) == true)
      }
    }
    #expect(blockCount > 100)
  }

  /// A separate save would be a second end of the piece of work.
  @Test func `a program saves one piece of work only by what ends it`() throws {
    var callCount = 0
    for program in try Self.programs(on: "modal-edit-child") {
      let stack = program.stack
      for step in program.steps {
        _ = step.contains { inner in
          if case .call = inner.step { callCount += 1 }
          let isSaved = inner.step == .save
          #expect(!isSaved || stack.entryPoints(thatFinish: inner.context).isEmpty)
          return false
        }
      }
      #expect(stack.trespassCount(of: program, in: stack) == 0)
      var saving = program
      let work = try #require(
        stack.contextIDs.first { !stack.entryPoints(thatFinish: $0).isEmpty })
      saving.steps.append(AddressedStep(work, .save))
      #expect(stack.trespassCount(of: saving, in: stack) == 1)
    }
    #expect(callCount > 100)
  }

  /// A shrinker accepts no candidate that has more of either.
  @Test func `a program works in no hidden context and calls nothing from a held queue`() throws {
    for (name, hidden) in [("magicalrecord-save-blocks", true), ("pool-of-workers", false)] {
      let program = try #require(try Self.programs(on: name, runs: 1).first)
      let stack = program.stack
      #expect(stack.trespassCount(of: program, in: stack) == 0)
      var other = program
      let context = try #require(stack.contextIDs.last { stack[$0].isHidden == hidden })
      let step: Step =
        hidden
        ? .hasChanges : .performAndWait([AddressedStep(ContextID(0), .call(EntryPointID(0)))])
      other.steps.append(AddressedStep(context, step))
      #expect(stack.trespassCount(of: other, in: stack) == 1)
    }
  }

  /// Otherwise a shrinker would replace a call by the steps of its entry point.
  @Test func `a program leaves the flags of a design alone`() throws {
    var program = try #require(try Self.programs(on: "reset-behind-a-flag", runs: 1).first)
    let stack = program.stack
    #expect(!stack.flags.isEmpty && stack.trespassCount(of: program, in: stack) == 0)
    program.steps.append(AddressedStep(ContextID(0), .setFlag(FlagID(0), true)))
    #expect(stack.trespassCount(of: program, in: stack) == 1)
  }

  /// An example must not contain steps that no program contains.
  @Test func `a program that was shrunk still ends what it begins`() throws {
    let programs = try Self.programs(on: "pool-of-workers", runs: 20)
    let stack = try #require(programs.first?.stack)
    let units = programs.flatMap(\.steps).filter { step in
      guard case .call(let entryPoint)? = step.step.block?.last?.step else { return false }
      // A program may discard the context itself.
      return stack.entryPoints(thatFinish: step.context).contains(entryPoint)
        && step.step.block?.contains { $0.step == .discard } == false
    }
    #expect(units.count > 20)
    for unit in units {
      let block = unit.step.block ?? []
      let work = block.filter { !stack.entryPoints(thatFinish: $0.context).isEmpty }
      #expect(stack.unfinishedCount([unit], in: stack) == 0)
      let cut = AddressedStep(unit.context, .perform(block.dropLast()))
      #expect(stack.unfinishedCount([cut], in: stack) == 1)
      #expect(stack.unfinishedCount(block, in: stack) == work.count)
      let view = try #require(stack.contextIDs.first { stack.entryPoints(thatFinish: $0).isEmpty })
      let inside = AddressedStep(view, .performAndWait([cut, unit]))
      #expect(stack.unfinishedCount([inside], in: stack) == 1)
    }
  }

  /// An entry point that is called with another queue held may wait for that queue.
  @Test func `a program calls entry points on the main queue, or where they begin`() throws {
    var count = 0
    for program in try Self.programs(on: "harmony-record-controller") {
      for step in program.steps {
        guard case .call(let entryPoint) = step.step else { continue }
        let first = program.stack.entryPoints[entryPoint.index].steps.first?.context
        #expect(program.stack[step.context].isOnMainQueue || first == step.context)
        count += 1
      }
    }
    #expect(count > 100)
  }

  /// A block that waits for nothing does not call what a block in it enqueues.
  @Test(arguments: ["changes-pushed-by-ID", "import-operation-on-main"])
  func `a program calls no entry point with another queue held`(name: String) throws {
    var count = 0
    func visit(_ step: AddressedStep, _ held: [ContextID], _ stack: Stack) {
      if case .call = step.step {
        count += 1
        #expect(held.allSatisfy { stack.shareQueue($0, step.context) })
      }
      let inner: [ContextID] =
        switch step.step {
        case .performAndWait, .directly: held + [step.context]
        case .perform, .performBackgroundTask: [step.context]
        default: []
        }
      for next in step.step.block ?? [] { visit(next, inner, stack) }
    }
    for program in try Self.programs(on: name) {
      for step in program.steps { visit(step, [], program.stack) }
    }
    #expect(count > 100)
  }

  @Test func `a program leaves the queues of the design alone`() throws {
    for program in try Self.programs(on: "magicalrecord-save-blocks") {
      #expect(!program.steps.contains { $0.contains { $0.step.traits.contains(.runsOnAppQueue) } })
    }
  }
}
