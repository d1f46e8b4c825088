import Foundation

/// Runs a program to its end or to a time limit, whichever comes first.
struct LimitedProcess {
  /// How it ended.
  enum Ending: Equatable {
    case status(Int32)
    case signal(Int32)
    case timedOut
  }

  let ending: Ending
  /// What it wrote to standard output and standard error, in this order.
  let output: String

  /// Throws an error of Foundation's if the program cannot be started. Output goes by way of the
  /// file `output`: a pipe could be held open by what the program has left behind.
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
      // What hangs in a deadlock may ignore a polite signal.
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

  /// The last lines of the output that say something.
  func lastLines(_ count: Int) -> [String] {
    output.split(separator: "\n").map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
      .suffix(count)
  }
}
