import Determinism
import Execution
import Generation
import Scenario
import ScenarioChecking
import SimulatedDispatch
import TestSupport
import Testing
import Vocabulary

/// With and without pruning, the outcomes are the same, and each has as many schedules. Pruning
/// computes this number from the order that turns must keep. If it equals the number of schedules
/// that run without pruning, that order is neither too strict nor too lax.
@Suite struct `Pruning` {
  private struct Summary: Equatable {
    var outcomes: [String]

    init(_ exploration: Exploration, _ scenario: Scenario) {
      outcomes = exploration.findings.map {
        "\($0.scheduleCount): \($0.outcome.claims) "
          + $0.outcome.lines(of: scenario).joined(separator: "\n")
      }.sorted()
    }
  }

  /// Returns the number of schedules that need not be run, or nil if there are more than `limit`
  /// without pruning.
  private func check(_ scenario: Scenario, _ name: String, limit: Int = 4_000) -> Int? {
    let runner = ScenarioRunner(scenario)
    let every = Exploration(runner, limit: limit, prunes: false)
    guard every.isComplete else { return nil }
    let pruned = Exploration(runner)
    #expect(pruned.scheduleCount.description == "\(every.runCount)", "\(name)")
    #expect(Summary(pruned, scenario) == Summary(every, scenario), "\(name)")
    return every.runCount - pruned.runCount
  }

  /// Returns the scenario with a claim about each property of each context and of each name in it.
  private func curious(_ scenario: Scenario) -> Scenario {
    var scenario = scenario
    for context in scenario.stack.contextIDs {
      scenario.claims.append(Claim(.changed(context)))
      for name in scenario.names.indices {
        scenario.claims += Claim.InstanceState.allCases.map {
          Claim(.state($0, of: HeldInstance(context, ObjectName(name))))
        }
      }
    }
    return scenario
  }

  @Test func `pruning changes no outcome of the scenarios`() throws {
    var count = 0
    for (path, scenario) in try Repository.scenarios() where scenario.interleave == .every {
      if check(curious(scenario), path) != nil { count += 1 }
    }
    #expect(count >= 15)
  }

  @Test(arguments: Programs.all)
  func `pruning changes no outcome of programs of lanes`(program: Programs.Named) throws {
    let scenario = try explorable(program.steps, stack: program.stack)
    #expect(check(curious(scenario), program.name) != nil, "\(program.name) has too many schedules")
  }

  /// A lane breaks the promise knowingly if it sets its title after the other lane's save.
  @Test func `pruning knows that a promise is judged by the rows of the stores`() throws {
    let rows = """
        a  insert Note as n
        a  save
        b  insert Note as m
        b  save

      """
    let scenario = try explorable(
      rows + block("a", "set n.title \"one\"", "save") + "\n"
        + block("b", "set m.title \"one\"", "save"),
      stack: oneStore + "\n  promise unique Note.title")
    let fewer = try #require(check(scenario, "two titles"))
    #expect(fewer > 0)
    let lines = Exploration(ScenarioRunner(scenario)).findings.map {
      $0.outcome.lines(of: scenario).contains { $0.contains("broken promise") }
    }
    #expect(lines.contains(true) && lines.contains(false))
  }

  /// The merge changes nothing that the faults of the context show, but a save beside it does.
  @Test func `pruning knows that a promise counts the rows behind faults`() throws {
    let stack = """
        store  main
        view  mainQueue coordinator store
        work  privateQueue coordinator store
        other  privateQueue coordinator store
        third  privateQueue coordinator store
        observe  didSave third
          view  perform
            mergeChanges delivered
        promise  unique Note.title in view
      """
    let insertions = [("work", "n"), ("other", "m"), ("third", "k")].map { context, name in
      "  \(context)  insert Note as \(name)\n  \(context)  set \(name).title \"\(name)\"\n"
        + "  \(context)  save\n"
    }
    let edits = """
        view  fetch Note
        work  set n.title "c"
        other  set m.title "c"
        other  save
        third  set k.title "new"
        third  save
        work  save
      """
    let scenario = try explorable(insertions.joined() + edits, stack: stack)
    #expect(try #require(check(scenario, "rows behind faults")) > 0)
    let broken = Exploration(ScenarioRunner(scenario)).findings.map {
      $0.outcome.lines(of: scenario).contains { $0.contains("broken promise") }
    }
    #expect(broken.contains(true) && broken.contains(false))
  }

  /// Generated models, stacks and programs, in chunks.
  @Test(arguments: 0..<4)
  func `pruning changes no outcome of generated programs`(chunk: Int) {
    var (checked, pruned) = (0, 0)
    for index in 0..<20 {
      let seed = Generator.derive(88, UInt64(chunk * 1_000 + index))
      let scenario = curious(madeUp(seed))
      guard let fewer = check(scenario, "seed \(seed)", limit: 400) else { continue }
      checked += 1
      pruned += fewer
    }
    #expect(checked >= 8)
    #expect(pruned > 0)
  }

  private func madeUp(_ seed: UInt64) -> Scenario {
    var choices = Choices(seed: seed)
    let model = ModelGenerator().model(&choices)
    var configuration = RunConfiguration(model: model, quirks: Profile.current.quirks)
    configuration.steps = 9
    configuration.strategy = .only(.random)
    configuration.limits.contextCount = 3
    let program = ProgramRunner(configuration).run(&choices).program
    return Scenario(
      program, name: "generated", source: "", profile: .current, quirks: configuration.quirks)
  }

  /// A replay of the first schedule of an outcome has that outcome.
  @Test func `pruning leaves schedules that can be replayed`() throws {
    for (path, scenario) in try Repository.scenarios() where scenario.interleave == .every {
      let findings = Exploration(ScenarioRunner(scenario)).findings
      for finding in findings {
        var replayed = scenario
        replayed.interleave = .choices(finding.schedule.map { Int($0) })
        #expect(ScenarioRunner(replayed).run().outcome == finding.outcome, "\(path)")
      }
      #expect(!findings.isEmpty)
    }
  }
}
