import CampaignSupport
import Campaigns
import Determinism
import Execution
import Failures
import Generation
import Invariants
import Scenario
import ScenarioChecking
import SimulatedDispatch
import TestSupport
import Testing
import Vocabulary

@Suite struct `A search strategy` {
  private func settings(_ strategy: SearchStrategy) throws -> CampaignSettings {
    var settings = CampaignSettings(models: try Repository.models())
    settings.strategy = strategy
    return settings
  }

  @Test(arguments: SchedulingPolicy.allCases)
  func `a search strategy leaves runs that any replay repeats`(policy: SchedulingPolicy) throws {
    let settings = try settings(.only(policy))
    for index in 0..<16 {
      let source = settings.models[index % settings.models.count]
      let seed = Generator.derive(55, UInt64(index))
      var choices = Choices(seed: seed)
      let outcome = FuzzCampaign(settings).run(source, &choices)
      #expect(outcome.policy == policy)
      #expect(outcome.disagreement == nil, "seed \(seed)")
      var again = Choices(seed: seed)
      #expect(FuzzCampaign(settings).run(source, &again).digest == outcome.digest)
      var replayed = Choices(replaying: choices.recording)
      #expect(FuzzCampaign(settings).run(source, &replayed).digest == outcome.digest)
      let configuration = RunConfiguration(model: outcome.program.model, quirks: settings.quirks)
      #expect(ProgramRunner(configuration).run(outcome.program).digest == outcome.digest)
    }
  }

  @Test func `the portfolio draws its strategies in proportion`() {
    let shares = Portfolio.standard.shares
    var counts = shares.map { _ in 0 }
    for seed in 0..<6_000 as Range<UInt64> {
      var choices = Choices(seed: seed)
      let policy = Portfolio.standard.policy(&choices)
      counts[shares.firstIndex { $0.policy == policy } ?? 0] += 1
      #expect(choices.recording[.shape].count == 1)
    }
    let total = shares.reduce(0) { $0 + $1.weight }
    for (share, count) in zip(shares, counts) {
      #expect(abs(count - 6_000 * share.weight / total) < 200, "\(share.policy): \(count)")
    }
    // The simplest strategy is first, so that a shrinker arrives there.
    #expect(shares.first?.policy == .inOrder)
  }

  @Test func `a search strategy has a name of its own and a line of explanation`() {
    let names = SearchStrategy.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.first == "portfolio")
    #expect(SearchStrategy.all.allSatisfy { !$0.summary.isEmpty })
  }
}

@Suite struct `An exhaustive search` {
  private func settings(steps: Int) throws -> CampaignSettings {
    var settings = CampaignSettings(models: try Repository.models())
    settings.strategy = .exhaustive
    settings.steps = steps
    settings.limits.contextCount = 3
    settings.runs = 40
    settings.seed = 9
    settings.shrinkBudget = 200
    return settings
  }

  @Test func `an exhaustive search sees every failure that one schedule has`() throws {
    let settings = try settings(steps: 5)
    var once = settings
    once.strategy = .portfolio
    var (walkedCount, failureCount) = (0, 0)
    for index in 0..<40 {
      let source = settings.models[index % settings.models.count]
      let seed = Generator.derive(66, UInt64(index))
      var choices = Choices(seed: seed)
      let outcome = FuzzCampaign(settings).run(source, &choices)
      let search = try #require(outcome.search)
      guard search.isComplete else { continue }
      walkedCount += 1
      var single = Choices(seed: seed)
      let one = FuzzCampaign(once).run(source, &single)
      for kind in one.failureKinds where one.policy != .inOrder {
        #expect(search.findings.contains { $0.failure.kind == kind }, "\(kind), seed \(seed)")
      }
      failureCount += search.findings.count
      // Each failure comes with a schedule that shows it.
      let configuration = RunConfiguration(model: outcome.program.model, quirks: settings.quirks)
      for finding in search.findings {
        let shown = ProgramRunner(configuration).run(outcome.program(showing: finding.failure))
        #expect(shown.fails(as: finding.failure), "\(finding.failure.text), seed \(seed)")
      }
    }
    #expect(walkedCount > 10, "\(walkedCount)")
    #expect(failureCount > 0)
  }

  /// A generated stack is no design, so its observer's steps count as the program's.
  @Test func `an exhaustive search judges a design only where there is one`() throws {
    let program = try SmallProgram.program(
      """
        view  privateQueue coordinator store
        edit  privateQueue parent view
        observe  didSave view
          edit  fetch Note
      """, interleave: "0", steps: "  view  perform\n    save\n  edit  fetch Note")
    for (checkLevel, kind): (CheckLevel, FailureKind) in [
      (CheckLevel.soundness, "deadlock"), (.design, "deadlock by the stack"),
    ] {
      var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
      configuration.checkLevel = checkLevel
      let search = ExhaustiveSearch(program, laneCount: 2, configuration)
      #expect(search.findings.map(\.failure.kind) == [kind])
      for finding in search.findings {
        var failing = program
        failing.schedule = finding.schedule
        #expect(ProgramRunner(configuration).run(failing).failureKinds == [kind])
      }
    }
  }

  @Test func `an exhaustive search sees the deadlock that no run in order has`() throws {
    let waiting = try #require(Programs.all.first { $0.name == "two blocks wait for each other" })
    let program = Program(try explorable(waiting.steps, stack: waiting.stack))
    let configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    let outcome = ProgramRunner(configuration).run(program)
    #expect(outcome.failureKinds.isEmpty)
    let search = ExhaustiveSearch(program, laneCount: outcome.busyLaneCount, configuration)
    #expect(search.isComplete && search.findings.map(\.failure.kind) == ["deadlock"])
    var failing = program
    failing.isInterleaved = true
    failing.schedule = try #require(search.findings.first).schedule
    #expect(ProgramRunner(configuration).run(failing).failureKinds == ["deadlock"])
    // A search that would be too large is not begun.
    let crowded = ExhaustiveSearch(program, laneCount: 5, configuration)
    #expect(!crowded.isComplete && crowded.scheduleCount == 0)
    var long = program
    long.steps += program.steps
    #expect(!ExhaustiveSearch(long, laneCount: 3, configuration).isComplete)
  }

  @Test func `an exhaustive search says how far it came, and falls back`() throws {
    let small = FuzzCampaign(try settings(steps: 5)).survey()
    let tally = try #require(small.exhaustion)
    #expect(tally.completeCount + tally.cutCount == 40)
    #expect(tally.completeCount > 10 && tally.scheduleCount > tally.completeCount)
    let large = FuzzCampaign(try settings(steps: 60)).survey()
    #expect((large.exhaustion?.cutCount ?? 0) > 25)
    #expect(large.steps > small.steps)
    var portfolio = try settings(steps: 5)
    portfolio.strategy = .portfolio
    #expect(FuzzCampaign(portfolio).survey().exhaustion == nil)
  }

  @Test func `an exhaustive search reports failures with their schedules`() throws {
    let settings = try settings(steps: 5)
    let report = FuzzCampaign(settings).run()
    #expect(!report.violations.isEmpty && report.disagreements.isEmpty)
    for failure in report.violations {
      let configuration = RunConfiguration(
        model: failure.example.model, quirks: failure.example.quirkSet)
      let outcome = ProgramRunner(configuration).run(Program(failure.example))
      #expect(outcome.failureKinds.contains(failure.kind), "\(failure.kind)")
    }
  }
}
