import CampaignSupport
import Campaigns
import Execution
import Failures
import InputFiles
import Invariants
import Scenario
import Shrinking
import TestSupport
import Testing
import Vocabulary

/// An example on a designed stack has parts of that stack and nothing else.
@Suite struct `An example on a designed stack` {
  private func name(_ parent: Stack.Parent, in stack: Stack) -> String {
    switch parent {
    case .coordinator(let coordinator): stack.coordinators[coordinator.index].name
    case .context(let context): stack[context].name
    }
  }

  /// `proxy` has a hidden context that only an entry point saves. In `private-root-main-workers`
  /// observers save and merge. `modal-edit-child` has a child, which would conflict in the store as
  /// a root.
  @Test(arguments: ["proxy", "private-root-main-workers", "modal-edit-child"])
  func `an example keeps to its place on the stack`(name stackName: String) throws {
    let path = Repository.root + "/Fixtures/Stacks/\(stackName).stack"
    let design = try StackFile.read(path: path).stack
    var settings = CampaignSettings(models: try Repository.models())
    settings.stack = design
    settings.runs = 80
    settings.seed = 77
    settings.shrinkBudget = 400
    let report = FuzzCampaign(settings, certifying: 2).run()
    #expect(report.violations.count >= 5)
    for failure in report.violations {
      let stack = failure.example.stack
      for context in stack.contexts {
        let theirs = try #require(
          design.contexts.first { $0.name == context.name }, "\(failure.kind): \(context.name)")
        #expect(
          name(context.parent, in: stack) == name(theirs.parent, in: design), "\(failure.kind)")
        #expect(context.isHidden == theirs.isHidden && context.mergePolicy == theirs.mergePolicy)
      }
      for observer in stack.observers {
        #expect(
          design.observers.contains {
            $0.notification == observer.notification
              && design[$0.context].name == stack[observer.context].name
          }, "\(failure.kind)")
      }
      // A context that is not discardable stays as long as the app.
      for step in failure.example.items.flatMap(\.step.leaves) where step.step == .discard {
        let name = stack[step.context].name
        #expect(
          design.contexts.contains { $0.name == name && $0.isDiscardable },
          "\(failure.kind): \(name)")
      }
      // The only step of entry points in a hidden context is a save.
      for item in failure.example.items where stack[item.step.context].isHidden {
        let steps = item.step.step.block ?? [item.step]
        #expect(
          steps.allSatisfy { $0.step == .save && stack[$0.context].isHidden },
          "\(failure.kind): \(item.step)")
      }
    }
  }

  /// A failure that an observer of the design would prevent is no failure of the design, even if a
  /// program on a stack without that observer fails. A failure that no observer prevents is one.
  @Test(arguments: [("view", false), ("stray", true)])
  func `an example must fail on the whole of the stack`(context: String, isTrue: Bool) throws {
    let path = Repository.root + "/Fixtures/Stacks/private-root-main-workers.stack"
    let design = try StackFile.read(path: path).stack
    let declaration =
      context == "view" ? "view  mainQueue parent root" : "stray  privateQueue parent root"
    let program = try SmallProgram.program(
      "  root  privateQueue coordinator store\n  \(declaration)",
      steps: "  \(context)  insert Note as n\n  \(context)  save\n  \(context)  kill")
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    configuration.checkLevel = .design
    let runner = ProgramRunner(configuration)
    let kind: FailureKind = "acknowledged save gone"
    #expect(runner.run(program).failureKinds.contains(kind))
    var executions = 0
    let fails = program.fails(
      as: FailureSignature(kind), onTheWholeOf: design, by: runner, counting: &executions)
    #expect(fails == isTrue && executions == 1)
  }

  /// The entry point saves the view in a turn that the kill does not wait for. Steps of the program
  /// in its place would promise nothing.
  @Test func `an example keeps an entry point that its steps do not replace`() throws {
    let program = try SmallProgram.program(
      """
        view  mainQueue coordinator store
        edit  privateQueue parent view
        entry  finish
          edit  performAndWait
            save
          view  perform
            save
      """, interleave: "0 0 0 0 0 0",
      steps: "  view  fetch Memo\n  edit  insert Note as n\n  edit  call finish\n  view  kill")
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    configuration.checkLevel = .design
    configuration.stack = program.stack
    let failing = try #require(
      (0..<64).lazy.map { bits in
        var other = program
        other.schedule = (0..<6).map { UInt32(bits >> $0 & 1) }
        return other
      }.first {
        ProgramRunner(configuration).run($0).failureKinds.contains("acknowledged save gone")
      }
    )
    let shrunk = ProgramShrinker.shrink(
      failing, keeping: "acknowledged save gone", configuration, budget: 400,
      passes: ProgramPass.allCases)
    #expect(
      SmallProgram.steps(of: shrunk.outcome.program)
        == ["edit insert Note as note1", "view call finish", "view kill"])
  }

  /// Two steps and those of an observer count as three or four steps. Without the observer three
  /// steps fail.
  @Test(arguments: [
    "objectsDidChange view\n    perform\n      save", "didSave edit\n    view  save",
  ])
  func `the size of an example counts the steps of its observers`(observer: String) throws {
    let program = try SmallProgram.program(
      "  view  mainQueue coordinator store\n  edit  mainQueue parent view\n  observe  " + observer,
      steps: "  edit  insert Note as n\n  edit  save")
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    configuration.checkLevel = .design
    configuration.stack = program.stack
    let result = ShrinkingPipeline(configuration).smallest(program, failingAs: "temporary ID leak")
    #expect(result.outcome.program.stack.observers.isEmpty && result.certificate.isMinimal)
    #expect(
      SmallProgram.steps(of: result.outcome.program)
        == ["view insert Note as note1", "edit fetch Note", "view save"])
  }

  /// A step other than the program's last may be the last of a longer program.
  @Test func `the search for an example adds steps that the program lacks`() throws {
    let program = try SmallProgram.program(
      """
        view  mainQueue coordinator store
        edit  mainQueue parent view
        observe  objectsDidChange view
          save
      """, steps: "  edit  insert Note as n\n  edit  save\n  view  processPendingChanges")
    let configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    let found = MinimalityProof(configuration).withoutAnObserver(
      program, failingAs: "temporary ID leak"
    ) { _ in true }
    let smaller = try #require(found.program)
    #expect(
      SmallProgram.steps(of: smaller).count == 3 && smaller.stack.observers.isEmpty)
  }

  /// Three steps fail on the part that the example has, and no part needs the fourth. But the
  /// design's observer saves in the fourth a value that is lost otherwise. The certificate says so,
  /// and does not blame the budget.
  @Test func `a failure on a part of the stack alone does not certify an example`() throws {
    let path = Repository.root + "/Fixtures/Stacks/private-root-main-workers.stack"
    let program = try SmallProgram.program(
      "  root  privateQueue coordinator store\n  view  mainQueue parent root",
      steps: """
          view  insert Note as n
          view  hasChanges
          view  save
          view  kill
        """)
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    configuration.checkLevel = .design
    configuration.stack = try StackFile.read(path: path).stack
    let certificate = ShrinkingPipeline(configuration, budget: 1).smallest(
      program, failingAs: "acknowledged save gone"
    ).certificate
    #expect(certificate.verdict == .doubtful(belowSteps: 3))
    #expect(!certificate.isComplete && !certificate.sentence.contains("transitions"))
    #expect(
      certificate.sentence.contains("all programs of fewer than 3 steps made of"))
  }
}
