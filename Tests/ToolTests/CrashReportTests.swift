import Foundation
import Testing

#if os(Linux)

  /// A trap in a campaign. No trap is planted. The test sends the signal that a trap would raise.
  @Suite struct `A campaign that traps` {
    @Test(arguments: [SIGILL, SIGTRAP, SIGABRT])
    func `a campaign that traps says which run it was in`(signal: Int32) throws {
      // The campaign has more runs than it can finish before the signal, but ends if the signal is
      // lost.
      let text = try complaint(
        of: [
          "fuzz", "--jobs", "1", "--runs", "20000", "--known", "none", "--failures", "none",
          "--model",
          "Fixtures/Models/Note.model",
          "--stack", "proxy",
        ], sent: signal)
      let line = try #require(
        text.split(separator: "\n").last {
          $0.contains("in this run or while shrinking it:")
        })
      let words = line.split(separator: " ").drop { $0 != "replay" }.map(String.init)
      #expect(words.contains("--stack") && words.contains("--profile"), "\(line)")
      let replay = try Faultline.run(words)
      #expect(replay.code == 0 || replay.code == 1, "\(replay.error)")
      #expect(replay.output.contains(" steps, digest "))
    }

    @Test(arguments: [
      ["replay", "9", "--model", "Fixtures/Models/Note.model", "--steps", "3000"],
      ["scenario", "check"],
      ["stacks", "--jobs", "1", "--runs", "20000", "--model", "Fixtures/Models/Note.model"],
      ["fuzz", "--canary", "swapsTrumps", "--policy", "error", "--runs", "20000"],
    ])
    func `every command that runs programs says what trapped`(words: [String]) throws {
      let text = try complaint(of: words, sent: SIGILL)
      #expect(text.contains("faultline: a defect of Faultline"), "\(text)")
      if words[0] == "stacks" {
        #expect(
          text.contains("in this run or while shrinking it: ")
            && text.contains(" --stack "))
      } else {
        // A fuzzing service identifies the defect by this state.
        #expect(text.contains("[faultline:engine] Check failed: a trap\n"), "\(text)")
        #expect(
          text.hasSuffix(
            "with this command: \(Faultline.executable.path) "
              + words.joined(separator: " ") + "\n"), "\(text)")
      }
    }

    @Test func `an exploration says what trapped, too`() throws {
      let lanes = ["a", "b", "c", "d"]
      let text =
        "scenario  lanes\nevidence  inferred\n\nmodel\n  Note\n    title  string?\n\nstack\n"
        + "  store  main\n" + lanes.map { "  \($0)  privateQueue coordinator store\n" }.joined()
        + "\nsteps\n"
        + lanes.map { lane in
          "  \(lane)  perform\n"
            + (1...3).map { "    insert Note as \(lane)\($0)\n    save\n" }.joined()
        }.joined()
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("faultline-\(UUID().uuidString).scenario")
      try Data(text.utf8).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let said = try complaint(of: ["explore", file.path], sent: SIGTRAP)
      #expect(said.hasSuffix(" explore \(file.path)\n"), "\(said)")
    }

    @Test func `a campaign that replays kept failures says what trapped`() throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("faultline-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // The scenario is long enough for the signal to arrive.
      let text =
        "scenario  kept\nevidence  inferred\n\nmodel\n  Note\n    title  string?\n\nstack\n"
        + "  store  main\n  view  mainQueue coordinator store\n"
        + "  edit  privateQueue parent view\n\nsteps\n"
        + (1...2_000).map { "  edit  insert Note as n\($0)\n" }.joined()
        + "  edit  save\n\nclaims\n  shows  duplicate awakeFromInsert\n"
      try Data(text.utf8).write(to: folder.appendingPathComponent("kept.scenario"))
      let words = [
        "fuzz", "--runs", "1", "--known", "none", "--model", "Fixtures/Models/Note.model",
        "--failures", folder.path,
      ]
      let said = try complaint(of: words, sent: SIGABRT)
      #expect(
        said.hasSuffix(
          "this command: \(Faultline.executable.path) \(words.joined(separator: " "))\n"),
        "\(said)")
    }

    /// Returns the standard error of a command that gets the signal while it runs programs.
    private func complaint(of words: [String], sent signal: Int32) throws -> String {
      let process = Process()
      process.executableURL = Faultline.executable
      process.currentDirectoryURL = Faultline.root
      process.arguments = words
      let error = Pipe()
      process.standardError = error
      // With backtraces on, Swift installs its own handlers before the first run begins.
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      while process.isRunning, !catches(signal, process.processIdentifier) { sched_yield() }
      kill(process.processIdentifier, signal)
      let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 3, "\(text)")
      return text
    }

    /// Returns whether the process has a handler for the signal, which it has once a run has begun.
    private func catches(_ signal: Int32, _ process: Int32) -> Bool {
      guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("SigCgt:") }),
        let caught = line.split(separator: "\t").last.flatMap({ UInt64($0, radix: 16) })
      else { return false }
      return caught >> UInt64(signal - 1) & 1 == 1
    }
  }

#endif
