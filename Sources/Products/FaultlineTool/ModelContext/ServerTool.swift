/// A tool of the server. Each tool runs a command of `faultline`.
enum ServerTool: String, CaseIterable {
  case listStacks = "list_stacks"
  case readGuide = "read_guide"
  case runCampaign = "run_campaign"
  case readFinding = "read_finding"
  case replay
  case explore
  case checkScenarios = "check_scenarios"

  /// The maximum number of programs in a campaign, and of runs in an exploration, that a client can
  /// request.
  static let runLimit = 20_000
  /// The number of programs in a campaign that does not ask for another number.
  static let usualRuns = 300

  private var title: String {
    switch self {
    case .listStacks: "List stacks"
    case .readGuide: "Read the guide"
    case .runCampaign: "Run a campaign"
    case .readFinding: "Read a finding"
    case .replay: "Replay a scenario"
    case .explore: "Explore a scenario"
    case .checkScenarios: "Check scenarios"
    }
  }

  private var about: String {
    switch self {
    case .listStacks:
      "Lists the .stack files of this folder, and the ready stacks, each with a sentence."
    case .readGuide:
      "Returns the guide: the language of stacks and models, the work flow, and fixes for failures."
    case .runCampaign:
      "Runs generated programs on a stack. Returns the verdict, and each failure with its proof, "
        + "cause and remedy. 300 programs take some seconds, 20,000 some minutes."
    case .readFinding:
      "Shows an example that a campaign has kept: the diagram of its run, the cause and the remedy."
    case .replay:
      "Runs a scenario file in one schedule, and prints its transcript and its violations."
    case .explore: "Runs a scenario file under all schedules, and lists the outcomes."
    case .checkScenarios: "Checks the transcripts and the claims of all scenarios below a folder."
    }
  }

  var parameters: [ToolParameter] {
    switch self {
    case .listStacks, .readGuide: []
    case .runCampaign: ServerTool.campaign
    case .readFinding:
      [
        ToolParameter(
          name: "name", kind: .text,
          about: "a name that run_campaign prints after 'replay', such as App/lost-update",
          isRequired: true),
        ToolParameter(
          name: "stack", kind: .text,
          about:
            "runs the example on this stack as it is now; PASS means that the stack prevents the failure"
        ),
      ]
    case .replay:
      [
        ServerTool.scenario,
        ToolParameter(
          name: "lanes", kind: .flag, about: "returns a diagram with a column for each queue"),
        ToolParameter(
          name: "outcome", kind: .number(1...1_000_000),
          about: "replays the outcome with this number, as listed by explore"),
      ]
    case .explore:
      [
        ServerTool.scenario,
        ToolParameter(
          name: "limit", kind: .number(1...ServerTool.runLimit),
          about: "the maximum number of runs"),
      ]
    case .checkScenarios:
      [
        ToolParameter(
          name: "folder", kind: .text, about: "a folder with .scenario files", isRequired: true)
      ]
    }
  }

  private static var scenario: ToolParameter {
    ToolParameter(
      name: "scenario", kind: .text, about: "the path of a .scenario file", isRequired: true)
  }

  private static var campaign: [ToolParameter] {
    [
      ToolParameter(
        name: "stack", kind: .text,
        about: "the path of a .stack or .scenario file, or the name of a ready stack",
        isRequired: true),
      ToolParameter(
        name: "model", kind: .text,
        about:
          "the path of a .model, .xcdatamodel or .xcdatamodeld; by default, Faultline's own models"),
      ToolParameter(
        name: "runs", kind: .number(1...runLimit),
        about: "the number of programs, \(usualRuns) by default"),
      ToolParameter(name: "seed", kind: .seed, about: "determines all programs, 1 by default"),
      ToolParameter(
        name: "only", kind: .texts,
        about: "kinds of failure, or groups such as design; no other failure counts"),
      ToolParameter(
        name: "allow", kind: .texts, about: "kinds of failure, or groups, that do not count"),
      ToolParameter(
        name: "strict", kind: .flag, about: "makes warnings, such as old data, fail the campaign"),
    ]
  }

  /// The description of the tool for `tools/list`.
  var json: [String: Any] {
    var properties: [String: Any] = [:]
    for parameter in parameters { properties[parameter.name] = parameter.schema }
    var schema: [String: Any] = [
      "type": "object", "properties": properties, "additionalProperties": false,
    ]
    let required = parameters.filter(\.isRequired).map(\.name)
    if !required.isEmpty { schema["required"] = required }
    return [
      "name": rawValue, "title": title, "description": about, "inputSchema": schema,
      // A campaign keeps its examples in a folder.
      "annotations": [
        "readOnlyHint": self != .runCampaign, "destructiveHint": false, "openWorldHint": false,
      ],
    ]
  }
}
