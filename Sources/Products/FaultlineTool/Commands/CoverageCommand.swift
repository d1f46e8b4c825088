import Campaigns
import Prose
import Reporting
import SimulatedCoreData
import Vocabulary

/// The command `faultline coverage`.
enum CoverageCommand {
  static let options = ["runs", "seed", "jobs", "model", "stack", "verbose"]

  private static let help = """
    faultline coverage [options]: runs generated programs under every profile, on the project's models
    and generated models, and lists the marks that no run reached. A mark is a rare branch of the engine;
    campaigns do not test the listed branches.

      --runs N           number of programs (50000). The profiles share them, and so does the current
                         profile with the other outcome of all contested points
      --seed S           determines all programs (1)
      --jobs N           number of threads; the list is the same for any number
      --model PATH       as in 'faultline fuzz'; may be repeated
      --stack NAME       as in 'faultline fuzz'; on one stack, most marks cannot be reached
      --verbose          lists all marks, each with the number of programs that reached it

      faultline coverage --runs 10000 --verbose
      faultline coverage --model MyApp.xcdatamodeld

    Exit code 0 if every mark was reached and engine and reference model agreed, 1 if not, 2 for bad
    arguments, 3 if Faultline itself fails. With fewer runs than 50,000, chance alone leaves some marks
    unreached.
    """

  /// A number of programs that should reach every mark.
  private static let usualRuns = 50_000

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: options)
    if arguments.has("help") {
      print(help)
      return 0
    }
    if let extra = arguments.positional.first {
      throw UsageError(message: "coverage takes no argument '\(extra)'")
    }
    let runs = try arguments.number("runs", in: 1...1_000_000_000) ?? usualRuns
    var settings = try CampaignOptions.settings(arguments)
    settings.seed = try arguments.seed("seed") ?? settings.seed

    let jobs = try CampaignOptions.jobs(arguments)
    let progress = Progress(limit: nil, runs: runs)
    var coverage = MarkCoverage()
    var (disagreementCount, doneRuns, doneSteps) = (0, 0, 0)
    // The last share of programs uses the other outcome of every contested point.
    let systems = Profile.allCases.map { ($0, [Quirk]()) } + [(.current, Quirk.contested)]
    for (index, (profile, contested)) in systems.enumerated() {
      settings.profile = profile
      settings.withQuirks = contested
      settings.runs = runs / systems.count + (index < runs % systems.count ? 1 : 0)
      guard settings.runs > 0 else { continue }
      let quirks = contested.map { " --with \($0.name)" }.joined()
      let stack = arguments.text("stack").map { " --stack \(HumanReport.quoted($0))" } ?? ""
      let crashReport = CrashReport(
        settings.models, options: " --profile \(profile.rawValue)" + quirks + stack)
      let report = FuzzCampaign(settings, jobs: jobs, willRun: crashReport.willRun)
        .survey(shouldStop: progress.shouldStop)
      progress.endCampaign()
      crashReport.end()
      coverage.merge(report.coverage)
      disagreementCount += report.disagreementCount
      doneRuns += report.runs
      doneSteps += report.steps
    }
    progress.endRuns()

    print("\(grouped(doneRuns)) programs, \(grouped(doneSteps)) steps under every profile")
    show(coverage, afterRuns: doneRuns, isVerbose: arguments.has("verbose"))
    if disagreementCount > 0 {
      print(
        "engine and reference model disagreed in \(grouped(disagreementCount)) programs; "
          + "'faultline fuzz' shows the differences")
    }
    return coverage.unreached.isEmpty && disagreementCount == 0 ? 0 : 1
  }

  private static func show(_ coverage: MarkCoverage, afterRuns runs: Int, isVerbose: Bool) {
    let (all, missed) = (Mark.allCases.count, coverage.unreached)
    let end = missed.isEmpty ? "" : "; not reached:"
    print("marks: \(all - missed.count) of \(all) reached\(end)")
    for mark in missed { print("  \(mark.name)") }
    if !missed.isEmpty, runs < usualRuns {
      print("\(grouped(usualRuns)) programs should reach all marks; only \(grouped(runs)) ran")
    }
    if isVerbose {
      print("programs that reached each mark:")
      for line in coverage.table { print(line) }
    }
  }
}
