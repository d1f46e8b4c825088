import Campaigns
import Determinism
import Execution
import Foundation
import InputFiles
import PropertyTesting
import Prose
import Scenario
import ScenarioChecking
import SimulatedCoreData
import Vocabulary

/// The command `faultline testcases`. It has the black-box interface, and the option names, of
/// ClusterFuzz and similar services.
enum TestcasesCommand {
  static let options = ["input_dir", "output_dir", "no_of_files", "seed"] + CampaignOptions.names

  private static let help = """
    faultline testcases --output_dir DIR --no_of_files N [options]: generates programs and writes each one to
    a scenario file, fuzz-1.scenario and so on, for a fuzzing service such as ClusterFuzz. The first three
    options have the names that such services use. 'faultline replay FILE' runs a file, and fails only for
    a defect of Faultline: with exit code 1 if engine and reference model disagree, and with 3 if it traps.
    To find violations in a stack, use 'faultline fuzz'.

      --input_dir DIR    scenarios whose models and stacks every second program uses; with --stack, only
                         their models. A folder without scenarios has no effect
      --output_dir DIR   the folder to write to; files of the same names are replaced
      --no_of_files N    the number of files
      --seed S           determines all programs; without it, each call writes different files
    \(CampaignOptions.help)

      faultline testcases --input_dir corpus --output_dir out --no_of_files 100
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: options)
    if arguments.has("help") {
      print(help)
      return 0
    }
    if let extra = arguments.positional.first {
      throw UsageError(message: "testcases takes no argument '\(extra)'")
    }
    guard let folder = arguments.text("output_dir"),
      let count = try arguments.number("no_of_files", in: 1...1_000_000)
    else {
      throw UsageError(message: "testcases needs '--output_dir DIR' and '--no_of_files N'")
    }
    if arguments.has("plant") {
      throw UsageError(message: "a scenario file cannot plant a bug; leave out '--plant'")
    }
    let settings = try CampaignOptions.settings(arguments)
    let seed = try arguments.seed("seed") ?? UInt64.random(in: 0...UInt64.max)
    let corpus = try arguments.text("input_dir").map { folder in
      guard FileManager.default.fileExists(atPath: folder) else {
        throw InputError(file: folder, message: "no such folder; check the path")
      }
      return try ScenarioFiles.readAll(try ScenarioFile.paths(below: folder))
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw InputError(file: folder, message: "cannot create this folder; choose another")
    }
    let isSeeded = arguments.text("seed") != nil
    let crashReport = CrashReport(of: "testcases", words + (isSeeded ? [] : ["--seed", "\(seed)"]))
    crashReport.begin()
    defer { crashReport.end() }
    for number in 1...count {
      var settings = settings
      var source = settings.models[number / 2 % settings.models.count]
      if let corpus, !corpus.isEmpty, number.isMultiple(of: 2) {
        let known = corpus[number / 2 % corpus.count]
        source = .file(path: known.path, known.scenario.model)
        if settings.stack == nil { settings.stack = known.scenario.stack }
      }
      let scenario = scenario(number, of: Generator.derive(seed, UInt64(number)), settings, source)
      try ScenarioFile.write(scenario, to: "\(folder)/\(scenario.name).scenario")
    }
    print("\(grouped(count)) scenarios of seed 0x\(String(seed, radix: 16)) written to \(folder)")
    return 0
  }

  private static func scenario(
    _ number: Int, of seed: UInt64, _ settings: CampaignSettings, _ source: ModelSource
  ) -> Scenario {
    var choices = Choices(seed: seed)
    let outcome = FuzzCampaign(settings).run(source, &choices)
    return Scenario(
      outcome.program, name: "fuzz-\(number)",
      source: "generated from 0x\(String(seed, radix: 16))",
      profile: settings.profile, quirks: settings.quirks)
  }
}
