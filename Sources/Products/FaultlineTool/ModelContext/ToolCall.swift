import Foundation

/// A call of a tool, and its answer.
struct ToolCall {
  /// The text for the client. It is an error if the command could not do its work; failures that
  /// the command has found are none.
  struct Answer {
    var text: String
    var isError = false
  }

  private let tool: ServerTool
  private let arguments: ToolArguments
  private let folder: ServerFolder

  init(_ tool: ServerTool, _ arguments: ToolArguments, in folder: ServerFolder) {
    (self.tool, self.arguments, self.folder) = (tool, arguments, folder)
  }

  var answer: Answer {
    do {
      let words = try words
      let result = try CommandProcess.run(words)
      let text = (heading + result.output).trimmingCharacters(in: .newlines)
      let bounded = BoundedText(
        text, whole: "'\((["faultline"] + words).joined(separator: " "))' prints the whole output"
      ).text
      // Without a checkout there are no ready stacks, which is no error.
      return Answer(text: bounded, isError: result.code > 1 && tool != .listStacks)
    } catch let error as UsageError {
      return Answer(text: error.message, isError: true)
    } catch {
      return Answer(text: "\(error)", isError: true)
    }
  }

  /// The words of the command line.
  private var words: [String] {
    get throws {
      switch tool {
      case .listStacks: return ["stacks", "--list"]
      case .readGuide: return ["guide"]
      case .runCampaign: return try campaign
      case .readFinding:
        let options = try stack.map { ["--stack=\($0)"] } ?? []
        return ["replay", try example] + options
      case .replay:
        return ["replay", try folder.input(text("scenario"))]
          + arguments.options("lanes", "outcome")
      case .explore:
        return ["explore", try folder.input(text("scenario"))] + arguments.options("limit")
      case .checkScenarios:
        return ["scenario", "check", try folder.input(text("folder"))]
      }
    }
  }

  private var campaign: [String] {
    get throws {
      try folder.checkExamples()
      let stack = try stack ?? ""
      var model = arguments.text("model")
      if let path = model, path != "generated" { model = try folder.input(path) }
      let runs = arguments.text("runs") ?? "\(ServerTool.usualRuns)"
      return ["fuzz", "--format=brief", "--stack=\(stack)", "--runs=\(runs)"]
        + (model.map { ["--model=\($0)"] } ?? [])
        + arguments.options("seed", "only", "allow", "strict")
    }
  }

  /// The name or the path of the stack that the argument names.
  private var stack: String? {
    get throws {
      guard let name = arguments.text("stack") else { return nil }
      let isFile = name.contains("/") || name.hasSuffix(".stack") || name.hasSuffix(".scenario")
      return isFile ? try folder.input(name) : name
    }
  }

  /// The path of the kept example that the argument names.
  private var example: String {
    get throws {
      let name = text("name")
      guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
        throw UsageError(
          message: "'\(name)' is outside of the folder of examples; give a name such as "
            + "App/lost-update")
      }
      return try folder.input(try ExampleArgument.file(name))
    }
  }

  /// A list of the stacks of the folder, which stands above the output of `faultline stacks`.
  private var heading: String {
    guard tool == .listStacks else { return "" }
    let own = folder.stacks(limit: 40)
    let list = own.isEmpty ? ["none"] : own
    return (["stack files in this folder:"] + list.map { "  \($0)" } + ["ready stacks:"])
      .joined(separator: "\n") + "\n"
  }

  /// Returns a required argument.
  private func text(_ name: String) -> String { arguments.text(name) ?? "" }
}
