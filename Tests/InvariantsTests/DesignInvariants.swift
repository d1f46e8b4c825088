import Determinism
import Diagnosis
import Execution
import Failures
import InputFiles
import Invariants
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Timelines
import Vocabulary

@Suite struct `An invariant about designs` {
  /// Each case has an invariant, a scenario that violates it, the nearest harmless scenario, the
  /// cause, and lines of the proof.
  @Test(arguments: [
    (
      Invariant.ReadsAreRepeatable, "Concurrency/read-changes-under-an-automatic-merge",
      "Concurrency/read-is-refreshed-on-purpose", Cause.automaticMerge,
      [
        "view reads n.title as \"old\"", "view merges n automatically from a save of sync",
        "view reads n.title as \"new\"",
      ]
    ),
    (
      .MergedUpdatesAreNotLost, "Conflicts/automatic-merge-loses-an-update",
      "Conflicts/edit-after-a-merge-loses-nothing", .automaticMerge,
      [
        "view sets n.title to \"typed\"", "sync saves n.title = \"imported\" to the store",
        "view merges n automatically from a save of sync",
        "view saves n.title = \"typed\" to the store",
      ]
    ),
    (
      .MergedUpdatesAreNotLost, "Conflicts/two-increments-that-merge-count-once",
      "Conflicts/two-increments-count-once", .automaticMerge,
      ["view reads n.views as 0", "view sets n.views to 1", "work saves n.views = 1 to the store"]
    ),
    (
      .MergedUpdatesAreNotLost, "Conflicts/observers-merge-loses-an-update",
      "Conflicts/edit-after-a-merge-loses-nothing", .observer,
      [
        "sync saves n.title = \"imported\" to the store", "view sets n.title to \"typed\"",
        "view saves n.title = \"typed\" to the store",
      ]
    ),
    (
      .MergedUpdatesAreNotLost, "Conflicts/observers-refresh-loses-an-update",
      "Conflicts/refreshed-child-overwrites-nothing", .observer,
      [
        "edit sets n.title to \"typed\"", "view sets n.title to \"corrected\"",
        "edit saves n.title = \"typed\" to view",
      ]
    ),
    (
      .MergedUpdatesAreNotLost, "Conflicts/childs-merge-loses-an-update",
      "Conflicts/refreshed-child-overwrites-nothing", .automaticMerge,
      ["right saves n.title = \"right\" to view", "left saves n.title = \"left\" to view"]
    ),
    (
      .RolledBackValuesAreNotLoaded, "Concurrency/form-has-read-what-its-parent-rolls-back",
      "Concurrency/read-is-refreshed-on-purpose", .program,
      [
        "view sets n.title to \"pending\"", "edit reads n.title as \"pending\"",
        "view rolls back",
      ]
    ),
    (
      .SavesDoNotCross, "Conflicts/two-saves-cross", "Conflicts/two-saves-follow-each-other",
      .design,
      [
        "view reads b.isOnCall as true", "sync reads a.isOnCall as true",
        "view saves a.isOnCall = false to the store", "sync saves b.isOnCall = false to the store",
      ]
    ),
    (
      .ListsShowTheStores, "Lists/list-that-hears-nothing", "Lists/list-that-merges", .design,
      ["view shows nothing", "the stores have [n]"]
    ),
    (
      .ContextsKeepToTheirQueues, "Concurrency/wrong-queue", "Concurrency/right-queue", .program,
      ["'view  set n.title \"raced\"' from sync; its queue is the main queue"]
    ),
    (
      .MainQueueKeepsWithinItsBudget, "Stacks/main-waits-for-a-busy-worker",
      "Stacks/main-leaves-a-busy-worker-alone", .program,
      [
        "held the main queue for 120 ms; the budget is 100 ms",
        "waits for work, which a block of work holds, with 'work  performAndWait { insert Note as a }'",
      ]
    ),
    (
      .MainQueueKeepsWithinItsBudget, "Concurrency/main-waits-at-the-coordinator",
      "Concurrency/main-passes-the-writer", .program,
      ["waits for coordinator store, which a block of work holds, with 'view  count Note'"]
    ),
    (
      .MainQueueAsksNoStore, "Stacks/fetch-on-main-asks-the-store",
      "Stacks/fetch-beside-main-asks-the-store", .program, ["'view  fetch Note' reads rows"]
    ),
    (
      .AcknowledgedSavesOutliveAKill, "Stacks/saved-and-killed",
      "Stacks/saved-to-the-store-and-killed", .design,
      [
        "edit saves n.title = \"new\" to view", "the app is killed",
        "the store has n.title = \"old\"",
      ]
    ),
    (
      .ContextsTakeNothingWithThem, "Stacks/background-task-that-forgets-to-save",
      "Stacks/background-task-that-saves", .program,
      ["task loses n.title = \"new\"", "task loses the new object m"]
    ),
    (
      .ContextsTakeNothingWithThem, "Stacks/observer-resets-under-an-edit",
      "Stacks/observer-resets-what-is-clean", .observer,
      ["view loses n.title = \"typed\""]
    ),
    (
      .ContextsTakeNothingWithThem, "Saving/refresh-drops-what-is-not-saved",
      "Saving/refresh-keeps-what-is-not-saved", .entryPoint,
      ["view loses n.title = \"typed\""]
    ),
    (
      .ReadsAreRepeatable, "Concurrency/read-changes-under-an-observers-refresh",
      "Concurrency/read-is-refreshed-on-purpose", .observer,
      ["view reads n.title as \"old\"", "view reads n.title as \"new\""]
    ),
  ])
  func `an invariant about designs fails in its scenario, not in a harmless one`(
    invariant: Invariant, bad: String, good: String, cause: Cause, proof: [String]
  ) throws {
    let (bad, configuration) = try outcome(of: bad)
    let kind = try #require(bad.violations.first { $0.invariant == invariant }?.kind)
    #expect(Experiment(of: FailureSignature(kind), in: bad.program, configuration).cause == cause)
    let report = bad.violations.map { $0.report(in: bad.program) }.joined(separator: "\n")
    for line in proof { #expect(report.contains(line), "\(report)") }
    let harmless = try outcome(of: good).outcome
    #expect(!harmless.violations.contains { $0.invariant == invariant })
  }

  /// The design is not responsible for a queue that the program's own steps suspend.
  @Test func `the invariant about blocks asks which steps suspended the queue`() throws {
    let ofDesign = try outcome(of: "Stacks/entry-point-suspends-for-good").outcome
    #expect(ofDesign.violations.map(\.invariant) == [.EveryBlockRuns])
    let report = ofDesign.violations.map { $0.report(in: ofDesign.program) }.joined()
    #expect(
      report.contains("work is never resumed, and one block never finishes"),
      "\(report)")
    let ofProgram = try outcome(of: "Stacks/program-suspends-for-good").outcome
    #expect(ofProgram.endsSuspended && ofProgram.violations.isEmpty)
  }

  /// Without the merge, a conflict about one object would stop the second save.
  @Test func `the design is blamed for saves that cross, even if a merge settles them`() throws {
    let (crossed, configuration) = try outcome(of: "Conflicts/automatic-merge-lets-saves-cross")
    let violation = try #require(crossed.violations.first)
    #expect(violation.invariant == .SavesDoNotCross)
    let cause = Experiment(of: FailureSignature(violation.kind), in: crossed.program, configuration)
      .cause
    #expect(cause == .design)
  }

  /// Without the quirk the policy overwrites the value, too. Under the error policy the quirk does.
  @Test func `a quirk and a policy are both blamed if each is enough`() throws {
    let path = "Conflicts/last-commit-to-the-proxy-wins"
    let (lost, configuration) = try outcome(of: path, quirks: Profile.current.quirks)
    let cause = Experiment(of: "lost update", in: lost.program, configuration).cause
    guard case .quirkAndPolicy(.childSaveIgnoresMergePolicy, _) = cause else {
      Issue.record("\(cause?.text ?? "no cause")")
      return
    }
  }

  /// A block that sleeps on the main queue is no fault of the design. Neither is a block that waits
  /// there for a lane that sleeps. It does not matter which of its contexts sleeps.
  @Test(arguments: ["view  performAndWait", "work  performAndWait"], ["view", "work"])
  func `the program is blamed for the work that it gives the main queue`(
    block: String, sleeper: String
  ) throws {
    let text = smallScenario(
      steps: "  view  performAndWait\n    \(block)\n      \(sleeper)  sleep 50"
    ).replacing("  edit  privateQueue parent view", with: "  work  privateQueue coordinator store")
      .replacing("  store  main\n", with: "  time  budget 40\n  store  main\n")
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    configuration.checkLevel = .design
    let program = Program(scenario)
    #expect(ProgramRunner(configuration).run(program).failureKinds.contains("main queue blocked"))
    #expect(Experiment(of: "main queue blocked", in: program, configuration).cause == .program)
  }

  /// The stack has no observer and no automatic merge, so the step is the program's.
  @Test func `the program is blamed for a merge of its own`() throws {
    let text = smallScenario(
      steps: """
          view  insert Note as n
          view  save
          sync  existingObject view.n
          sync  set n.title "typed"
          view  set n.title "imported"
          view  save
          sync  mergeChanges didSave view 2
          sync  save
        """
    ).replacing("  edit  privateQueue parent view", with: "  sync  privateQueue coordinator store")
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    configuration.checkLevel = .design
    let program = Program(scenario)
    let kind: FailureKind = "lost update through a merge in the store"
    #expect(ProgramRunner(configuration).run(program).failureKinds.contains(kind))
    #expect(Experiment(of: FailureSignature(kind), in: program, configuration).cause == .program)
  }

  @Test func `invariants about designs do not judge generated stacks`() throws {
    let scenario = try ScenarioFile.read(
      path: Repository.root + "/Scenarios/Stacks/saved-and-killed.scenario")
    let configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    let outcome = ProgramRunner(configuration).run(Program(scenario))
    #expect(!outcome.violations.contains { $0.invariant.judgesDesign })
  }

  /// Runs without the reference model, which would differ.
  @Test func `the invariant about kills notices a store that lost a row`() throws {
    let path = "Stacks/saved-to-the-store-and-killed"
    let torn = try outcome(of: path, bugs: [.killLosesRows], compares: false).outcome
    #expect(torn.violations.map(\.invariant) == [.KillsLeaveWhatWasCommitted])
    #expect(try outcome(of: path, compares: false).outcome.violations.isEmpty)
  }

  @Test func `the reference model, too, notices a store that lost a row`() throws {
    let path = "Stacks/saved-to-the-store-and-killed"
    #expect(try outcome(of: path, bugs: [.killLosesRows]).outcome.disagreement != nil)
  }

  /// Generated programs that are killed repeatedly, at any place.
  @Test func `the invariant about kills holds wherever the app is killed`() throws {
    var goneCount = 0
    for seed in 0..<300 {
      let model = try Repository.modelFiles()[seed % 4].model
      var configuration = RunConfiguration(model: model, quirks: Profile.current.quirks)
      var choices = Choices(seed: Generator.derive(41, UInt64(seed)))
      var program = ProgramRunner(configuration).run(&choices).program
      for position in stride(from: program.steps.count, to: 0, by: -7) {
        program.steps.insert(AddressedStep(ContextID(0), .kill), at: position)
      }
      configuration.checkLevel = .design
      let outcome = ProgramRunner(configuration).run(program)
      #expect(outcome.disagreement == nil, "seed \(seed)")
      let broken = outcome.violations.map(\.invariant)
      #expect(!broken.contains(.KillsLeaveWhatWasCommitted))
      // A kill may remove the step that resumes a queue.
      let suspends = "\(program.steps)".contains("suspend")
      #expect(suspends || !broken.contains(.EveryBlockRuns))
      if broken.contains(.AcknowledgedSavesOutliveAKill) { goneCount += 1 }
    }
    #expect(goneCount > 10, "\(goneCount) programs lost what had been acknowledged")
  }

  /// A block that a kill interrupts was not lost. Blocks behind a deadlock belong to the deadlock.
  @Test func `the invariant about blocks ignores kills and deadlocks`() throws {
    let killed = try ScenarioFile.read(
      path: Repository.root + "/Scenarios/Stacks/kill-in-the-middle-of-a-block.scenario")
    let exploration = Exploration(ScenarioRunner(killed))
    #expect(exploration.isComplete && exploration.runCount > 1)
    for finding in exploration.findings { #expect(finding.outcome.violations == []) }
    let stuck = try outcome(of: "Concurrency/observer-that-waits").outcome
    #expect(stuck.violations.map(\.invariant) == [.WaitForGraphIsAcyclic])
  }

  /// Three rows of 40 ms and a request of 10 ms are too slow. With one row less the save is in
  /// time.
  @Test func `the rows of a save decide how long it takes`() throws {
    let slow = try outcome(of: "Stacks/save-takes-as-long-as-it-has-rows").outcome
    let kind = FailureKind.violation(.MainQueueKeepsWithinItsBudget, at: .program)
    #expect(slow.longestMainQueueHold == 130 && slow.failureKinds.contains(kind))
    #expect(slow.failures.first { $0.kind == kind }?.detail?.ways.contains(.heldUp) == false)
    let waiting = try outcome(of: "Stacks/main-waits-for-a-busy-worker").outcome
    let held = try #require(waiting.failures.first { $0.kind.invariant == kind.invariant })
    #expect(held.detail?.ways.contains(.heldUp) == true)
    let quick = try outcome(of: "Stacks/two-rows-are-saved-in-time").outcome
    #expect(quick.longestMainQueueHold == 90 && !quick.failureKinds.contains(kind))
  }

  @Test func `a run measures how long the main queue was held`() throws {
    #expect(try outcome(of: "Stacks/letting-go-waits-for-nothing").outcome.mainQueueOccupancy == 0)
    let onMain = try outcome(of: "Stacks/long-save-on-main").outcome
    #expect(onMain.longestMainQueueHold == 120 && onMain.mainQueueOccupancy >= 120)
    #expect(try outcome(of: "Stacks/long-save-beside-main").outcome.longestMainQueueHold == 0)
  }
}

@Suite struct `The proof of a deadlock` {
  private func report(_ path: String) throws -> String {
    let outcome = try outcome(of: path).outcome
    let deadlock = try #require(
      outcome.violations.first { $0.invariant == .WaitForGraphIsAcyclic })
    return deadlock.report(in: outcome.program)
  }

  private func lines(_ path: String) throws -> [Substring] {
    try report(path).split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }
  }

  @Test func `the proof of a deadlock names both queues, both holders and both steps`() throws {
    #expect(
      try lines("Stacks/main-waits-for-a-child-that-waits-for-main") == [
        "the program's thread took the main queue for 'view  performAndWait { work  performAndWait }'",
        "the program's thread waits for work, which a block of work holds, "
          + "with 'work  performAndWait { insert Note as b }'",
        "a block of work took work for 'work  perform { insert Note as a; save }'",
        "a block of work waits for the main queue, which the program's thread holds, "
          + "with 'work  save'",
      ])
  }

  @Test func `the proof of a deadlock names an observer that merges against a fetch`() throws {
    #expect(
      try lines("Stacks/observer-merges-against-a-fetch") == [
        "the program's thread took the main queue for 'view  performAndWait { fetch Note }'",
        "the program's thread waits for write, which a block of write holds, with 'view  fetch Note'",
        "a block of write took write for 'write  perform { insert Note as a; save }'",
        "a block of write waits for the main queue, which the program's thread holds, "
          + "with 'view  performAndWait { mergeChanges delivered }'",
      ])
  }

  @Test func `the proof of a deadlock says what would leave a group, if anything does`() throws {
    #expect(
      try lines("Concurrency/main-waits-for-a-group") == [
        "the program's thread took the main queue for 'view  performAndWait { enter saved; enter "
          + "saved; first  perform; … }'",
        "the program's thread waits for group saved, which a block of last is to leave, "
          + "with 'view  wait saved'",
        "a block of last waits for the main queue, which the program's thread holds, "
          + "with 'view  mergeChanges delivered'",
      ])
    #expect(
      try lines("Concurrency/group-that-nothing-leaves") == [
        "the program's thread waits for group saved, which nothing leaves, with 'view  wait saved'"
      ])
  }
}
