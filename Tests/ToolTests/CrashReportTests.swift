import Foundation
import Testing

#if os(Linux)

  /// A trap in a campaign. None is planted: the signal that a trap would raise is sent from outside.
  @Suite struct `A campaign that traps` {
    @Test(arguments: [SIGILL, SIGTRAP, SIGABRT])
    func `says which run it was in`(signal: Int32) throws {
      let nothing = FileManager.default.temporaryDirectory
        .appendingPathComponent("faultline-trap-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: nothing, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: nothing) }
      let process = Process()
      process.executableURL = Faultline.executable
      process.currentDirectoryURL = Faultline.root
      // More runs than it will come to, but an end if the signal is lost.
      process.arguments = [
        "fuzz", "--runs", "20000", "--known", nothing.path, "--model",
        "Fixtures/Models/Note.model", "--stack", "proxy",
      ]
      let error = Pipe()
      process.standardError = error
      // With backtraces on, Swift has handlers of its own before the first run begins.
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      while process.isRunning, !catches(signal, process.processIdentifier) { sched_yield() }
      kill(process.processIdentifier, signal)
      let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 3)
      let line = try #require(
        text.split(separator: "\n").last { $0.contains("the run that did it:") })
      let words = line.split(separator: " ").drop { $0 != "replay" }.map(String.init)
      #expect(words.contains("--stack") && words.contains("--profile"), "\(line)")
      let replay = try Faultline.run(words)
      #expect(replay.code == 0 || replay.code == 1, "\(replay.error)")
      #expect(replay.output.contains(" steps, digest "))
    }

    /// Whether the process has a handler for the signal, which it has as soon as a run has begun.
    private func catches(_ signal: Int32, _ process: Int32) -> Bool {
      guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("SigCgt:") }),
        let caught = line.split(separator: "\t").last.flatMap({ UInt64($0, radix: 16) })
      else { return false }
      return caught >> UInt64(signal - 1) & 1 == 1
    }
  }

#endif
