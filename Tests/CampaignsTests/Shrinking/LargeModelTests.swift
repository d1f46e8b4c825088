import Campaigns
import Determinism
import Execution
import InputFiles
import ObjectModel
import Scenario
import Shrinking
import TestSupport
import Testing
import Vocabulary

/// A new object needs 84 others, each with four mandatory relationships of its own.
@Suite struct `A model of 44 entities` {
  private static func model() throws -> ObjectModel {
    let count = 44
    var lines = (0..<count).map { _ in [String]() }
    for entity in 0..<count {
      for number in 0..<4 {
        let other = (5 * entity + 9 * number + entity * number + 1) % count
        lines[entity].append("    to\(number)  E\(other) inverse from\(entity)x\(number)")
        lines[other].append("    from\(entity)x\(number)  E\(entity)* inverse to\(number)")
      }
    }
    let entities = lines.enumerated().map { entity, lines in
      (["  E\(entity)", "    name  string?"] + lines).joined(separator: "\n")
    }
    let text = """
      scenario  many-entities
      evidence  inferred

      model
      \(entities.joined(separator: "\n"))

      stack
        store  main
        view  mainQueue coordinator store

      """
    return try ScenarioText.parse(text) { .failure(UnreadableModel(message: $0)) }.model
  }

  private static func settings() throws -> CampaignSettings {
    let stack = "\(Repository.root)/Fixtures/Stacks/container-with-automatic-merging.stack"
    var settings = CampaignSettings(models: [.file(path: "many.model", try model())])
    settings.stack = try StackFile.read(path: stack).stack
    settings.runs = 45
    settings.seed = 1
    return settings
  }

  private static func outcomes(_ settings: CampaignSettings) -> [Outcome] {
    let campaign = FuzzCampaign(settings)
    return (1...settings.runs).map { number in
      let (source, seed) = campaign.origin(ofProgram: number)
      var choices = campaign.choices(seed, source)
      return campaign.run(source, &choices)
    }
  }

  /// Blocks of several hundred steps stand in line while the program continues.
  @Test func `a large model makes long blocks, and none of them an endless reaction`() throws {
    let outcomes = Self.outcomes(try Self.settings())
    #expect(outcomes.allSatisfy { !$0.failureKinds.contains("endless reaction") })
    let longest = outcomes.flatMap(\.program.steps).map(\.stepCount).max() ?? 0
    #expect(longest > 200, "\(longest) steps in the longest block")
  }

  /// Pairs of hundreds of names would need a hundred thousand edits.
  @Test func `the budget of a shrink limits the steps that its edits touch`() throws {
    let settings = try Self.settings()
    let failing = Self.outcomes(settings).filter { !$0.failures.isEmpty }
    let longest = try #require(failing.max { $0.program.names.count < $1.program.names.count })
    #expect(longest.program.names.count > 200)
    let target = try #require(longest.failures.first)
    var choices = Choices(replaying: Choices.Recording())
    let result = ProgramShrinker.shrink(
      longest.program, keeping: target, settings.configuration(for: settings.models[0], &choices),
      budget: 10, passes: [.mergeObjects, .relateToItself, .sortSteps])
    let count = result.statistics.editedStepCount
    #expect(result.statistics.isCutShort)
    #expect(count < 10 * 64 * 16 + 2 * longest.program.stepCount, "\(count) steps")
  }
}

@Suite struct `The number of edits of a program` {
  /// The insertions are in the order of their names, so moving one changes nothing.
  private static func statistics(ofObjects count: Int) throws -> ProgramShrinkStatistics {
    let insertions = (1...count).map { "  view  insert Note as n\($0)" }
    let blocked = try failingRun(
      "main queue blocked", "  view  mainQueue coordinator store",
      insertions.joined(separator: "\n") + "\n  view  save", time: "row 1 budget \(count - 1)")
    return ProgramShrinker.shrink(
      blocked.program, keeping: blocked.failure, blocked.configuration, budget: 32,
      passes: [.sortSteps]
    ).statistics
  }

  /// Two rounds of 820 edits are fewer than 64 for each of 32 runs, if all edits count alike.
  @Test func `the steps that edits touch limit the number of edits`() throws {
    let (short, long) = (try Self.statistics(ofObjects: 8), try Self.statistics(ofObjects: 40))
    #expect(!short.isCutShort)
    #expect(long.isCutShort)
    #expect(long.executions < 32)
  }
}
