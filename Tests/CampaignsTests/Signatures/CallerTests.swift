import Campaigns
import Execution
import InputFiles
import Shrinking
import TestSupport
import Testing
import Vocabulary

/// A program calls the entry points of a design from where the app does, as far as their steps show
/// that.
@Suite struct `The caller of an entry point` {
  /// A function of the main thread saves a form and discards it.
  private static let finishedByMain = """
      view  mainQueue coordinator store
      form  privateQueue parent view discardable
      other  privateQueue coordinator store
      entry  done
        view  performAndWait
          form  performAndWait
            save
          form  discard
    """

  /// The main thread waits for a worker, and the worker's save waits for the main thread.
  private static let mainWaits = """
      writer  privateQueue coordinator store hidden
      view  mainQueue parent writer
      work  privateQueue parent writer
      entry  waitForWork
        view  performAndWait
          work  performAndWait
            hasChanges
      observe  didSave work
        view  performAndWait
          mergeChanges delivered
    """

  private static func campaign(_ stack: String, runs: Int) throws -> FuzzCampaign {
    let path = "\(Repository.root)/Fixtures/Models/Note.model"
    var settings = CampaignSettings(models: [.file(path: path, try ModelFile.read(path: path))])
    settings.stack = try designedStack(stack)
    (settings.runs, settings.steps, settings.seed) = (runs, 40, 11)
    return FuzzCampaign(settings)
  }

  private static func outcomes(_ stack: String, runs: Int = 100) throws -> [Outcome] {
    let campaign = try campaign(stack, runs: runs)
    return (1...runs).map { number in
      let (source, seed) = campaign.origin(ofProgram: number)
      var choices = campaign.choices(seed, source)
      return campaign.run(source, &choices)
    }
  }

  private static func calls(in steps: [AddressedStep]) -> [AddressedStep] {
    steps.flatMap { step in
      if case .call = step.step { [step] } else { calls(in: step.step.block ?? []) }
    }
  }

  @Test(arguments: [
    ("work  save", ["view", "work"]), ("view  save", ["view"]),
    ("other  save", ["view", "other"]),
    ("other  perform\n      save", ["view", "work", "other"]),
    ("other  perform\n      save\n    work  save", ["view", "work", "other"]),
    ("other  perform\n      save\n    view  save", ["view", "other"]),
    ("other  dispatchAsync background\n      other  save", ["view", "work", "other"]),
    ("view  raise busy\n    other  perform\n      save", ["view", "work", "other"]),
    ("other  performAndWait\n      save", ["view", "other"]),
  ])
  func `a caller is the main thread, its first context, or any if it never waits`(
    steps: String, callers: [String]
  ) throws {
    let stack = try designedStack(
      """
        queue  background
        flag  busy
        view  mainQueue coordinator store
        work  privateQueue coordinator store
        other  privateQueue coordinator store
        entry  e
          \(steps)
      """)
    let found = stack.contextIDs.filter { stack.mayCall(stack.entryPoints[0], in: $0) }
    #expect(found.map { stack[$0].name } == callers)
  }

  @Test func `the caller is the main thread where that finishes a form`() throws {
    var callCount = 0
    for outcome in try Self.outcomes(Self.finishedByMain) {
      let (program, stack) = (outcome.program, outcome.program.stack)
      #expect(!outcome.failureKinds.contains("deadlock by the stack"))
      #expect(stack.trespassCount(of: program, in: stack) == 0)
      #expect(stack.unfinishedCount(program.steps, in: stack) == 0)
      for call in Self.calls(in: program.steps) {
        callCount += 1
        #expect(stack[call.context].name == "view")
      }
    }
    #expect(callCount > 50)
  }

  @Test func `a caller keeps its queue from the work to the end`() throws {
    let stack = try designedStack(Self.finishedByMain)
    let (view, form) = (ContextID(0), ContextID(1))
    let work = AddressedStep(form, .performAndWait([AddressedStep(form, .hasChanges)]))
    let call = AddressedStep(view, .call(EntryPointID(0)))
    func unfinished(_ steps: [AddressedStep]) -> Int {
      stack.unfinishedCount([AddressedStep(view, .perform(steps))], in: stack)
    }
    #expect(unfinished([work, call]) == 0)
    #expect(unfinished([work]) == 1)
    #expect(unfinished([call, work]) == 1)
    #expect(stack.unfinishedCount([work, call], in: stack) == 1)
  }

  @Test(arguments: [
    ("form", [], 1), ("other", [], 1), ("view", [], 0), ("view", ["view"], 0),
    ("view", ["other"], 1),
  ])
  func `a call is counted where no app calls`(caller: String, held: [String], count: Int) throws {
    let stack = try designedStack(Self.finishedByMain)
    func context(_ name: String) -> ContextID {
      ContextID(stack.contexts.firstIndex { $0.name == name } ?? 0)
    }
    var step = AddressedStep(context(caller), .call(EntryPointID(0)))
    for name in held { step = AddressedStep(context(name), .performAndWait([step])) }
    #expect(stack.misplacedCallCount(in: [step]) == count)
    // Steps that a block enqueues run after the block has released its queue.
    let later = AddressedStep(context("other"), .async(AppQueueID(0), [step]))
    #expect(stack.misplacedCallCount(in: [later]) == count)
  }

  /// With the call in `work` one step would be enough.
  @Test func `a caller stays where it is in a smaller example`() throws {
    let stuck = try failingRun(
      "deadlock by the stack", Self.mainWaits,
      """
        view  perform
          call waitForWork
        work  performAndWait
          view  fetch Note
      """, isInterleaved: true)
    let shrunk = ProgramShrinker.shrink(
      stuck.program, keeping: stuck.failure, stuck.configuration, budget: 300
    ).outcome.program
    let example = MinimalityProof(stuck.configuration).smallest(shrunk, failingAs: stuck.failure)
      .program
    for program in [shrunk, example] {
      let calls = Self.calls(in: program.steps)
      #expect(calls.map { program.stack[$0.context].name } == ["view"])
    }
  }
}
