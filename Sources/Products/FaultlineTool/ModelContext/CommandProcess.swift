import Foundation

/// A command of `faultline` that runs in a process of its own. A defect that ends the command, and
/// the handlers that commands install for signals, then do not affect the server.
enum CommandProcess {
  struct Result {
    let code: Int32
    /// The standard output, with errors where they were written.
    let output: String
  }

  static func run(_ words: [String]) throws -> Result {
    let process = Process()
    process.executableURL =
      Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = words
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let wasKilled = process.terminationReason == .uncaughtSignal
    return Result(
      code: wasKilled ? 3 : process.terminationStatus,
      output: wasKilled ? "\(output)\nended by signal \(process.terminationStatus)" : output)
  }
}
