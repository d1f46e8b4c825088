import Foundation
import Prose

/// The command `faultline mcp`.
enum ModelContextCommand {
  private static let help = """
    faultline mcp: runs a server of the Model Context Protocol for coding agents and editors. It reads one
    JSON-RPC message per line from standard input, answers on standard output, and ends at the end of
    input. A client starts it in the folder of the project, with a configuration such as

      {"mcpServers": {"faultline": {"command": "faultline", "args": ["mcp"]}}}

    Tools:
    \(tools)

    An answer has at most \(grouped(BoundedText.limit)) characters. If lines are omitted, its last line says so. The
    server refuses paths outside of the folder in which it was started. run_campaign writes examples to
    .faultline.

    Exit code 0 at the end of input, 2 for bad arguments.
    """

  private static var tools: String {
    let width = ServerTool.allCases.map(\.rawValue.count).max() ?? 0
    return ServerTool.allCases.map { tool in
      let gap = String(repeating: " ", count: width - tool.rawValue.count)
      let names = tool.parameters.map(\.name).joined(separator: ", ")
      return "  \(tool.rawValue)\(names.isEmpty ? "" : gap + "  " + names)"
    }.joined(separator: "\n")
  }

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: [])
    if arguments.has("help") {
      print(help)
      return 0
    }
    if let extra = arguments.positional.first {
      throw UsageError(message: "mcp takes no argument such as '\(extra)'")
    }
    let server = ModelContextServer(folder: ServerFolder())
    while let line = readLine() {
      if line.allSatisfy(\.isWhitespace) { continue }
      guard let answer = server.answer(to: line) else { continue }
      print(answer)
      // The client waits for the answer before it sends more.
      fflush(nil)
    }
    return 0
  }
}
