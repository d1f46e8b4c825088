import Failures
import Campaigns
import Determinism
import Execution
import Foundation
import InputFiles
import Invariants
import Prose
import Reporting
import Scenario
import ScenarioChecking
import Shrinking
import SimulatedCoreData
import Timelines
import Vocabulary

/// The command `faultline replay`.
enum ReplayCommand {
  static let options =
    CampaignOptions.names + CampaignOptions.baselineOptions + ["explain", "outcome"]
    + TimelineOptions.names

  private static let help = """
    faultline replay SEED [options]: runs the program of a campaign that has this seed. Repeat the options
    of the campaign; its report prints the whole command. 0x5c1a09:17:0x33f0 is a program that shares its
    first 17 steps with 0x5c1a09 and continues at random with seed 0x33f0.
    faultline replay NAME: runs an example that 'faultline fuzz' has kept in \(ExampleFolder.path), on the
    stack of that campaign, and prints the run as a diagram. The last line is the verdict: FAIL if the run
    shows the failure, PASS if it does not. With --stack, the example runs on that stack as it is now,
    and with --model, or the model that the stack names, as it is now, under all schedules if necessary:
    PASS means that they prevent the failure. NAME can also be a file that 'fuzz --failures' has kept,
    or a copy of it.
    faultline replay FILE: runs a scenario and prints it with the transcript of this run. Of the options
    below, FILE can be combined with --profile, which replaces the scenario's quirks, --with, --without,
    --plant and --explain. --explain lists the steps, values and scheduling choices that each violation
    needs, in programs of at most \(explainedStepLimit) steps. If engine and reference model disagree, the last line
    identifies the defect for fuzzing services such as ClusterFuzz.

      --outcome N        for a file: uses the first schedule that leads to the N-th outcome in the list
                         of 'faultline explore'
      --lanes            prints the run as a diagram with a column for each queue (default for NAME)
      --transcript       prints the run as a scenario with its transcript (default for SEED and FILE)
      --html FILE        writes the run as an HTML page: the violation with the steps that prove it, the
                         timeline, the state of each context, row cache and store after each step, and the
                         lanes that could have run instead, with their results; with
                         'interleave  every', a tab for each outcome
      --svg FILE         writes the timeline as a picture
      --trace FILE       writes the run as trace events for Perfetto and chrome://tracing: a track for each
                         queue and store, flows for saves and merges, violations with their proof, waits,
                         and counters of pending changes
      --events FILE      writes the run as JSON Lines, one for each event: kind, turn, time in virtual
                         milliseconds, queue, text and origin; where they apply, also step, context,
                         answers, details, failed, block and violations

    A violation is shown below the step after which it was found, and in words at the end. Steps are
    numbered in the order in which they run. A 'perform' is not counted as a step; the steps in it, the
    steps of observers and automatic merges are.

    Exit code 1 if a seed's run shows a new failure, an example shows its failure, a claim of the file
    does not hold, or engine and reference model disagree; 3 if Faultline itself fails.

    \(CampaignOptions.help)
    \(CampaignOptions.plantHelp)
    \(CampaignOptions.baselineHelp)

      faultline replay 0x5c1a09 --model MyApp.xcdatamodeld --profile current
      faultline replay Scenarios/Lifecycle/child-save-refires-awakeFromInsert.scenario
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: options)
    if arguments.has("help") {
      print(help)
      return 0
    }
    guard arguments.positional.count == 1 else {
      throw UsageError(message: "replay takes one seed, example or scenario file")
    }
    let subject = arguments.positional[0]
    try TimelineOptions.check(arguments)
    let crashReport = CrashReport(of: "replay", words)
    crashReport.begin()
    defer { crashReport.end() }
    if let seed = RunSeed(subject) { return try replay(seed, arguments) }
    let file = try ExampleArgument.file(subject, orElse: "a number such as 7 or 0x1f2e3d, ")
    if let stack = arguments.text("stack") {
      return try ReplayOnStack(path: file, stack: stack, arguments).run()
    }
    return try replayFile(file, arguments)
  }

  private static func replay(_ seed: RunSeed, _ arguments: Arguments) throws -> Int32 {
    if arguments.has("outcome") {
      throw UsageError(
        message: "'--outcome' is for scenario files; the run of a seed has one schedule")
    }
    if arguments.has("explain") {
      throw UsageError(
        message:
          "'--explain' is for scenario files; 'faultline fuzz' explains the failures of seeds")
    }
    let usual = try CampaignOptions.settings(arguments)
    var settings = usual
    settings.proves = true
    guard settings.models.count == 1 else {
      throw UsageError(
        message: "a seed means a program on one model; add the '--model' of the campaign's report")
    }
    let source = settings.models[0]
    let campaign = FuzzCampaign(settings)
    var choices = campaign.choices(seed, source)
    let outcome = campaign.run(source, &choices)
    var scenario = Scenario(
      outcome.program, name: "replay", source: "seed \(seed.text)",
      profile: settings.profile, quirks: settings.quirks, modelPath: source.path,
      watch: WatchedEvent.allCases)
    let bugs = PlantedBugSet(settings.bugs)
    scenario.recordWithViolations(quirks: settings.quirks, bugs: bugs)
    var recording = RunConfiguration(model: outcome.program.model, quirks: settings.quirks)
    recording.bugs = bugs
    recording.checkLevel = settings.checkLevel
    let (recorded, timeline) = ProgramRunner(recording).timeline(of: outcome.program)
    if arguments.has("lanes") {
      for line in LaneDiagram(timeline, upTo: 400).lines { print(line) }
    } else {
      print(ScenarioText.print(scenario))
    }
    print("schedule: \(outcome.scheduling)")
    report(outcome)
    var again = Choices(replaying: choices.recording)
    let configuration = usual.configuration(for: source, &again)
    let isKnown = try documents(outcome, configuration, arguments)
    try TimelineOptions.write(
      timeline, about: nil,
      page: {
        var report = RunReport(timeline, recorded, of: scenario, recording)
        report.command = command(arguments)
        report.explore(outcome.program, recording)
        return TimelinePage(report, title: "Seed \(seed.text)").html
      }, arguments)
    return isKnown && outcome.disagreement == nil ? 0 : 1
  }

  /// Prints for each kind of violation whether it is new, and returns false if any kind is new.
  private static func documents(
    _ outcome: Outcome, _ configuration: RunConfiguration, _ arguments: Arguments
  ) throws -> Bool {
    if outcome.violations.isEmpty { return true }
    let baseline = try CampaignOptions.baseline(arguments)
    var isKnown = true
    for failure in violations(of: outcome) {
      let program = outcome.program(showing: failure)
      let (cause, precedent) = baseline.known.verdict(on: failure, in: program, configuration)
      let group = FailureIdentity(failure.kind, cause).group(
        part: failure.detail?.part, ways: failure.detail?.ways)
      let words = cause?.specificText().map { "; cause: \($0)" } ?? ""
      switch baseline.standing(of: failure.kind, group, precedent) {
      case .known: print("\(failure.kind): known failure, shown by \(precedent?.path ?? "")")
      case .allowed: print("\(failure.kind): left out")
      case .warning: print("\(failure.kind): warning" + words)
      case .new:
        print("\(failure.kind): NEW FAILURE" + words)
        isKnown = false
      }
    }
    return isKnown
  }

  /// Returns the first violation of each kind.
  private static func violations(of outcome: Outcome) -> [FailureSignature] {
    outcome.failureKinds.filter { $0.invariant != nil }.compactMap { kind in
      outcome.failures.first { $0.kind == kind }
    }
  }

  private static func replayFile(_ path: String, _ arguments: Arguments) throws -> Int32 {
    for name in CampaignOptions.names + CampaignOptions.baselineOptions
    where !["profile", "with", "without", "plant"].contains(name) && arguments.has(name) {
      throw UsageError(message: "'--\(name)' does not apply to a scenario; leave it out")
    }
    var scenario = try ScenarioFile.read(path: path)
    var quirks = scenario.quirkSet
    if let profile = try arguments.choice("profile", Profile.self) { quirks = profile.quirks }
    let named = try CampaignOptions.quirks(arguments)
    for quirk in named.on { quirks.insert(quirk) }
    for quirk in named.off { quirks.remove(quirk) }
    let bugs = PlantedBugSet(try CampaignOptions.bugs(arguments))
    let original = scenario
    let outcomeNumber = try arguments.number("outcome", in: 1...1_000_000)
    if let outcomeNumber {
      let runner = ScenarioRunner(scenario, quirks: quirks, bugs: bugs)
      scenario.interleave = .choices(try schedule(of: outcomeNumber, runner, path))
    }
    if let message = ScenarioRunner(scenario, quirks: quirks, bugs: bugs).run().scheduleProblem,
      quirks == scenario.quirkSet
    {
      throw InputError(file: path, message: message)
    }
    var configuration = RunConfiguration(model: scenario.model, quirks: quirks)
    configuration.bugs = bugs
    let isExample = ExampleFolder.name(of: path) != path || scenario.isKeptFailure
    // An example is judged like the campaign that found it.
    configuration.checkLevel = isExample ? .design : .scenario
    let (outcome, timeline) = ProgramRunner(configuration).timeline(of: Program(scenario))
    let isWhole = !isExample || arguments.has("transcript")
    let subject = isWhole ? nil : scenario.subject(among: outcome.failureKinds)
    if arguments.has("lanes") || !isWhole {
      for line in LaneDiagram(timeline, marking: subject, upTo: 400).lines { print(line) }
    } else {
      scenario.recordWithViolations(quirks: quirks, bugs: bugs)
      print(ScenarioText.print(scenario))
    }
    let isOneOfMany = original.interleave == .every && outcomeNumber == nil
    if isOneOfMany {
      print("this is one schedule of the scenario; 'faultline explore \(path)' runs all of them")
    }
    report(outcome, isWhole: isWhole, about: subject)
    if arguments.has("explain") { explain(outcome, configuration) }
    if isExample { advise(RunReport(timeline, outcome, of: scenario, configuration)) }
    let isAsItShould =
      isExample
      ? passes(original, outcome)
      : claimsHold(ScenarioCheck(original, quirks: quirks, bugs: bugs), in: path)
    try TimelineOptions.write(
      timeline, about: scenario.subject(among: outcome.failureKinds),
      page: {
        page(
          of: ScenarioRunner(isOneOfMany ? original : scenario, quirks: quirks, bugs: bugs),
          hasAllSchedules: isOneOfMany, isExample: isExample, arguments)
      }, arguments)
    guard let disagreement = outcome.disagreement else { return isAsItShould ? 0 : 1 }
    print(CrashReport.state(of: disagreement.failureKind.name))
    return 1
  }

  /// Prints the cause and the remedy of the violation that an example is about.
  static func advise(_ report: RunReport) {
    guard let advice = report.advice.first(where: { $0.kind == report.subject }) else { return }
    for (name, text) in [("cause", advice.cause), ("remedy", advice.remedy)] {
      guard let text else { continue }
      for line in wrapped(text, after: "\(name): ", indentation: 2, width: Terminal.width) {
        print(line)
      }
    }
  }

  /// Prints whether an example shows its failure, and returns false if it does.
  private static func passes(_ example: Scenario, _ outcome: Outcome) -> Bool {
    var isShown = false
    for claim in example.claims {
      guard case .shows(let kind) = claim.condition else { continue }
      let fails = outcome.failureKinds.contains(kind)
      print(fails ? "FAIL  \(kind)" : "PASS  \(kind) no longer occurs")
      isShown = isShown || fails
    }
    return !isShown
  }

  /// Prints the claims that do not hold, and returns whether all claims hold. Ignores the
  /// transcript, which differs under other quirks.
  private static func claimsHold(_ check: ScenarioCheck, in path: String) -> Bool {
    let broken = check.problems.filter { !$0.isOfTranscript }
    for problem in broken {
      print(problem.line.map { "\(path):\($0): " + problem.message } ?? problem.message)
    }
    return broken.isEmpty
  }

  /// Returns the choices of the first schedule that leads to an outcome.
  private static func schedule(
    of outcome: Int, _ runner: ScenarioRunner, _ path: String
  ) throws -> [Int] {
    let findings = Exploration(runner).findings
    guard outcome <= findings.count else {
      throw UsageError(
        message: "\(path) has \(findings.count) outcome\(findings.count == 1 ? "" : "s"), not "
          + "\(outcome); 'faultline explore \(path)' lists them")
    }
    return findings[outcome - 1].schedule.map { Int($0) }
  }

  private static func page(
    of runner: ScenarioRunner, hasAllSchedules: Bool, isExample: Bool, _ arguments: Arguments
  ) -> String {
    var page = ScenarioPage(runner, command: command(arguments), options: changes(arguments))
    page.isExample = isExample
    return hasAllSchedules ? page.html(of: Exploration(runner)) : page.html
  }

  /// Returns the options that determine the run, without options that write files.
  private static func changes(_ arguments: Arguments) -> [String] {
    arguments.given(CampaignOptions.names + CampaignOptions.baselineOptions) {
      "\($0) \(HumanReport.quoted($1))"
    }
  }

  /// Returns the command that repeats the run.
  private static func command(_ arguments: Arguments) -> String {
    let outcome = arguments.texts("outcome").map { "--outcome \($0)" }
    return
      ([HumanReport.quoted(CommandLine.arguments[0]), "replay"]
      + arguments.positional.prefix(1).map(HumanReport.quoted) + changes(arguments)
      + outcome).joined(separator: " ")
  }

  /// The maximum number of steps in a program to explain. Every step costs at least one run.
  private static let explainedStepLimit = 40

  private static func explain(_ outcome: Outcome, _ configuration: RunConfiguration) {
    let violations = violations(of: outcome)
    let count = outcome.program.steps.count
    guard violations.isEmpty || count <= explainedStepLimit else {
      let message =
        "not explained: the program has \(count) steps, and --explain takes at most "
        + "\(explainedStepLimit), because each step costs a run or more; delete steps first, or use "
        + "the shrunk example of 'faultline fuzz'"
      return print(message)
    }
    if violations.isEmpty {
      print("this run violated no invariant, so there is nothing to explain")
    }
    for violation in violations {
      print("\(violation.kind): explanation")
      for line in Explanation(of: violation, in: outcome.program, configuration).wholeText {
        print("  " + line)
      }
    }
  }

  /// The maximum number of violations to show for each kind. A program of a campaign can have very
  /// many.
  private static let shownLimit = 3

  /// Prints the result of a run. For an example, prints only the violation that it is about, and
  /// the names of other kinds.
  private static func report(
    _ outcome: Outcome, isWhole: Bool = true, about subject: FailureKind? = nil
  ) {
    print(
      "\(outcome.stepCount == 1 ? "1 step" : "\(outcome.stepCount) steps"), digest \(hex(outcome.digest))"
    )
    if let disagreement = outcome.disagreement {
      print("engine and reference model disagree " + disagreement.report(in: outcome.program))
    }
    let kinds = violations(of: outcome).map(\.kind)
    for kind in kinds where isWhole || kind == subject {
      let all = outcome.violations.filter { $0.kind == kind }
      for violation in all.prefix(shownLimit) { print(violation.report(in: outcome.program)) }
      if all.count > shownLimit { print("\(all.count - shownLimit) more of \(kind)") }
    }
    let others = kinds.filter { $0 != subject }.map(\.name)
    if !isWhole, !others.isEmpty {
      print("also seen: \(others.joined(separator: ", ")); '--transcript' shows the steps")
    }
  }
}
