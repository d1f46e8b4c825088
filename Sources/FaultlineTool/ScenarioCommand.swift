import Faultline
import Foundation
import Scenario
import SimulatedCoreData
import Vocabulary

/// `faultline scenario`
enum ScenarioCommand {
  private static let help = """
    faultline scenario check [PATH…]  runs scenarios: transcripts, claims, engine against reference
    faultline scenario record PATH…   rewrites the '>' lines with what happens now; claims stay
    faultline scenario list [PATH…]   for each its path, evidence, quirks, and the first sentence

    A PATH is a .scenario file or a folder of them; without any it is 'Scenarios' of the checkout.
    A file that cannot be read is named, the others are looked at all the same.

    Exit code 1 if a transcript or claim does not hold (check), or a claim that was left as it is
    (record); 2 if a file cannot be read; 3 if Faultline itself fails.

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
    if verb == "record", operands.isEmpty {
      throw UsageError(message: "record which? give a file, or 'Scenarios' for all of them")
    }
    let folders = operands.isEmpty ? [Checkout.path("Scenarios") ?? "Scenarios"] : operands
    for operand in operands where FileKind(operand) != .folder {
      try FileKind(operand).expect(.scenario, operand)
    }
    let paths = try folders.flatMap { try ScenarioFile.paths(below: $0) }
    guard !paths.isEmpty else {
      throw UsageError(message: "no .scenario file in \(folders.joined(separator: " "))")
    }
    for option in ["without", "plant"] where verb != "check" && arguments.text(option) != nil {
      throw UsageError(message: "'--\(option)' is for scenario check")
    }
    guard ["check", "record", "list"].contains(verb) else {
      throw UsageError(message: "unknown verb '\(verb)'; say check, record or list")
    }
    let excluded = try CampaignOptions.quirks(arguments).off
    let bugs = try arguments.members("plant", of: PlantedBug.allCases, called: "planted bug") {
      $0.name
    }
    let (scenarios, errors) = ScenarioFiles.read(paths)
    for error in errors { Tool.note(error.description) }
    if scenarios.isEmpty { return 2 }
    let crashReport = CrashReport(of: "scenario", words)
    crashReport.begin()
    defer { crashReport.end() }
    let code =
      switch verb {
      case "check": try check(scenarios, without: excluded, bugs: PlantedBugSet(bugs))
      case "record": try record(scenarios)
      default: list(scenarios)
      }
    return errors.isEmpty ? code : 2
  }

  private typealias Named = (path: String, scenario: Scenario)

  private static func check(
    _ scenarios: [Named], without excluded: [Quirk], bugs: PlantedBugSet
  ) throws -> Int32 {
    let facts = try Checkout.path(FactCoverage.listPath).map { try FactList(path: $0) }
    var (failed, unclaimed) = (0, 0)
    for (path, scenario) in scenarios {
      var quirks = scenario.quirkSet
      for quirk in excluded { quirks.remove(quirk) }
      let check = ScenarioCheck(scenario, quirks: quirks, bugs: bugs)
      var problems = scenario.isUnrecorded ? unrecorded(check.problems, path) : check.problems
      if excluded.isEmpty, bugs == PlantedBugSet() {
        problems += try remarks(about: scenario, path, facts)
      }
      for problem in problems {
        let line = problem.line.map { ":\($0)" } ?? ""
        print("\(path)\(line): \(problem.message)")
      }
      if !problems.isEmpty { failed += 1 }
      if scenario.claims.isEmpty { unclaimed += 1 }
    }
    let hint = unclaimed == 0 ? "" : "; \(unclaimed) without claims, compared as recorded only"
    print("\(scenarios.count - failed) passed, \(failed) failed\(hint)")
    return failed == 0 ? 0 : 1
  }

  /// One problem for all the lines that are missing.
  private static func unrecorded(
    _ problems: [ScenarioCheck.Problem], _ path: String
  ) -> [ScenarioCheck.Problem] {
    let others = problems.filter { $0.line == nil }
    if others.count == problems.count { return problems }
    let message = "not recorded yet; run '\(CommandLine.arguments[0]) scenario record \(path)'"
    return others + [ScenarioCheck.Problem(line: nil, message: message)]
  }

  /// What its header has too much.
  private static func remarks(
    about scenario: Scenario, _ path: String, _ facts: FactList?
  ) throws -> [ScenarioCheck.Problem] {
    let needless = scenario.needlessQuirks.map {
      ScenarioCheck.Problem(
        line: nil, message: "quirk '\($0.name)' changes nothing here; leave it out")
    }
    return needless + (try facts?.unknownIDs(inEvidenceOf: TextFile.read(path: path)) ?? [])
  }

  private static func record(_ scenarios: [Named]) throws -> Int32 {
    var code: Int32 = 0
    for (path, scenario) in scenarios {
      var scenario = scenario
      guard scenario.interleave != .every else {
        print("\(path): has a run for every interleaving, and so no transcript to record")
        continue
      }
      let before = try TextFile.read(path: path)
      if let message = ScenarioRunner(scenario).run().scheduleProblem {
        Tool.note(InputError(file: path, message: message).description)
        code = 2
        continue
      }
      scenario.record()
      let after = ScenarioText.print(scenario)
      if before == after {
        print("\(path): unchanged")
      } else {
        try TextFile.write(after, to: path)
        print("\(path): recorded")
      }
      // What people claim is not rewritten.
      for problem in ScenarioCheck(scenario).problems where problem.line == nil {
        print("\(path): \(problem.message)")
        code = max(code, 1)
      }
    }
    return code
  }

  private static func list(_ scenarios: [Named]) -> Int32 {
    for (path, scenario) in scenarios {
      let quirks = scenario.quirks.map(\.name).joined(separator: " ")
      print("\(path)  \(scenario.evidence.rawValue)\(quirks.isEmpty ? "" : "  \(quirks)")")
      if let sentence = scenario.firstSentence { print("    \(sentence)") }
    }
    return 0
  }
}
