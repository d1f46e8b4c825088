import Faultline
import Scenario
import SimulatedCoreData
import Testing
import Vocabulary

/// What a scenario's run violates when its stack is judged as somebody's design.
private func outcome(
  of path: String, without: [Quirk] = [], bugs: [PlantedBug] = [], compares: Bool = true
) throws -> (outcome: Outcome, configuration: RunConfiguration) {
  let scenario = try ScenarioFile.read(path: Repository.root + "/Scenarios/\(path).scenario")
  var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
  for quirk in without { configuration.quirks.remove(quirk) }
  configuration.scrutiny = .design
  configuration.bugs = PlantedBugSet(bugs)
  configuration.comparesWithReference = compares
  return (ProgramRunner(configuration).run(Program(scenario)), configuration)
}

@Suite struct `An invariant about designs` {
  /// A scenario of its own, its nearest harmless relative, the cause, and what proves it.
  @Test(arguments: [
    (
      Invariant.ReadsAreRepeatable, "Concurrency/read-changes-under-an-automatic-merge",
      "Concurrency/read-is-refreshed-on-purpose", Cause.automaticMerge,
      [
        "view reads n.title as \"old\"", "view merges n automatically from what sync saved",
        "view reads n.title as \"new\"",
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
      .ListsShowTheStores, "Lists/list-that-nobody-tells", "Lists/list-that-merges", .design,
      ["view shows nothing", "the stores have [n]"]
    ),
    (
      .ContextsKeepToTheirQueues, "Concurrency/wrong-queue", "Concurrency/right-queue", .design,
      ["'view  set n.title \"raced\"' from sync; its queue is the main queue"]
    ),
    (
      .MainQueueKeepsWithinItsBudget, "Stacks/main-waits-for-a-busy-worker",
      "Stacks/main-leaves-a-busy-worker-alone", .design,
      [
        "had the main queue for 120 ms; the budget is 100 ms",
        "waits for work, which a block of work has, with 'work  performAndWait { insert Note as a }'",
      ]
    ),
    (
      .MainQueueAsksNoStore, "Stacks/fetch-on-main-asks-the-store",
      "Stacks/fetch-beside-main-asks-the-store", .design, ["'view  fetch Note' reads rows"]
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
      "Stacks/background-task-that-saves", .design,
      ["task goes, and with it n.title = \"new\"", "task goes, and with it the new object m"]
    ),
  ])
  func `shows in its scenario, and not in the nearest harmless one`(
    invariant: Invariant, bad: String, good: String, cause: Cause, proof: [String]
  ) throws {
    let (bad, configuration) = try outcome(of: bad)
    #expect(bad.violations.contains { $0.invariant == invariant })
    let kind = try #require(bad.violations.first { $0.invariant == invariant }?.kind)
    #expect(Attribution(configuration).cause(of: kind, in: bad.program) == cause)
    let report = bad.violations.filter { $0.invariant == invariant }
      .map { $0.report(in: bad.program) }.joined(separator: "\n")
    for line in proof { #expect(report.contains(line), "\(report)") }
    let harmless = try outcome(of: good).outcome
    #expect(!harmless.violations.contains { $0.invariant == invariant })
  }

  @Test func `is not asked of stacks that nobody designed`() throws {
    let scenario = try ScenarioFile.read(
      path: Repository.root + "/Scenarios/Stacks/saved-and-killed.scenario")
    let configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    let outcome = ProgramRunner(configuration).run(Program(scenario))
    #expect(!outcome.violations.contains { $0.invariant.judgesDesign })
  }

  /// With nobody to say that the reference differs.
  @Test func `about kills notices a store that lost a row`() throws {
    let path = "Stacks/saved-to-the-store-and-killed"
    let torn = try outcome(of: path, bugs: [.killLosesRows], compares: false).outcome
    #expect(torn.violations.map(\.invariant) == [.KillsLeaveWhatWasCommitted])
    #expect(try outcome(of: path, compares: false).outcome.violations.isEmpty)
  }

  @Test func `about kills agrees with the reference`() throws {
    let path = "Stacks/saved-to-the-store-and-killed"
    #expect(try outcome(of: path, bugs: [.killLosesRows]).outcome.disagreement != nil)
  }

  /// A block that a kill cut short was not lost, and those behind a deadlock are the deadlock's.
  @Test func `about blocks leaves kills and deadlocks alone`() throws {
    let killed = try ScenarioFile.read(
      path: Repository.root + "/Scenarios/Stacks/kill-in-the-middle-of-a-block.scenario")
    var schedule: [UInt32] = []
    for _ in 0..<64 {
      let run = ScenarioRunner(killed).run(schedule: schedule)
      #expect(run.violations.isEmpty, "\(run.violations.map(\.kind))")
      guard
        let last = zip(run.schedule, run.scheduleBounds).enumerated().reversed()
          .first(where: { $0.element.0 + 1 < $0.element.1 })
      else { break }
      schedule = Array(run.schedule.prefix(last.offset)) + [last.element.0 + 1]
    }
    let stuck = try outcome(of: "Concurrency/observer-that-waits").outcome
    #expect(stuck.violations.map(\.invariant) == [.NobodyWaitsForHimself])
  }

  @Test func `measures how long the main queue was held`() throws {
    #expect(try outcome(of: "Stacks/long-save-on-main").outcome.longestMainQueueHold == 120)
    #expect(try outcome(of: "Stacks/long-save-beside-main").outcome.longestMainQueueHold == 0)
  }
}

@Suite struct `The proof of a deadlock` {
  private func report(_ path: String) throws -> String {
    let outcome = try outcome(of: path).outcome
    let deadlock = try #require(
      outcome.violations.first { $0.invariant == .NobodyWaitsForHimself })
    return deadlock.report(in: outcome.program)
  }

  @Test func `names both queues, both holders and both steps`() throws {
    let report = try report("Concurrency/main-waits-for-its-child")
    print(report)
  }

  @Test func `tells of an observer that merges against a fetch`() throws {
    let report = try report("Concurrency/observer-that-waits")
    print(report)
  }
}
