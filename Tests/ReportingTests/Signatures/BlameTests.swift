import CampaignSupport
import Campaigns
import Diagnosis
import Execution
import Failures
import Generation
import InputFiles
import Invariants
import ObjectModel
import Scenario
import ScenarioChecking
import Shrinking
import TestSupport
import Testing
import Vocabulary

/// A bug of the design must not turn into a failure that the program causes while it is shrunk.
@Suite struct `A stale list that a merge left behind` {
  /// The observer merges, but a list does not notice an update of a fault (NT-18).
  private static let stack = """
    # The list of the main context, beside an import whose saves are merged.

    stack  list-beside-an-import
    origin  reported  NT-18
    model  Note.model

      store  main
      view  mainQueue coordinator store
      work  privateQueue coordinator store
      controller  list view Note sort title
      observe  didSave work
        view  perform
          mergeChanges delivered

    """

  private static func design() throws -> (design: StackDesign, path: String) {
    let path = "\(Repository.root)/Fixtures/Models/Note.model"
    let model = try ModelFile.read(path: path)
    return (try StackDesignText.parse(stack) { _ in .success(model) }, path)
  }

  private func isRequest(_ step: AddressedStep) -> Bool {
    step.contains { if case .batch = $0.step { true } else { false } }
  }

  /// Merged updates make the list stale, and so do batch requests that are not merged.
  @Test func `a campaign with batch requests does not blame them for the list`() throws {
    let (design, path) = try Self.design()
    var settings = CampaignSettings(models: [.file(path: path, design.model)])
    settings.stack = design.stack
    settings.withSteps = [.batchInsert, .batchUpdate, .batchDelete, .mergeChanges]
    (settings.runs, settings.steps, settings.seed, settings.shrinkBudget) = (200, 40, 1, 300)
    let report = FuzzCampaign(settings, certifying: 0).run()
    let lists = (report.violations + report.misuses).filter {
      $0.kind == "stale list in a following context"
    }
    let merged = lists.filter { $0.ways?.contains(.batchRequest) == false }
    #expect(!merged.isEmpty && merged.count < lists.count)
    for failure in merged {
      let steps = failure.example.items.map(\.step)
      #expect(!steps.contains(where: isRequest), "\(ScenarioText.print(failure.example))")
      #expect(failure.cause != .bypass(.batchRequests))
      // A list that the program fetches in the middle of its own changes is not the design's
      // either.
      #expect(failure.group == (failure.cause == .program ? .misuse : .design))
    }
    for failure in lists where failure.cause == .bypass(.batchRequests) {
      #expect(failure.group == .misuse)
      #expect(!report.violations.contains { $0.blame.key == failure.blame.key })
    }
  }

  /// A program that fails by a merge, and in its last step also by a batch request.
  private func program() throws -> Program {
    let design = try Self.design().design
    let text = """
      scenario  test
      evidence  inferred

      \(ModelText.print(design.model).split(separator: "\n").reduce("model\n") { $0 + "  \($1)\n" })
      stack
        store  main
        view  mainQueue coordinator store
        work  privateQueue coordinator store
        controller  list view Note sort title
        observe  didSave work
          view  perform
            mergeChanges delivered

      steps
        work  insert Note as n
        work  set n.title "b"
        work  insert Note as m
        work  set m.title "c"
        work  save
        view  performFetch list
        work  set m.title "a"
        work  save
        view  batchInsert Note {title: "z"}

      claims
        succeeded

      """
    return Program(
      try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "there is none")) })
  }

  private func configuration(for program: Program) -> RunConfiguration {
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    configuration.checkLevel = .design
    configuration.stack = program.stack
    return configuration
  }

  @Test func `a stale list of a merge does not shrink to a batch request`() throws {
    var program = try program()
    let batch = [program.steps.removeLast()]
    let configuration = configuration(for: program)
    let failures = ProgramRunner(configuration).run(program).failures
    let target = try #require(failures.first { $0.kind == "stale list in a following context" })
    #expect(target.detail?.ways.contains(.batchRequest) == false)
    let pipeline = ShrinkingPipeline(configuration, budget: 300)
    let smallest = pipeline.smallest(program, failingAs: target).outcome
    #expect(!smallest.program.steps.contains(where: isRequest))
    #expect(smallest.fails(as: target) && smallest.program.steps.contains { $0.step == .save })
    let cause = Experiment(of: target, in: smallest.program, configuration).cause
    #expect(cause == .design)
    // The shortest program of this kind is no such failure.
    var shortest = program
    shortest.steps = [program.steps[5]] + batch
    let other = ProgramRunner(configuration).run(shortest)
    #expect(other.failureKinds == ["stale list in a following context"] && !other.fails(as: target))
  }

  @Test func `the programs of a certificate fail in the same way`() throws {
    var program = try program()
    program.steps.removeLast()
    let configuration = configuration(for: program)
    let target = try #require(ProgramRunner(configuration).run(program).failures.first)
    let result = ShrinkingPipeline(configuration, budget: 300).smallest(program, failingAs: target)
    let proof = MinimalityProof(configuration).smallest(
      result.outcome.program, failingAs: target)
    #expect(ProgramRunner(configuration).run(proof.program).fails(as: target))
  }
}

@Suite struct `A value that a hook has set` {
  /// The last save of `edit` replaces a value that it has never seen: a stamp of the parent, or a
  /// value set in its place.
  private func violations(_ steps: String, hook: String = "awakeFromInsert  stamp = next") throws
    -> [Violation]
  {
    let text = """
      scenario  test
      evidence  inferred
      quirk  parentAwakensInsertedObject childSaveIgnoresMergePolicy

      model
        Note
          title  string?
          stamp  integer?
          \(hook)

      stack
        store  main
        view  mainQueue coordinator store
        edit  privateQueue parent view

      steps
        edit  insert Note as n
        edit  refresh n
        edit  save
        edit  get n.stamp
      \(steps)
        edit  set n.stamp 9
        edit  save

      claims
        succeeded

      """
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    configuration.checkLevel = .proof
    return ProgramRunner(configuration).run(Program(scenario)).violations
      .filter { $0.invariant == .SavedUpdatesAreNotLost }
  }

  /// `refreshed-insert-is-stamped-above`: the parent stamps the object that the child saves to it.
  @Test func `a save does not lose a value that a hook has set`() throws {
    #expect(try violations("").map(\.invariant) == [])
  }

  @Test func `a save loses such a value if a program sets it again`() throws {
    let lost = try violations("  view  existingObject edit.n\n  view  set n.stamp 7")
    #expect(lost.map(\.values) == [[.integer(7), .integer(9)]])
    // A value from a hook counts as well.
    #expect(lost.allSatisfy { $0.ways?.contains(.hook) == true })
    let other = try violations(
      "  view  existingObject edit.n\n  view  set n.title \"seen\"\n  edit  set n.title \"own\"")
    #expect(other.contains { $0.property == PropertyID(0) })
  }
}

@Suite struct `Failures that a program causes itself` {
  private static let kind: FailureKind = "lost update through a merge in the store"

  /// No context of the stack merges anything.
  private static let stack = """
    # Two roots that hear nothing of each other.

    stack  two-roots
    origin  inferred  an app that merges nothing

      store  main
      view  mainQueue coordinator store
      work  privateQueue coordinator store

    """

  private func report(asking withSteps: Bool, isDesigned: Bool = true) throws -> CampaignReport {
    let path = "\(Repository.root)/Fixtures/Models/Note.model"
    var settings = CampaignSettings(models: [.file(path: path, try ModelFile.read(path: path))])
    settings.stack = try StackDesignText.parse(Self.stack) {
      .failure(UnreadableModel(message: $0))
    }
    .stack
    if withSteps { settings.withSteps = [.mergeChanges, .mergeRemoteChanges, .mergeHistory] }
    (settings.runs, settings.steps, settings.seed, settings.shrinkBudget) = (200, 50, 5, 300)
    return FuzzCampaign(settings, certifying: 0).run()
  }

  @Test func `a failure that a program causes is not blamed on the design`() throws {
    let report = try report(asking: true)
    #expect(report.misuses.contains { $0.kind == Self.kind && $0.cause == .program })
    #expect(!report.violations.contains { $0.kind == Self.kind })
    #expect(report.misuses.allSatisfy { $0.group == .misuse && $0.part == nil })
    #expect(report.violations.allSatisfy { $0.group != .misuse })
    // A failure of the design needs no merge by the program.
    for failure in report.violations where failure.group == .design {
      var program = Program(failure.example)
      program.steps.removeAll { $0.step.verb.hasPrefix("merge") }
      var configuration = RunConfiguration(
        model: program.model, quirks: failure.example.quirkSet)
      configuration.checkLevel = .design
      #expect(
        ProgramRunner(configuration).run(program).failureKinds.contains(failure.kind),
        "\(ScenarioText.print(failure.example))")
    }
  }

  /// A program merges only if it is asked to.
  @Test func `a program leaves merges to the design`() throws {
    let report = try report(asking: false)
    #expect(!(report.violations + report.misuses).contains { $0.kind == Self.kind })
    #expect(report.failureTallies.allSatisfy { $0.kind != Self.kind })
    #expect(!report.stepCounts.contains { $0.verb.hasPrefix("merge") })
  }

  /// Without a design it is a finding like any other.
  @Test func `a failure that a program causes is reported where no stack was designed`() throws {
    let path = "\(Repository.root)/Fixtures/Models/Note.model"
    var settings = CampaignSettings(models: [.file(path: path, try ModelFile.read(path: path))])
    settings.stepFilter.only = [.insert, .set, .save, .batchUpdate, .get, .fetch, .refresh]
    (settings.runs, settings.steps, settings.shrinkBudget) = (150, 40, 100)
    let report = FuzzCampaign(settings, certifying: 0).run()
    #expect(report.misuses.isEmpty && report.violations.contains { $0.group == .misuse })
  }

  // MARK: Groups

  @Test func `a failure is misuse only if the design takes no part`() {
    let part = DesignPart.entryPoint("save")
    func group(_ cause: Cause?, _ part: DesignPart? = nil, _ ways: ChangeWays? = [])
      -> FailureGroup
    {
      FailureIdentity(Self.kind, cause).group(part: part, ways: ways)
    }
    for cause: Cause in [.program, .bypass(.batchRequests), .bypass(.undo)] {
      #expect(group(cause) == .misuse && group(cause, part) == .design)
    }
    for cause: Cause in [.design, .observer, .automaticMerge, .mergePolicy(.overwrite)] {
      #expect(group(cause) == .design && group(cause, part) == .design)
      #expect(group(cause, nil, .designsMerge) == .design && group(cause, nil, nil) == .design)
    }
    #expect(group(.design, nil, [.programsMerge, .refresh]) == .misuse)
    #expect(group(.design, part, .programsMerge) == .design)
    // A quirk is one in any part, and a planted bug is no bug of an app.
    for cause: Cause in [
      .quirk(.childKeepsTemporaryID), .quirks(.childKeepsTemporaryID, .rowHasTwoInstances),
    ] {
      #expect(group(cause, nil, .programsMerge) == .frameworkBehaviour)
      #expect(group(cause, part) == .frameworkBehaviour)
    }
    // A hook of a class does the same under every stack. A generated model belongs to the program.
    let endless = FailureIdentity("endless reaction", .willSave)
    #expect(endless.group(part: part, ways: nil) == .frameworkBehaviour)
    let blame = Blame(endless, part: part, ways: nil, hasGeneratedModel: true)
    #expect(blame.group == .misuse)
    #expect(group(.willSave, part) == .frameworkBehaviour)
    #expect(group(.plantedBug(.killLosesRows), part) == .defect)
    #expect(
      FailureIdentity("disagreement on events: merge", nil).group(part: part, ways: nil) == .defect)
  }

  @Test func `misuse comes last in reports`() {
    #expect(FailureGroup.allCases == FailureGroup.allCases.sorted())
    #expect(FailureGroup.allCases.last == .misuse && FailureGroup.design > .defect)
    #expect(Set(FailureGroup.allCases.map(\.name)).count == FailureGroup.allCases.count)
  }
}
