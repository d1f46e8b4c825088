import Campaigns
import Execution
import Exporting
import Foundation
import InputFiles
import Prose
import Scenario
import ScenarioChecking

/// The command `faultline export`.
enum ExportCommand {
  static let options = ["to", "shows", "known"] + CampaignOptions.names

  private static let help = """
    faultline export FILE|NAME|SEED|FOLDER… --to DIR [options]: writes scenarios as Swift tests that
    need only Core Data and XCTest. Each file contains a model built in code, the stack, the steps as
    calls of Core Data with their expected results, and the claims. Semaphores keep the order in which
    queues run. The file compiles unchanged on a Mac, and on Linux with the product CoreData.

    A NAME is an example that 'faultline fuzz' has kept in \(ExampleFolder.path). A SEED is a run of a
    campaign, which is shrunk to one violation; repeat the options of the campaign.
    A FOLDER means all scenarios in it and its subfolders. If a scenario cannot be exported, its line and
    the reason are printed, such as a step without a public call in Core Data; the others are written.

      --to DIR           the folder to write to, which is created if necessary. Files of the same names
                         are replaced, except by a seed's test: it gets a number instead
      --shows KIND       for a seed with several violations: the violation to show, such as 'lost update'

    Exit code 1 if a named scenario cannot be exported, or no scenario of a folder; 2 if a file cannot
    be read or written; 3 if Faultline itself fails.

    \(CampaignOptions.help)

      faultline export Scenarios/Conflicts/last-child-wins.scenario --to Exported
      faultline export MyApp/lost-update --to Exported
      faultline export 0x5c1a09 --model MyApp.xcdatamodeld --to Exported
    """

  private typealias Named = (path: String, scenario: Scenario)

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: options)
    if arguments.has("help") {
      print(help)
      return 0
    }
    guard !arguments.positional.isEmpty else {
      throw UsageError(
        message: "export takes scenario files, folders, names of kept examples, or seeds")
    }
    guard let directory = arguments.text("to") else {
      throw UsageError(message: "export needs a folder to write to; add '--to DIR'")
    }
    let crashReport = CrashReport(of: "export", words)
    crashReport.begin()
    defer { crashReport.end() }
    let (scenarios, named, hasErrors) = try read(arguments)
    if scenarios.isEmpty { return 2 }
    try makeFolder(directory)
    var refused: [(path: String, refusal: Refusal)] = []
    var written: Set<String> = []
    for (path, scenario) in scenarios {
      switch Result(catching: { () throws(Refusal) in
        try export(scenario, of: path, to: directory, written)
      }) {
      case .success((let test, let isRenamed)):
        let file = "\(directory)/\(test.fileName)"
        try TextFile.write(test.source, to: file)
        written.insert(test.fileName)
        if isRenamed || named.contains(path) { print("\(path): written to \(file)") }
      case .failure(let refusal): refused.append((path, refusal))
      }
    }
    report(exported: scenarios.count - refused.count, refused)
    if hasErrors { return 2 }
    let isRefused = refused.contains { named.contains($0.path) }
    return isRefused || refused.count == scenarios.count ? 1 : 0
  }

  /// Exports a scenario under a name that no other test of this export has. A test of a seed also
  /// avoids the names of existing files, because seeds with the same kind of violation share a
  /// name.
  private static func export(
    _ scenario: Scenario, of path: String, to directory: String, _ written: Set<String>
  ) throws(Refusal) -> (test: ExportedTest, isRenamed: Bool) {
    var scenario = scenario
    let name = scenario.name
    var number = 1
    while true {
      let test = try ExportedTest(scenario)
      let file = "\(directory)/\(test.fileName)"
      let isOther =
        RunSeed(path) != nil && FileManager.default.fileExists(atPath: file)
        && (try? TextFile.read(path: file)) != test.source
      if !written.contains(test.fileName), !isOther { return (test, number > 1) }
      number += 1
      scenario.name = "\(name)-\(number)"
    }
  }

  /// Returns the scenarios to export, the paths and seeds that name a single scenario, and whether
  /// some files could not be read.
  private static func read(
    _ arguments: Arguments
  ) throws -> (scenarios: [Named], named: [String], hasErrors: Bool) {
    var scenarios: [Named] = []
    var named: [String] = []
    var hasErrors = false
    for operand in arguments.positional {
      if let seed = RunSeed(operand) {
        scenarios.append((operand, try ScenarioNew.counterexample(seed, arguments)))
        named.append(operand)
        continue
      }
      let isFolder = FileKind(operand) == .folder
      let place =
        isFolder
        ? operand : try ExampleArgument.file(operand, orElse: "a number such as 7 or 0x1f2e3d, ")
      if !isFolder { named.append(place) }
      let paths = try ScenarioFile.paths(below: place)
      guard !paths.isEmpty else {
        throw UsageError(message: "no .scenario file in \(operand)")
      }
      let (read, errors) = ScenarioFiles.read(paths)
      for error in errors.flatMap(\.all) { Tool.note(error.description) }
      hasErrors = hasErrors || !errors.isEmpty
      scenarios += read
    }
    return (scenarios, named, hasErrors)
  }

  private static func makeFolder(_ path: String) throws(InputError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw InputError(file: path, message: "cannot create this folder; check its permissions")
    }
  }

  /// Prints the scenarios that were not exported, each with its place. If there are several, also
  /// prints the number of times that each reason occurs.
  private static func report(exported: Int, _ refused: [(path: String, refusal: Refusal)]) {
    for (path, refusal) in refused {
      print("\(path)\(refusal.line.map { ":\($0)" } ?? ""): \(refusal.message)")
    }
    if refused.isEmpty { return print("exported \(exported)") }
    print("exported \(exported), not exported \(refused.count)")
    var counts: [(reason: String, count: Int)] = []
    for (_, refusal) in refused {
      if let index = counts.firstIndex(where: { $0.reason == refusal.reason }) {
        counts[index].count += 1
      } else {
        counts.append((refusal.reason, 1))
      }
    }
    // The sort is stable, so equally frequent reasons keep their order.
    for (reason, count) in counts.sorted(by: { $0.count > $1.count }) where refused.count > 1 {
      print("  \(count)  \(reason)")
    }
  }
}
