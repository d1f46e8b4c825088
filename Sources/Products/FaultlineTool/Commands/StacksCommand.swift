import Campaigns
import Catalogue
import InputFiles
import Prose
import Reporting
import Scenario
import ScenarioChecking
import Vocabulary

/// The command `faultline stacks`.
enum StacksCommand {
  static let options = [
    "runs", "seed", "jobs", "profile", "stack", "model", "write", "check", "verbose", "list",
  ]

  private static let help = """
    faultline stacks [options]: runs generated programs on every stack of Fixtures/Stacks and prints the
    number of programs that showed each kind of violation: 0 means never seen, - means impossible. It also
    prints how long the main queue was held, in one piece and in total, in virtual milliseconds.

      --list             only lists the stacks, each with a sentence
      --runs N           number of programs for each stack (2000)
      --seed S           determines all programs (1)
      --jobs N           number of threads; the table is the same for any number
      --profile NAME     documented, legacy or current (default)
      --stack NAME|FILE  runs only this stack; may be repeated
      --model PATH       as in 'faultline fuzz'; may be repeated
      --verbose          also explains why violations are impossible, and prints a command for each kind
                         of violation that was seen, which replays its shortest run
      --write            writes Scenarios/STACKS.md of the checkout
      --check            checks whether Scenarios/STACKS.md is up to date

      faultline stacks --runs 1000
      faultline stacks --stack proxy --stack modal-edit-child --profile legacy

    Exit code 0; 1 if engine and reference model disagreed, the runs were stopped, or --check finds the page
    out of date; 2 for bad arguments or input; 3 if Faultline itself fails.
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: options, repeatable: ["stack"])
    if arguments.has("help") {
      print(help)
      return 0
    }
    if let extra = arguments.positional.first {
      throw UsageError(message: "stacks takes no argument '\(extra)'")
    }
    if arguments.has("list") { return try list(arguments) }
    if arguments.has("write") || arguments.has("check"), !arguments.texts("stack").isEmpty {
      throw UsageError(message: "the page is about all stacks; leave out '--stack'")
    }
    var settings = try CampaignOptions.settings(arguments)
    settings.runs = try arguments.number("runs", in: 1...1_000_000_000) ?? 2_000
    settings.seed = try arguments.seed("seed") ?? settings.seed
    let page = try page(arguments, &settings)
    let surveys = try survey(arguments, settings)
    for line in StacksTable(surveys).lines { print(line) }
    if arguments.has("verbose") {
      for line in [""] + StacksPage(surveys, settings).notes { print(line) }
    }
    let disagreements = surveys.flatMap(\.disagreements)
    for (kind, count, replay) in disagreements {
      print(
        "engine and reference model disagreed in \(grouped(count)) programs: \(kind)\n  \(replay)")
    }
    let isWhole = surveys.allSatisfy { $0.report.runs == settings.runs }
    if !isWhole {
      print("stopped before all programs had run; \(StacksPage.path) is unchanged")
      return 1
    }
    guard let page else { return disagreements.isEmpty ? 0 : 1 }
    let text = StacksPage(surveys, settings).text
    if arguments.has("write") {
      try TextFile.write(text, to: page)
      print("\(page): written")
    } else {
      let isCurrent = (try? TextFile.read(path: page)) == text
      print("\(page): \(isCurrent ? "up to date" : "out of date; run 'make stacks'")")
      if !isCurrent { return 1 }
    }
    return disagreements.isEmpty ? 0 : 1
  }

  /// Prints the name of each stack, and the first sentence of its description.
  private static func list(_ arguments: Arguments) throws -> Int32 {
    for option in options where option != "list" && arguments.has(option) {
      throw UsageError(message: "'--list' runs no programs; leave out '--\(option)'")
    }
    for name in try StackOption.allNames() {
      let about = try StackOption.read(name).firstSentence ?? "no description"
      print(Style.ofOutput.heading(name))
      for line in wrapped(about, after: "  ", indentation: 2, width: Terminal.width) { print(line) }
    }
    return 0
  }

  /// Returns the page to write or to check, if any. Throws errors about the page before the
  /// programs run, because the runs take time.
  private static func page(
    _ arguments: Arguments, _ settings: inout CampaignSettings
  ) throws -> String? {
    let (writes, checks) = (arguments.has("write"), arguments.has("check"))
    guard writes || checks else { return nil }
    if writes, checks {
      throw UsageError(
        message: "'--write' writes the page and '--check' only compares it; choose one")
    }
    guard let folder = Checkout.path("Scenarios") else {
      throw UsageError(message: "no folder Scenarios here; run this inside a checkout")
    }
    let root = String(folder.dropLast("Scenarios".count))
    settings.models = settings.models.map { source in
      // Readers of the page have other folders, so the paths of models are relative to the
      // checkout.
      guard case .file(let path, let model, _) = source, !root.isEmpty, path.hasPrefix(root) else {
        return source
      }
      return .file(path: String(path.dropFirst(root.count)), model)
    }
    let page = root + StacksPage.path
    if checks, let text = try? TextFile.read(path: page),
      let (written, asked) = StacksPage.difference(of: text, from: settings)
    {
      throw UsageError(
        message: "\(page) was written with other options; it contains '\(written)', not '\(asked)'")
    }
    return page
  }

  /// Runs a campaign for each requested stack, or for all stacks.
  private static func survey(
    _ arguments: Arguments, _ settings: CampaignSettings
  ) throws -> [StackSurvey] {
    let asked = arguments.texts("stack")
    let names = asked.isEmpty ? try StackOption.allNames() : asked
    let progress = Progress(limit: nil, runs: names.count * settings.runs)
    defer { progress.endRuns() }
    let jobs = try CampaignOptions.jobs(arguments)
    var surveys: [StackSurvey] = []
    for name in names {
      let design = try StackOption.read(name)
      var settings = settings
      settings.models = try StackOption.models(settings.models, for: design, name)
      let options = " --profile \(settings.profile.rawValue) --stack \(HumanReport.quoted(name))"
      let crashReport = CrashReport(settings.models, options: options)
      let survey = StackSurvey(
        name: name, stack: design.stack, settings: settings, jobs: jobs,
        shouldStop: progress.shouldStop,
        willRun: crashReport.willRun)
      crashReport.end()
      progress.endCampaign()
      surveys.append(survey)
    }
    return surveys
  }
}
