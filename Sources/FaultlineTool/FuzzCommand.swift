import Faultline
import Foundation
import Scenario
import SimulatedCoreData
import Vocabulary

/// `faultline fuzz`
enum FuzzCommand {
  private enum Guidance: String, CaseIterable { case on, off }
  private enum Format: String, CaseIterable { case human, json, junit, github, sarif }

  private static let help = """
    faultline fuzz [options]: runs made-up programs, compares every step with the reference model,
    checks the invariants, and shrinks one example of each kind of failure.

      --runs N           programs to run (5000)
      --time 30s         ends the runs after this time; then what they found is made small and reported
      --seed S           decides everything (1)
      --guidance NAME    on: half of the programs begin like one that came to a state that few have
                         come to; off (default): each is made up from its beginning
    \(CampaignOptions.help)
    \(CampaignOptions.knownHelp)
      --format NAME      human (default), json, junit, github, sarif
      --verbose          also prints each example as a scenario, and in how many runs each mark was
                         reached
      --output DIR       also writes each example as a scenario file, named after the kind of
                         failure, and the report as JSON; says which files it wrote
      --failures DIR     a folder of failures, one scenario file each: replays them before anything
                         new is tried, moves those that fail no more to DIR/stale, and adds what the
                         campaign finds and no scenario documents
      --canary BUG       a test of campaigns themselves: plants this bug, prints whether it was found
                         and no more, and ends with exit code 0 if it was and 1 if not

    Exit code 0 if engine and reference agree and every violation is documented by a scenario,
    1 if not, 2 for bad arguments, or if a file of --failures cannot be read or written, 3 if
    Faultline itself fails; then the line that replays the run that did it stands on standard error.

      faultline fuzz --model MyApp.xcdatamodeld --runs 20000
      faultline fuzz --profile documented --roots 1 --policy error
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(
      words,
      known: [
        "runs", "time", "seed", "known", "format", "output", "verbose", "failures", "guidance",
        "canary",
      ]
        + CampaignOptions.names)
    if arguments.has("help") {
      print(help)
      return 0
    }
    if let extra = arguments.positional.first {
      throw UsageError(
        message: "'\(extra)' is no option of fuzz; a model is given as --model \(extra)")
    }
    var settings = try CampaignOptions.settings(arguments)
    settings.seed = try arguments.seed("seed") ?? settings.seed
    settings.runs = try arguments.number("runs", in: 1...1_000_000_000) ?? settings.runs
    settings.isGuided = try arguments.choice("guidance", Guidance.self) == .on
    let limit = try arguments.text("time").map(seconds)
    if limit != nil, arguments.text("runs") == nil { settings.runs = 1_000_000_000 }
    if arguments.text("canary") != nil { return try sendCanary(settings, limit, arguments, words) }
    let format = try arguments.choice("format", Format.self) ?? .human
    // What is known and what was kept runs before anything that has a seed.
    let replaying = CrashReport(of: "fuzz", words)
    let known = try CampaignOptions.edgeCases(arguments, willRun: replaying.begin)

    let folder = arguments.text("output")
    if let folder { try makeFolder(folder) }

    var failures = try arguments.text("failures").map { try FailureFolder(path: $0) }
    if failures?.kept.isEmpty == false { replaying.begin() }
    failures?.replay(bugs: PlantedBugSet(settings.bugs), edgeCases: known)
    replaying.end()

    let progress = Progress(limit: limit, runs: settings.runs)
    let options = CampaignOptions.repeated(arguments)
    let crashReport = CrashReport(
      settings.models, options: " --profile \(settings.profile.rawValue)" + options)
    var report = FuzzCampaign(settings, willRun: crashReport.willRun).run(edgeCases: known) {
      runs, steps in
      progress.shouldStop(runs, steps)
    }
    crashReport.end()
    progress.clear()
    failures?.keep(report.disagreements + report.violations)
    report.failures = failures

    let human = HumanReport(
      report, tool: CommandLine.arguments[0], options: options,
      isVerbose: arguments.has("verbose"))
    let machine = MachineReport(report, replay: human.replay)
    switch format {
    case .human: print(human.text(seconds: progress.secondsOfRuns))
    case .json: print(machine.json())
    case .junit: print(machine.junit())
    case .github: print(machine.github())
    case .sarif: print(machine.sarif())
    }
    if let folder {
      let written = try write(report, machine, to: folder)
      let lines = remarks(about: written, in: folder)
      // What other programs read has to stay what it is.
      for line in lines { format == .human ? print(line) : Tool.note(line) }
    }
    for problem in failures?.problems ?? [] { Tool.note(problem.description) }
    return !report.passes ? 1 : failures?.problems.isEmpty == false ? 2 : 0
  }

  /// A campaign that must find what was planted, or nothing that campaigns do not find means anything.
  private static func sendCanary(
    _ settings: CampaignSettings, _ limit: Double?, _ arguments: Arguments, _ words: [String]
  ) throws -> Int32 {
    for option in ["plant", "output", "failures", "format", "known", "verbose"]
    where arguments.has(option) {
      throw UsageError(
        message: "'--canary' only says whether a bug is found; leave out --\(option)")
    }
    var settings = settings
    settings.bugs = try arguments.members(
      "canary", of: PlantedBug.allCases, called: "planted bug"
    ) { $0.name }
    let names = settings.bugs.map(\.name).joined(separator: ", ")
    let progress = Progress(limit: limit, runs: settings.runs)
    let crashReport = CrashReport(of: "fuzz", words)
    crashReport.begin()
    let report = FuzzCampaign(settings).survey { runs, steps in progress.shouldStop(runs, steps) }
    crashReport.end()
    progress.clear()
    guard let first = report.firstDefect else {
      print("canary \(names): NOT FOUND in \(grouped(report.runs)) programs; campaigns miss bugs")
      return 1
    }
    print("canary \(names): found by program \(grouped(first)) of \(grouped(report.runs))")
    return 0
  }

  private static func seconds(_ text: String) throws(UsageError) -> Double {
    let units: [(suffix: String, factor: Double)] = [
      ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600),
    ]
    for unit in units where text.hasSuffix(unit.suffix) {
      if let number = Double(text.dropLast(unit.suffix.count)), number > 0, number.isFinite {
        return number * unit.factor
      }
    }
    throw UsageError(message: "'--time \(text)' is no time; write 30s, 5m or 1h")
  }

  /// Before the campaign: nobody wants to learn afterwards that its finds cannot be kept.
  private static func makeFolder(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw InputError(file: folder, line: nil, message: "cannot be made a folder; choose another")
    }
  }

  /// The names of the files, each of which takes the place of an older one.
  private static func write(
    _ report: CampaignReport, _ machine: MachineReport, to folder: String
  ) throws -> [String] {
    var names: [String] = []
    for failure in report.disagreements + report.violations {
      // Complete in itself, so that it can be moved and kept.
      var example = failure.example
      example.modelPath = nil
      names.append("\(example.name).scenario")
      try ScenarioFile.write(example, to: "\(folder)/\(names[names.count - 1])")
    }
    names.append("report.json")
    try TextFile.write(machine.json() + "\n", to: "\(folder)/report.json")
    return names
  }

  /// Nobody should take what another campaign left for what this one found.
  private static func remarks(about written: [String], in folder: String) -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let older = all.sorted().filter { $0.hasSuffix(".scenario") && !written.contains($0) }
    return ["written to \(folder): \(written.joined(separator: ", "))"]
      + (older.isEmpty ? [] : ["there before, and left: \(older.joined(separator: ", "))"])
  }
}

/// The clock, the terminal and Ctrl-C: all that a campaign has to do with the world outside.
final class Progress {
  private let start = ContinuousClock.now
  private let limit: Double?
  private let runs: Int
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var nextUpdate = 0.5
  private var lastRun = 0.0

  init(limit: Double?, runs: Int) {
    self.limit = limit
    self.runs = runs
    // Held back and asked for between runs: Ctrl-C then ends a campaign as `--time` would.
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGINT)
    unsafe sigaddset(&set, SIGTERM)
    unsafe sigprocmask(SIG_BLOCK, &set, nil)
  }

  /// How long the programs took, the shrinking of failures not included.
  var secondsOfRuns: Double { lastRun }

  private var elapsed: Double {
    let duration = ContinuousClock.now - start
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }

  func shouldStop(_ done: Int, _ steps: Int) -> Bool {
    lastRun = elapsed
    if isTerminal, lastRun >= nextUpdate {
      nextUpdate = lastRun + 0.25
      let rate = Int(Double(steps) / lastRun)
      show("\(grouped(done)) of \(grouped(runs)) programs, \(grouped(rate)) steps a second")
    }
    if let limit, lastRun >= limit { return true }
    return isInterrupted
  }

  private var isInterrupted: Bool {
    var set = sigset_t()
    unsafe sigpending(&set)
    return unsafe sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGTERM) == 1
  }

  private func show(_ text: String) {
    FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
  }

  func clear() {
    if isTerminal { show("") }
    // What is left to do is short; from here on Ctrl-C ends the process again.
    signal(SIGINT, SIG_IGN)
    signal(SIGTERM, SIG_IGN)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGINT)
    unsafe sigaddset(&set, SIGTERM)
    unsafe sigprocmask(SIG_UNBLOCK, &set, nil)
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
  }
}
