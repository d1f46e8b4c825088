import Campaigns
import Execution
import Foundation
import InputFiles
import Prose
import Reporting
import Scenario
import SimulatedCoreData
import Vocabulary

/// The command `faultline fuzz`.
enum FuzzCommand {
  private enum Guidance: String, CaseIterable { case on, off }

  static let options =
    ["runs", "time", "seed", "jobs", "shard", "resume", "guidance", "failures", "canary"]
    + CampaignOptions.baselineOptions + CampaignOutput.options + CampaignOptions.names

  private static let help = """
    faultline fuzz [options]: runs generated programs, compares every step with the reference model,
    checks the invariants, and shrinks one example of each kind of failure.

      --runs N           number of programs (5000)
      --time 30s         duration of the campaign: three quarters of it for runs, the rest for shrinking
                         failures; the report lists failures that were not examined in this time
      --seed S           determines all programs and schedules (1)
    \(CampaignOptions.jobsHelp)
      --shard I/N        runs only the I-th of N parts of the programs, for N machines; 'faultline merge'
                         combines their outputs
      --guidance NAME    on: half of the programs begin like an earlier program that reached a rare
                         state; off (default): every program is generated from the beginning. A guided
                         campaign uses one thread, without --jobs, --shard or --resume
    \(CampaignOptions.help)
    \(CampaignOptions.plantHelp)
    \(CampaignOptions.baselineHelp)
    \(CampaignOutput.help)
      --resume DIR       continues a stopped campaign that wrote to --output DIR, with its options, and
                         writes to DIR again
      --failures DIR     a folder of failures, one scenario file each. Replays these failures first, moves
                         each one that no longer fails to DIR/stale, and adds the campaign's new failures.
                         The default folder is .faultline/NAME, where NAME is the name of the stack or
                         model; it also keeps known failures. 'none' keeps no failures
      --canary BUG       tests the campaign itself: plants this bug in the engine, and prints the number
                         and the command of the first program that finds it. Exit code 0 if one does, or
                         else 1

    Ctrl-C ends the runs. A second Ctrl-C ends the shrinking, and the report shows the results so far.

    The last line is the verdict: FAIL if there is a new failure, or if fewer than one program of ten
    saved to a store; KNOWN if there are known failures and no new one; PASS otherwise. A failure is
    known if a scenario of --known shows it with the same cause.

    Exit code 0 if the verdict is not FAIL, and engine and reference model agree; 1 otherwise; 2 for bad
    arguments, or if a file of --failures cannot be read or written; 3 if Faultline itself fails; standard
    error then has the command that replays the failing run.

      faultline fuzz --model MyApp.xcdatamodeld --runs 20000
      faultline fuzz --profile documented --roots 1 --policy error
      faultline fuzz --time 10m --output nightly --html nightly/report.html
    """

  static func run(_ words: [String]) throws -> Int32 {
    var arguments = try Arguments(words, known: options)
    if arguments.has("help") {
      print(help)
      return 0
    }
    if let extra = arguments.positional.first {
      let hint =
        extra.hasPrefix("-")
        ? "'faultline fuzz --help' lists the options" : "to name a model, write --model \(extra)"
      throw UsageError(message: "fuzz takes no argument '\(extra)'; \(hint)")
    }
    let record = try arguments.text("resume").map { try resumed($0, &arguments) }
    if record == nil, let folder = arguments.text("output") { try checkNothingIsLost(in: folder) }
    var settings = try settings(arguments)
    let limit = try arguments.text("time").map(seconds)
    if limit != nil, arguments.text("runs") == nil { settings.runs = Progress.endless }
    let jobs = try jobs(arguments, settings)
    try check(settings, jobs)
    if arguments.text("canary") != nil { return try sendCanary(settings, limit, arguments, words) }
    var part = try part(arguments, settings)
    let baseline = try CampaignOptions.baseline(arguments)
    let output = try CampaignOutput(arguments, of: arguments)

    var failures = try CampaignOptions.failures(arguments, of: arguments, settings, part: part)
    // Kept failures run before any program with a seed.
    let replaying = CrashReport(of: "fuzz", words)
    if failures?.kept.isEmpty == false { replaying.begin() }
    CampaignOptions.replay(&failures, settings, baseline)
    replaying.end()

    let crashReport = CrashReport(
      settings.models,
      options: " --profile \(settings.profile.rawValue)" + CampaignOptions.repeated(arguments))
    var campaign = FuzzCampaign(settings, jobs: jobs, willRun: crashReport.willRun)
    Progress.follow(&campaign)
    campaign.certifiedCount = output.shownCount
    campaign.keepsExamples = failures != nil
    let beginning = try record.map { try $0.record.share(of: campaign, $0.path) }
    part = beginning?.part ?? part
    let start = beginning ?? ShardResult(part, modelCount: settings.models.count)
    // The time for this does not count as time of the campaign.
    try output.write(start, settings, arguments)
    let progress = Progress(limit: limit, runs: part.runCount(of: settings.runs), after: start)
    campaign.isOutOfTime = progress.isOutOfTime
    let share = try collect(
      campaign, part, from: start, isResumed: beginning != nil, progress, output, arguments)
    var report = campaign.report(on: share, baseline: baseline)
    crashReport.end()
    progress.clear()
    if let failures { report.keep(in: failures) }
    report.part = part

    try output.write(report, arguments, progress)
    let problems = report.failures?.problems ?? []
    for problem in problems.flatMap(\.all) { Tool.note(problem.description) }
    return !report.passes ? 1 : report.failures?.errors.isEmpty == false ? 2 : 0
  }

  /// Returns the number of threads. A guided campaign makes one run after the other.
  private static func jobs(
    _ arguments: Arguments, _ settings: CampaignSettings
  ) throws(UsageError) -> Int {
    settings.isGuided && !arguments.has("jobs") ? 1 : try CampaignOptions.jobs(arguments)
  }

  private static func check(_ settings: CampaignSettings, _ jobs: Int) throws(UsageError) {
    if settings.isGuided, jobs > 1 {
      throw UsageError(
        message:
          "a guided campaign builds on its earlier programs and runs them one after the other; "
          + "leave out '--guidance on' or '--jobs'")
    }
  }

  /// Makes the runs of `part` that follow those of `start`, and writes a record from time to time.
  private static func collect(
    _ campaign: FuzzCampaign, _ part: Shard, from start: ShardResult, isResumed: Bool,
    _ progress: Progress, _ output: CampaignOutput, _ arguments: Arguments
  ) throws -> ShardResult {
    let settings = campaign.settings
    var problem: InputError?
    let share = campaign.collect(part, after: isResumed ? start : nil) { share in
      if progress.isCheckpointDue {
        do throws(InputError) {
          try output.write(share, settings, arguments)
        } catch {
          problem = error
          return true
        }
      }
      return progress.shouldStop(share)
    }
    if let problem { throw problem }
    progress.note(share, isLast: true)
    progress.endRuns("shrinking failures …")
    try output.write(share, settings, arguments)
    return share
  }

  static func settings(_ arguments: Arguments) throws -> CampaignSettings {
    var settings = try CampaignOptions.settings(arguments)
    settings.seed = try arguments.seed("seed") ?? settings.seed
    settings.runs = try arguments.number("runs", in: 1...Progress.endless) ?? settings.runs
    settings.isGuided = try arguments.choice("guidance", Guidance.self) == .on
    return settings
  }

  private static func part(
    _ arguments: Arguments, _ settings: CampaignSettings
  ) throws(UsageError) -> Shard {
    guard let text = arguments.text("shard") else { return .whole }
    guard let part = Shard(text) else {
      throw UsageError(
        message: "'--shard \(text)' is not a part; write 1/3, 2/3 or 3/3 for a part of three")
    }
    if settings.isGuided {
      throw UsageError(
        message:
          "a guided campaign builds on its earlier programs and cannot be split into shards; leave "
          + "out '--guidance on' or '--shard'")
    }
    return part
  }

  // MARK: Resuming

  /// Refuses to overwrite a campaign that was stopped before its end. The user must resume it or
  /// choose another folder.
  private static func checkNothingIsLost(in folder: String) throws {
    guard let record = try? CampaignRecord(folder: folder), record.reach > 0,
      let runs = try FuzzCommand.arguments(of: record, in: folder).number(
        "runs", in: 1...Progress.endless),
      runs < Progress.endless, record.reach < runs
    else { return }
    throw UsageError(
      message:
        "'--output \(folder)' has a campaign that was stopped after \(grouped(record.reach)) of "
        + "\(grouped(runs)) programs; continue it with '--resume \(folder)', or choose another folder"
    )
  }

  /// Returns the record of a folder, and replaces `--resume` by the recorded options. The number of
  /// runs may be another, because more runs do not change earlier ones.
  private static func resumed(
    _ folder: String, _ arguments: inout Arguments
  ) throws -> (record: CampaignRecord, path: String) {
    let others = ["output", "shard", "canary"].filter { arguments.has($0) }.map { "--\($0)" }
    if let option = (CampaignRecord.options(of: arguments) + others).first {
      throw UsageError(
        message: "a resumed campaign keeps its options; leave out "
          + option.prefix { $0 != "=" })
    }
    let record = try CampaignRecord(folder: folder)
    _ = try FuzzCommand.arguments(of: record, in: folder)
    let runs = record.options.filter { !$0.hasPrefix("--runs=") || arguments.text("runs") == nil }
    arguments = try arguments.replacing("resume", by: runs + ["--output=\(folder)"])
    return (record, "\(folder)/\(CampaignRecord.fileName)")
  }

  /// Returns the arguments with which a record was written.
  static func arguments(
    of record: CampaignRecord, in folder: String
  ) throws(InputError) -> Arguments {
    do {
      return try Arguments(record.options, known: options)
    } catch {
      throw InputError(
        file: "\(folder)/\(CampaignRecord.fileName)",
        message: "has an invalid option: \(error.message); run the campaign again")
    }
  }

  // MARK: Canaries

  /// Runs a campaign that must find a planted bug. If it does not, the absence of failures in other
  /// campaigns means nothing.
  private static func sendCanary(
    _ settings: CampaignSettings, _ limit: Double?, _ arguments: Arguments, _ words: [String]
  ) throws -> Int32 {
    let others =
      ["plant", "failures", "shard"] + CampaignOptions.baselineOptions + CampaignOutput.options
    for option in others where arguments.has(option) {
      throw UsageError(
        message: "'--canary' only checks whether a campaign finds a bug; leave out --\(option)")
    }
    var settings = settings
    settings.bugs = try arguments.members(
      "canary", of: PlantedBug.allCases, called: "planted bug"
    ) { $0.name }
    let names = settings.bugs.map(\.name).joined(separator: ", ")
    let progress = Progress(limit: limit, runs: settings.runs)
    let crashReport = CrashReport(of: "fuzz", words)
    crashReport.begin()
    let campaign = try FuzzCampaign(settings, jobs: CampaignOptions.jobs(arguments))
    let report = campaign.survey {
      progress.shouldStop($0) || $0.firstDefect != nil
    }
    crashReport.end()
    progress.endRuns()
    guard let first = report.firstDefect else {
      print(
        "canary \(names): NOT FOUND in \(grouped(report.runs)) programs; more programs may find it, or campaigns miss this bug"
      )
      return 1
    }
    print("canary \(names): found by program \(grouped(first))")
    // A program of a guided campaign may begin like another program, so its seed does not replay
    // it.
    if settings.isGuided { return 0 }
    let (source, seed) = campaign.origin(ofProgram: first)
    let options =
      CampaignOptions.repeated(arguments) + settings.bugs.map { " --plant \($0.name)" }.joined()
    let model = HumanReport.quoted(source.name)
    print(
      "  \(HumanReport.quoted(CommandLine.arguments[0])) replay \(seed.text) --model \(model)"
        + " --profile \(settings.profile.rawValue)\(options)")
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
    throw UsageError(message: "'--time \(text)' is not a time; write 30s, 5m or 1h")
  }
}
