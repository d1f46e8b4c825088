/// A command of `faultline`, which is the first word of a command line.
enum Command: String, CaseIterable {
  case initialise = "init"
  case fuzz, merge, replay, explore, coverage, scenario, stacks, facts, testcases, prepare,
    export, calibration, guide, completion
  case modelContext = "mcp"

  /// The description of the command in `faultline help`.
  var summary: String {
    switch self {
    case .initialise: "writes a starting point: a stack for your app, a test and a CI workflow"
    case .fuzz:
      "runs a campaign of generated programs; reports, explains and shrinks failures"
    case .merge: "combines the outputs of a campaign's shards into one report"
    case .replay: "replays a seed, an example or a scenario as a transcript, diagram, page or trace"
    case .explore: "runs a scenario under all schedules, and lists its outcomes"
    case .coverage: "lists the rare branches of the engine that campaigns do not reach"
    case .scenario: "works on scenario files: new, check, record, list, book"
    case .stacks: "counts the violations that each stack of Fixtures/Stacks allows"
    case .facts: "explains facts about Core Data, and checks that scenarios show them"
    case .testcases: "writes generated scenario files for a fuzzing service"
    case .prepare: "rewrites an app's sources for the simulated Core Data"
    case .export: "writes scenarios as Swift tests that need only Core Data and XCTest"
    case .calibration: "writes a Swift package that compares Apple's Core Data with the simulation"
    case .guide: "prints a page to read before the first campaign, for people and coding agents"
    case .modelContext: "serves these commands to agents and editors (Model Context Protocol)"
    case .completion: "prints a completion script for bash, zsh or fish"
    }
  }

  /// The options of the command, without hyphens.
  var options: [String] {
    switch self {
    case .initialise: InitCommand.options
    case .fuzz: FuzzCommand.options
    case .merge: MergeCommand.options
    case .replay: ReplayCommand.options
    case .explore: ExploreCommand.options
    case .coverage: CoverageCommand.options
    case .scenario: ScenarioCommand.options
    case .stacks: StacksCommand.options
    case .facts: FactsCommand.options
    case .testcases: TestcasesCommand.options
    case .prepare: PrepareCommand.options
    case .export: ExportCommand.options
    case .calibration: CalibrationCommand.options
    case .guide, .modelContext, .completion: []
    }
  }

  /// The words that can follow the command, if there is a choice.
  var verbs: [String] {
    switch self {
    case .scenario: ScenarioCommand.Verb.allCases.map(\.rawValue)
    case .completion: CompletionCommand.Shell.allCases.map(\.rawValue)
    default: []
    }
  }

  func run(_ words: [String]) throws -> Int32 {
    switch self {
    case .initialise: try InitCommand.run(words)
    case .fuzz: try FuzzCommand.run(words)
    case .merge: try MergeCommand.run(words)
    case .replay: try ReplayCommand.run(words)
    case .explore: try ExploreCommand.run(words)
    case .coverage: try CoverageCommand.run(words)
    case .scenario: try ScenarioCommand.run(words)
    case .stacks: try StacksCommand.run(words)
    case .facts: try FactsCommand.run(words)
    case .testcases: try TestcasesCommand.run(words)
    case .prepare: try PrepareCommand.run(words)
    case .export: try ExportCommand.run(words)
    case .calibration: try CalibrationCommand.run(words)
    case .guide: try GuideCommand.run(words)
    case .modelContext: try ModelContextCommand.run(words)
    case .completion: try CompletionCommand.run(words)
    }
  }
}
