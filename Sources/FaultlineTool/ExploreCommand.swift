import Faultline
import Scenario
import SimulatedCoreData
import Vocabulary

/// `faultline explore`
enum ExploreCommand {
  private static let help = """
    faultline explore FILE [options]: runs a scenario under all schedules, whatever its 'interleave'
    line says; of those that differ only in the order of independent turns, one. Prints how many were
    run and how many pruned, then for each outcome how many schedules lead to it, what it is, and the
    first of them, as an 'interleave  choices …' line: put it into the scenario, and
    'faultline replay' shows what happens.

    Exit code 1 if a claim does not hold (with 'sometimes': in no schedule), if engine and reference
    disagree, or if the limit leaves open whether a claim holds.

      --limit N         schedules to run at the most (\(Exploration.usualLimit))
      --with QUIRK      turns on a quirk that the scenario lacks; may be repeated
      --without QUIRK   turns one of the scenario's quirks off; may be repeated
      --plant BUG       breaks the engine on purpose; may be repeated

      faultline explore Scenarios/Concurrency/two-contexts-wait-for-each-other.scenario
      faultline explore MyApp.scenario --limit 500 --without childSaveIgnoresMergePolicy
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: ["limit", "with", "without", "plant"])
    if arguments.has("help") {
      print(help)
      return 0
    }
    guard arguments.positional.count == 1 else {
      throw UsageError(message: "explore takes one scenario file")
    }
    let limit = try arguments.number("limit", in: 1...10_000_000) ?? Exploration.usualLimit
    let named = try CampaignOptions.quirks(arguments)
    let bugs = PlantedBugSet(
      try arguments.members("plant", of: PlantedBug.allCases, called: "planted bug") { $0.name })
    let scenario = try ScenarioFile.read(path: arguments.positional[0])
    var quirks = scenario.quirkSet
    for quirk in named.on { quirks.insert(quirk) }
    for quirk in named.off { quirks.remove(quirk) }
    let exploration = Exploration(
      ScenarioRunner(scenario, quirks: quirks, bugs: bugs), limit: limit)
    print(ExplorationReport(exploration, of: scenario).text)
    return passes(exploration, scenario) ? 0 : 1
  }

  private static func passes(_ exploration: Exploration, _ scenario: Scenario) -> Bool {
    exploration.findings.allSatisfy { $0.outcome.disagreement == nil }
      && scenario.claims.indices.allSatisfy { exploration.verdict(on: $0, of: scenario) == .holds }
  }
}
