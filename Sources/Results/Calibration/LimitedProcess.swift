import Foundation

/// Runs a program until it ends or reaches a time limit.
struct LimitedProcess {
  /// The way in which the process ended.
  enum Ending: Equatable {
    case status(Int32)
    case signal(Int32)
    case timedOut
  }

  let ending: Ending
  /// The contents of standard output and standard error.
  let output: String

  /// Runs a program. Throws an error of Foundation if the program cannot be started.
  ///
  /// - Parameter path: The file that receives the output. A pipe could be kept open by processes
  ///   that the program leaves behind.
  init(
    _ words: [String], environment: [String: String] = [:], in folder: String, seconds: Double?,
    output path: String
  ) throws {
    let file = URL(fileURLWithPath: path)
    try Data().write(to: file)
    let writer = try FileHandle(forWritingTo: file)
    defer { try? writer.close() }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = ProcessInfo.processInfo.environment
      .merging(environment) { _, new in new }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = writer
    process.standardError = writer
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let limit = seconds.map { DispatchTime.now() + $0 } ?? .distantFuture
    if ended.wait(timeout: limit) == .timedOut {
      // A deadlocked process may ignore SIGTERM.
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
      ending = .timedOut
    } else if process.terminationReason == .uncaughtSignal {
      ending = .signal(process.terminationStatus)
    } else {
      ending = .status(process.terminationStatus)
    }
    output = String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  /// Returns the last lines of the output that are not blank.
  func lastLines(_ count: Int) -> [String] {
    output.split(separator: "\n").map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
      .suffix(count)
  }
}
