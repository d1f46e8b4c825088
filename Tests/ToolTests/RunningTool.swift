import Foundation
import Testing

/// Runs the executable that was built beside the tests.
enum Faultline {
  struct Result {
    var code: Int32
    var output: String
    var error: String
  }

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static var executable: URL { executable("faultline") }
  static var bench: URL { executable("faultline-bench") }
  static var others: URL { executable("OtherImplementations") }

  private static func executable(_ name: String) -> URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent(name)
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: "/\(name)-was-not-built")
  }

  /// Keeps no example of a campaign unless the arguments name a folder, because the next test would
  /// replay the example.
  static func run(_ arguments: [String], in folder: URL = root) throws -> Result {
    let keeps = arguments.contains { $0.hasPrefix("--failures") || $0.hasPrefix("--canary") }
    let isCampaign = ["fuzz", "merge"].contains(arguments.first) && !keeps
    return try run(executable, arguments + (isCampaign ? ["--failures", "none"] : []), in: folder)
  }

  /// Returns the words of the command that replays a run with the last failure of a report, and the
  /// tool at the beginning of the command.
  static func replay(in report: String) throws -> (tool: String, words: [String]) {
    let lines = report.split(separator: "\n")
    let title = try #require(lines.lastIndex { $0.hasSuffix("a run with such a failure:") })
    let words = lines[title + 1].split(separator: " ").map(String.init)
    return (words[0], Array(words.dropFirst()))
  }

  static func run(_ program: URL, _ arguments: [String], in folder: URL) throws -> Result {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let output = Pipe()
    let error = Pipe()
    process.standardOutput = output
    process.standardError = error
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(
      decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Result(code: process.terminationStatus, output: text, error: complaint)
  }
}
