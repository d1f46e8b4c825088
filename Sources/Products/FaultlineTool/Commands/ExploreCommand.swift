import Execution
import Foundation
import InputFiles
import Reporting
import Scenario
import ScenarioChecking
import SimulatedCoreData
import Vocabulary

/// The command `faultline explore`.
enum ExploreCommand {
  static let options = ["limit", "with", "without", "plant", "html"]

  private static let help = """
    faultline explore FILE [options]: runs a scenario, or an example that 'faultline fuzz' has kept, under
    all schedules, whatever its 'interleave' line says; of those that differ only in the order of
    independent turns, one. Prints how many were run and how many pruned, then for each outcome how many
    schedules lead to it, in which order queues run in the first of them, and what comes of it.
    'faultline replay FILE --outcome N' shows what happens, and prints the scenario with the line
    'interleave  choices …' that keeps the schedule.

    An outcome is what the stores have, the wait-for graph, which steps failed, which claims do not
    hold, and every kind of violation that 'faultline replay' would show, those of the design
    included. Virtual time passes only when no lane is runnable: a lane that is delayed although
    it could run is no schedule.

    Claims are about the schedules that the scenario asks for. With 'interleave  every' those are all:
    a claim must hold in each, with 'sometimes' in one. Without, they are about the one that the file
    says; under others they may fail, which is shown and not judged.

    Exit code 1 if engine and reference model disagree, or, with 'interleave  every', if a claim does not
    hold or the limit leaves open whether it does; 3 if Faultline itself fails.

      --limit N         maximum number of runs, each of which stands for one schedule or more (\(Exploration.usualLimit))
      --with QUIRK      turns on a quirk that the scenario lacks; may be repeated
      --without QUIRK   turns one of the scenario's quirks off; may be repeated
      --plant BUG       breaks the engine on purpose; may be repeated
      --html FILE       also writes a page with a tab for each outcome, the failing one first, and where
                        their schedules part

      faultline explore Scenarios/Concurrency/two-contexts-wait-for-each-other.scenario
      faultline explore MyApp.scenario --limit 500 --without childSaveIgnoresMergePolicy
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: options)
    if arguments.has("help") {
      print(help)
      return 0
    }
    guard arguments.positional.count == 1 else {
      throw UsageError(message: "explore takes one example or scenario file")
    }
    let limit = try arguments.number("limit", in: 1...10_000_000) ?? Exploration.usualLimit
    let named = try CampaignOptions.quirks(arguments)
    let bugs = PlantedBugSet(
      try arguments.members("plant", of: PlantedBug.allCases, called: "planted bug") { $0.name })
    let subject = arguments.positional[0]
    if RunSeed(subject) != nil, !FileManager.default.fileExists(atPath: subject) {
      throw UsageError(
        message:
          "'\(subject)' is a seed; 'faultline scenario new \(subject)' writes its run as a scenario, which can be explored"
      )
    }
    let path = try ExampleArgument.file(subject)
    if let page = arguments.text("html") {
      if TextFile.sameFile(as: page, among: [path]) != nil {
        throw UsageError(message: "'\(page)' would overwrite \(path); choose another file")
      }
      try TextFile.checkCanWrite(page)
    }
    let scenario = try ScenarioFile.read(path: path)
    var quirks = scenario.quirkSet
    for quirk in named.on { quirks.insert(quirk) }
    for quirk in named.off { quirks.remove(quirk) }
    let crashReport = CrashReport(of: "explore", words)
    crashReport.begin()
    defer { crashReport.end() }
    let runner = ScenarioRunner(scenario, quirks: quirks, bugs: bugs)
    let exploration = Exploration(runner, limit: limit)
    print(ExplorationReport(exploration, of: runner, width: Terminal.width).text)
    let options = ["with", "without", "plant"].flatMap { name in
      arguments.texts(name).map { "--\(name) \($0)" }
    }
    if exploration.findings.count > 1, arguments.text("limit") == nil {
      print(
        "\n\(HumanReport.quoted(CommandLine.arguments[0])) replay \(HumanReport.quoted(subject)) --outcome N\(options.map { " " + $0 }.joined()) plays one of them"
      )
    }
    if let page = arguments.text("html") {
      let command = (["faultline replay", HumanReport.quoted(subject)] + options)
        .joined(separator: " ")
      try TextFile.write(
        ScenarioPage(runner, command: command, options: options).html(of: exploration), to: page)
      Tool.note("\(page): written")
    }
    return exploration.passes(scenario) ? 0 : 1
  }
}
