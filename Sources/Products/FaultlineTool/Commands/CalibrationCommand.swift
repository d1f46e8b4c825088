import Calibration
import Campaigns
import Catalogue
import Foundation
import InputFiles
import Prose
import Scenario

/// The command `faultline calibration`.
enum CalibrationCommand {
  /// The campaign options that determine what programs contain.
  private static let programOptions = [
    "model", "stack", "steps", "strategy", "contexts", "roots", "policy", "workload", "only-steps",
    "without-steps", "with-steps",
  ]
  static let options = ["to", "root", "runs", "seed"] + programOptions

  private static let help = """
    faultline calibration --to DIR [options]: writes a Swift package that compares Apple's Core Data with
    the simulation. Run it with './calibrate' on a Mac with Xcode 16. Its tests are the scenarios of a
    checkout that can be exported, and generated programs without a failure. A scenario that depends on
    a quirk is exported twice, with the quirk on and off: the variant that passes shows how Core Data
    behaves. The package writes report.json, which 'faultline facts --observed' adds to
    Scenarios/FACTS.md.

      --to DIR      the folder to write to: new, empty, or an earlier calibration package, whose tests
                    are then replaced
      --root DIR    the checkout with scenarios, facts and sources; by default the checkout that the
                    tool was built in, or else the one around the current folder
      --runs N      number of generated runs that programs are taken from (100); 0 for none
      --seed S      determines the programs (1)

    These options of 'faultline fuzz' also determine the programs. The defaults here are '--steps 12
    --without-steps illegal --without-steps suspend':
    \(wrapped(programOptions.map { "--\($0)" }.joined(separator: " "), after: "  ", indentation: 2, at: " ").joined(separator: "\n"))

    Exit code 2 if a file cannot be read or written; 3 if Faultline itself fails.

      faultline calibration --to Calibration
      faultline calibration --to Calibration --runs 1000 --seed 7 --steps 20
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: options)
    if arguments.has("help") {
      print(help)
      return 0
    }
    if let extra = arguments.positional.first {
      throw UsageError(
        message: "calibration takes no argument '\(extra)'; it exports the scenarios of a checkout")
    }
    guard let directory = arguments.text("to") else {
      throw UsageError(message: "calibration needs a folder to write to; add '--to DIR'")
    }
    guard let root = arguments.text("root") ?? FactsCommand.checkout else {
      throw UsageError(
        message: "no \(FactCoverage.listPath) here; run this inside a checkout or give '--root DIR'"
      )
    }
    let runs = try arguments.number("runs", in: 0...100_000) ?? 100
    let seed = try arguments.seed("seed") ?? 1
    var settings = try CampaignOptions.settings(arguments)
    if arguments.text("steps") == nil { settings.steps = CalibrationPrograms.usualStepCount }
    if ["only-steps", "without-steps", "with-steps"].allSatisfy({ arguments.text($0) == nil }) {
      settings.stepFilter = CalibrationPrograms.usualSteps
    }
    let package = CalibrationPackage(root: root, directory: directory)
    try package.checkFolder()
    let crashReport = CrashReport(of: "calibration", words)
    crashReport.begin()
    defer { crashReport.end() }
    let scenarios = try ScenarioFiles.readAll(try ScenarioFile.paths(below: root + "/Scenarios"))
      .map { (path: String($0.path.dropFirst(root.count + 1)), scenario: $0.scenario) }
    let plan = CalibrationPlan(
      scenarios, programs: CalibrationPrograms(settings, runs: runs, seed: seed).scenarios,
      facts: try FactList(path: root + "/" + FactCoverage.listPath))
    try package.write(plan)
    report(plan, runs: runs, directory)
    return 0
  }

  private static func report(_ plan: CalibrationPlan, runs: Int, _ directory: String) {
    let variants = plan.list.tests.filter { $0.option != nil }
    let quirks = Set(variants.compactMap(\.option?.name)).count
    print("\(plan.scenarioCount) scenarios, \(plan.refusals.count) cannot be exported")
    print("\(variants.count) variants of scenarios, which test \(quirks) quirks")
    print("\(plan.programCount) programs from \(grouped(runs)) runs")
    print("\(directory): written; run ./calibrate there on a Mac")
  }
}
