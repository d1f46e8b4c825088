import Foundation

/// Runs an adapter, one process for each program: an exception or a trap ends only that.
struct AdapterProcess {
  let path: String

  func capabilities() throws -> Capabilities {
    try Capabilities(run(["--capabilities"], input: "").lines)
  }

  /// What the adapter answers, a line for each line after `begin`; if it ended early, why.
  func answers(to request: [String]) throws -> (lines: [String], ending: String?) {
    let (lines, status) = try run([], input: request.joined(separator: "\n") + "\n")
    return (lines, status == 0 ? nil : "ended with status \(status)")
  }

  private func run(
    _ arguments: [String], input: String
  ) throws -> (lines: [String], status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    // A file and no pipe: an adapter that ends early must not end the comparison.
    let name = FileManager.default.temporaryDirectory
      .appendingPathComponent("others-\(ProcessInfo.processInfo.processIdentifier).txt")
    try input.write(to: name, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: name) }
    process.standardInput = try FileHandle(forReadingFrom: name)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    return (lines, process.terminationStatus)
  }
}
