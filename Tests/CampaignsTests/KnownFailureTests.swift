import Campaigns
import Execution
import Failures
import InputFiles
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

@Suite struct `A known violation` {
  private func knownFailures(_ names: [String]) throws -> KnownFailures {
    KnownFailures(
      try names.map { name in
        ("\(name)", try ScenarioFile.read(path: "\(Repository.root)/Scenarios/\(name).scenario"))
      })
  }

  @Test func `a known violation leads to the plainest scenario that shows it`() throws {
    let plain = "Identity/child-keeps-temporary-ID"
    let others = [
      "Identity/child-posts-temporary-ids", "Identity/two-instances-for-one-row",
      "Merging/merge-from-a-sibling", "Reported/new-object-keeps-its-temporary-ID",
    ]
    let program = Program(
      try ScenarioFile.read(path: "\(Repository.root)/Scenarios/\(plain).scenario"))
    for names in [others + [plain], [plain] + others] {
      let found = try knownFailures(names).precedent(
        for: "temporary ID leak", .quirk(.childKeepsTemporaryID), like: program)
      #expect(found?.path == plain)
    }
  }

  /// One scenario is about a lost increment, the other about a lost edit.
  @Test func `a known violation leads to the scenario that does the same steps`() throws {
    let names = [
      "Conflicts/automatic-merge-loses-an-update", "Conflicts/two-increments-that-merge-count-once",
    ]
    let known = try knownFailures(names)
    for name in names {
      let scenario = try ScenarioFile.read(path: "\(Repository.root)/Scenarios/\(name).scenario")
      let found = known.precedent(
        for: "lost update through a merge in the store", .automaticMerge, like: Program(scenario))
      #expect(found?.path == name)
    }
  }

  /// A scenario that no campaign accepts is for readers. It is named if it tells the story of the
  /// failure: the same actions on a stack of the same shape.
  @Test func `a known violation leads to no scenario of another story`() throws {
    let increments = "Conflicts/two-increments-that-merge-count-once"
    func scenario(_ name: String) throws -> Scenario {
      try ScenarioFile.read(path: "\(Repository.root)/Scenarios/\(name).scenario")
    }
    let scenarios = [(path: increments, scenario: try scenario(increments))]
    let toBeRead = KnownFailures(scenarios) { _ in false }
    let accepted = KnownFailures(scenarios)
    func precedent(_ known: KnownFailures, _ program: Program) -> String? {
      known.precedent(
        for: "lost update through a merge in the store", .automaticMerge, like: program)?.path
    }
    let same = Program(try scenario(increments))
    #expect(precedent(toBeRead, same) == increments)
    let edit = Program(try scenario("Conflicts/automatic-merge-loses-an-update"))
    #expect(precedent(toBeRead, edit) == nil)
    // An accepted failure is accepted with its cause, however it comes about.
    #expect(precedent(accepted, edit) == increments)
    var deeper = same
    deeper.stack.contexts[0].automaticallyMergesChangesFromParent.toggle()
    #expect(precedent(toBeRead, deeper) == nil)
    var told = same
    told.stack.observers.append(
      Stack.Observer(notification: .objectsDidChange, context: ContextID(0), steps: []))
    #expect(precedent(toBeRead, told) == nil)
  }

  /// Both errors have one kind and one cause.
  @Test func `an accepted failed save covers no failed save of another error`() throws {
    let name = "Conflicts/disjoint-edits-conflict-too"
    let known = try knownFailures([name])
    let program = Program(
      try ScenarioFile.read(path: "\(Repository.root)/Scenarios/\(name).scenario"))
    func precedent(_ code: ErrorCode) -> String? {
      known.precedent(
        for: "failed save", .mergePolicy(.error), of: .error(code), like: program)?.path
    }
    #expect(precedent(.managedObjectMerge) == name)
    #expect(precedent(.managedObjectConstraintMerge) == nil)
  }

  @Test func `a known violation leads to the scenario with such a stack`() throws {
    let guarded = "Lifecycle/guarded-awakeFromInsert-is-no-guard"
    let levels = "Lifecycle/awakeFromInsert-on-every-level"
    let known = try knownFailures([guarded, levels])
    for name in [guarded, levels] {
      let scenario = try ScenarioFile.read(path: "\(Repository.root)/Scenarios/\(name).scenario")
      let found = known.precedent(
        for: "duplicate awakeFromInsert", .quirk(.parentAwakensInsertedObject),
        like: Program(scenario))
      #expect(found?.path == name)
    }
  }

  /// Both the parent and the row cache are stale. The value that was read comes from the parent,
  /// whatever else is stale.
  @Test func `a known violation has the cause of the value that was read`() throws {
    let known = try knownFailures(["Stores/child-loads-what-a-batch-update-has-passed"])
    let program = try SmallProgram.program(
      """
        view  mainQueue coordinator store
        edit  mainQueue parent view
        observe  objectsDidChange view
          perform
            save
      """,
      steps: """
          edit  insert Note as n
          edit  save
          edit  refresh n
          view  batchUpdate Note {title: "s1"}
          edit  get n.title
        """)
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    configuration.stack = program.stack
    let verdict = known.verdict(
      on: "stale read through a cached ancestor", in: program, configuration)
    #expect(verdict.cause == .quirk(.ancestorCacheHidesUpdates) && verdict.precedent != nil)
  }

  /// A program is shrunk first, so other violations in it do not matter.
  @Test func `a known violation is recognized in a longer program`() throws {
    let known = try knownFailures(["Identity/child-keeps-temporary-ID"])
    let path = "\(Repository.root)/Scenarios/Conflicts/last-child-wins.scenario"
    let scenario = try ScenarioFile.read(path: path)
    let configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    func documented(_ kind: FailureKind) -> String? {
      known.verdict(on: FailureSignature(kind), in: Program(scenario), configuration).precedent?
        .path
    }
    #expect(documented("temporary ID leak") == "Identity/child-keeps-temporary-ID")
    #expect(documented("lost update") == nil)
  }
}
