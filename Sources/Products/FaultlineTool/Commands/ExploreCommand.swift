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
    all schedules, whatever its 'interleave' line says. Of schedules that differ only in the order of
    independent turns, it runs one. It prints the numbers of schedules that it ran and pruned. For each
    outcome it prints the number of schedules that lead to it, the order of the queues in the first of
    them, and the result. 'faultline replay FILE --outcome N' shows an outcome in full, and prints the
    scenario with the line 'interleave  choices …', which keeps the schedule.

    An outcome consists of the stored rows, the wait-for graph, the failed steps, the claims that do not
    hold, and all kinds of violations that 'faultline replay' would show. Violations by the design are
    included.

    Virtual time passes only when no lane is runnable. Schedules in which time passes while a lane is
    runnable are not explored.

    With 'interleave  every', a claim must hold in all schedules, and a claim with 'sometimes' in at
    least one. Without this line, claims apply only to the schedule of the file. A claim that fails under
    another schedule is shown, but does not count as a failure.

    Exit code 1 if engine and reference model disagree; with 'interleave  every', also if a claim does
    not hold or --limit ends the runs before this is decided; 3 if Faultline itself fails.

      --limit N         maximum number of runs, each of which covers one schedule or more (\(Exploration.usualLimit))
      --with QUIRK      turns on a quirk that the scenario lacks; may be repeated
      --without QUIRK   turns off a quirk that the scenario has; may be repeated
      --plant BUG       plants a bug in the engine; may be repeated
      --html FILE       also writes a page with a tab for each outcome, the failing one first, and the
                        moment at which their schedules differ

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
        "\n\(HumanReport.quoted(CommandLine.arguments[0])) replay \(HumanReport.quoted(subject)) --outcome N\(options.map { " " + $0 }.joined()) replays outcome N"
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
