import Faultline
import Foundation
import Scenario
import SimulatedCoreData
import Vocabulary

/// `faultline scenario`
enum ScenarioCommand {
  private static let help = """
    faultline scenario check PATH…   runs scenarios: transcripts, claims, engine against reference
    faultline scenario record PATH…  rewrites the '>' lines with what happens now; claims stay
    faultline scenario list PATH…    a line for each: evidence, quirks, first line of prose

    A PATH is a .scenario file or a folder of them; without any it is 'Scenarios'.

      --without QUIRK   (check) turns a quirk off: its scenarios should then fail
      --plant BUG       (check) breaks the engine on purpose: what documents the behaviour should
                        then fail
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: ["without", "plant"])
    if arguments.has("help") {
      print(help)
      return 0
    }
    guard let verb = arguments.positional.first else {
      throw UsageError(message: "scenario what? check, record or list")
    }
    let operands = Array(arguments.positional.dropFirst())
    let paths = try (operands.isEmpty ? ["Scenarios"] : operands).flatMap {
      try ScenarioFile.paths(below: $0)
    }
    guard !paths.isEmpty else {
      throw UsageError(message: "no .scenario file in \(operands.joined(separator: " "))")
    }
    for option in ["without", "plant"] where verb != "check" && arguments.text(option) != nil {
      throw UsageError(message: "'--\(option)' is for scenario check")
    }
    switch verb {
    case "check":
      return try check(
        paths, without: CampaignOptions.quirks(arguments).off,
        bugs: PlantedBugSet(
          arguments.members("plant", of: PlantedBug.allCases, called: "planted bug") { $0.name }))
    case "record": return try record(paths)
    case "list": return try list(paths)
    default:
      throw UsageError(message: "unknown verb '\(verb)'; say check, record or list")
    }
  }

  private static func check(
    _ paths: [String], without excluded: [Quirk], bugs: PlantedBugSet
  ) throws -> Int32 {
    var failed = 0
    for path in paths {
      let scenario = try ScenarioFile.read(path: path)
      var quirks = scenario.quirkSet
      for quirk in excluded { quirks.remove(quirk) }
      let check = ScenarioCheck(scenario, quirks: quirks, bugs: bugs)
      for problem in check.problems {
        let line = problem.line.map { ":\($0)" } ?? ""
        print("\(path)\(line): \(problem.message)")
      }
      if !check.problems.isEmpty { failed += 1 }
    }
    print("\(paths.count - failed) passed, \(failed) failed")
    return failed == 0 ? 0 : 1
  }

  private static func record(_ paths: [String]) throws -> Int32 {
    for path in paths {
      var scenario = try ScenarioFile.read(path: path)
      guard scenario.interleave != .every else {
        print("\(path): has a run for every interleaving, and so no transcript to record")
        continue
      }
      let before = try TextFile.read(path: path)
      scenario.record()
      let after = ScenarioText.print(scenario)
      if before == after {
        print("\(path): unchanged")
      } else {
        try TextFile.write(after, to: path)
        print("\(path): recorded")
      }
    }
    return 0
  }

  private static func list(_ paths: [String]) throws -> Int32 {
    for path in paths {
      let scenario = try ScenarioFile.read(path: path)
      let quirks = scenario.quirks.map(\.name).joined(separator: " ")
      print("\(scenario.name)  \(scenario.evidence.rawValue)\(quirks.isEmpty ? "" : "  \(quirks)")")
      if let first = scenario.prose.first { print("    \(first)") }
    }
    return 0
  }
}
