/// A command of `faultline`, which is the first word of a command line.
enum Command: String, CaseIterable {
  case initialise = "init"
  case fuzz, merge, replay, explore, coverage, scenario, stacks, facts, testcases, prepare,
    export, calibration, guide, completion
  case modelContext = "mcp"

  /// The description of the command in `faultline help`.
  var summary: String {
    switch self {
    case .initialise: "a folder to begin with: a stack of your own, a test, a workflow"
    case .fuzz:
      "a campaign of generated programs: what was violated, why, and how to replay it"
    case .merge: "the outputs of a campaign's shards, put together"
    case .replay: "one seed, or one scenario file: transcript, diagram, page, trace"
    case .explore: "a scenario under all schedules, and each outcome with a schedule"
    case .coverage: "which rare branches of the engine campaigns reach, and which they do not"
    case .scenario: "known failures as files: new, check, record, list, book"
    case .stacks: "which violations each stack of Fixtures/Stacks allows"
    case .facts: "what is known about Core Data, and which scenario shows it"
    case .testcases: "generated scenarios for a fuzzing service to run, each a file"
    case .prepare: "an app's sources, made to compile with the simulated Core Data"
    case .export: "scenarios as Swift tests that need nothing but Core Data"
    case .calibration: "a Swift package that compares Apple's Core Data with the simulation"
    case .guide: "a page for coding agents and people to read before the first campaign"
    case .modelContext: "a server of these commands for coding agents and editors"
    case .completion: "a script that completes these words in bash, zsh or fish"
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
