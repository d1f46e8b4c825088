import Foundation

/// Runs an adapter, with one process for each program. So an exception or a trap ends only that
/// program.
struct AdapterProcess {
  let path: String

  func capabilities() throws -> Capabilities {
    try Capabilities(run(["--capabilities"], input: "").lines)
  }

  /// Returns the adapter's answers, one for each line after `begin`, and the reason if the adapter
  /// ended early.
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
    // The input is a file and not a pipe, because an adapter that ends early must not end the
    // comparison.
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
