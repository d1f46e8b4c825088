import Foundation
import InputFiles
import Prose
import Scenario
import ScenarioChecking
import SimulatedCoreData
import Vocabulary

/// The command `faultline scenario`.
enum ScenarioCommand {
  enum Verb: String, CaseIterable { case new, check, record, list, book }

  static let options = ScenarioNew.options + ["format", "verbose"]

  private static let help = """
    faultline scenario new SEED [options]  writes a run as a scenario, shrunk to one violation, with its
                                      transcript and claims that hold; you add the description
    faultline scenario check [PATH…]  runs scenarios and checks their transcripts and claims, and
                                      compares the engine with the reference model
    faultline scenario record PATH…   rewrites the transcripts, the '>' lines; claims do not change
    faultline scenario list [PATH…]   lists path, evidence, quirks and first sentence of each scenario
    faultline scenario book [PATH…]   writes a website with a page and a picture for each scenario, and an
                                      index by subject, fact, quirk and violation

    A PATH is a .scenario file or a folder of such files; the default is 'Scenarios' of the checkout.
    A file that cannot be read is reported; the command continues with the other files.

    Exit code 0 for success; 1 if a transcript or claim does not hold, or a step that names the object that
    it reads finds no object (check), or a claim does not hold after recording (record); 2 for bad
    arguments, or if a file cannot be read; 3 if Faultline itself fails.

      --to FILE|DIR     (new) the file, which must not exist; by default a file in the current folder
                        that is named after its violation; (book) the folder, 'book' by default
      --shows KIND      (new) the violation to show if there are several, such as 'lost update'
      --without QUIRK   (check) turns off a quirk; scenarios that need the quirk should then fail
      --plant BUG       (check) plants a bug in the engine; scenarios that show the behaviour should
                        then fail
      --format NAME     (check) human (default); github: annotates the file and line of each problem;
                        junit: a test case for each scenario, in XML
      -v, --verbose     (check) also prints the result and the duration of each scenario

    'new' also takes the options of the seed's campaign, which its replay line repeats.

      faultline scenario new 0x5c1a09 --model MyApp.xcdatamodeld --to Scenarios/late-merge.scenario
      faultline scenario check Scenarios/Conflicts
      faultline scenario book --to book
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: options)
    if arguments.has("help") {
      print(help)
      return 0
    }
    let all = Verb.allCases.map(\.rawValue)
    guard let word = arguments.positional.first else {
      throw UsageError(
        message:
          "scenario needs a verb: \(all.joined(separator: ", ")); 'faultline scenario --help' "
          + "explains them")
    }
    guard let verb = Verb(rawValue: word) else {
      let hint = nearestWord(to: word, among: all).map { "did you mean '\($0)'? " } ?? ""
      throw UsageError(
        message: "unknown verb '\(word)'; \(hint)the verbs are \(all.joined(separator: ", "))")
    }
    try checkOptions(of: verb, arguments)
    let operands = Array(arguments.positional.dropFirst())
    let crashReport = CrashReport(of: "scenario", words)
    if verb == .new {
      crashReport.begin()
      defer { crashReport.end() }
      return try ScenarioNew.run(operands, arguments)
    }
    if verb == .record, operands.isEmpty {
      throw UsageError(
        message: "scenario record takes one or more files, or 'Scenarios' for all of them")
    }
    let folders = operands.isEmpty ? [Checkout.path("Scenarios") ?? "Scenarios"] : operands
    for operand in operands where FileKind(operand) != .folder {
      try FileKind(operand).expect(.scenario, operand)
    }
    let paths = try folders.flatMap { try ScenarioFile.paths(below: $0) }
    guard !paths.isEmpty else {
      throw UsageError(message: "no .scenario file in \(folders.joined(separator: " "))")
    }
    let excluded = try CampaignOptions.quirks(arguments).off
    let bugs = try arguments.members("plant", of: PlantedBug.allCases, called: "planted bug") {
      $0.name
    }
    let (scenarios, errors) = ScenarioFiles.read(paths)
    for error in errors.flatMap(\.all) { Tool.note(error.description) }
    if scenarios.isEmpty, verb != .check { return 2 }
    crashReport.begin()
    defer { crashReport.end() }
    let code =
      switch verb {
      case .check:
        try ScenarioCheckCommand(arguments, named: operands, without: excluded, bugs).run(
          scenarios, errors)
      case .record: try record(scenarios)
      case .book: try ScenarioBookCommand.run(scenarios, arguments)
      // The verb `new` has already returned.
      default: list(scenarios)
      }
    return errors.isEmpty ? code : 2
  }

  /// Refuses an option that has no effect.
  private static func checkOptions(of verb: Verb, _ arguments: Arguments) throws(UsageError) {
    let taken: [String]
    switch verb {
    case .new: taken = ScenarioNew.options
    case .check: taken = ["without", "plant", "format", "verbose"]
    case .book: taken = ["to"]
    case .record, .list: taken = []
    }
    if let option = options.first(where: { arguments.has($0) && !taken.contains($0) }) {
      let verbs =
        switch option {
        case "without", "plant": "check and new"
        case "to": "new and book"
        case "format", "verbose": "check"
        default: "new"
        }
      throw UsageError(message: "'--\(option)' is for scenario \(verbs)")
    }
  }

  private typealias Named = (path: String, scenario: Scenario)

  private static func record(_ scenarios: [Named]) throws -> Int32 {
    var code: Int32 = 0
    for (path, scenario) in scenarios {
      var scenario = scenario
      guard scenario.interleave != .every else {
        print("\(path): not recorded, because 'interleave  every' has a run for each schedule")
        let problems = ScenarioCheck(scenario).problems
        for problem in problems { print("\(path): \(problem.message)") }
        if !problems.isEmpty { code = max(code, 1) }
        continue
      }
      let before = try TextFile.read(path: path)
      if let message = ScenarioRunner(scenario).run().scheduleProblem {
        Tool.note(InputError(file: path, message: message).description)
        code = 2
        continue
      }
      scenario.record()
      for remark in scenario.stepsWithoutName {
        Tool.note("\(path):\(remark.line): \(remark.message)")
      }
      let after = ScenarioText.print(scenario)
      if before == after {
        print("\(path): unchanged")
      } else {
        try TextFile.write(after, to: path)
        print("\(path): recorded")
      }
      // Claims are written by people, so they are not rewritten.
      for problem in ScenarioCheck(scenario).problems where !problem.isOfTranscript {
        print("\(path)\(problem.line.map { ":\($0)" } ?? ""): \(problem.message)")
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
