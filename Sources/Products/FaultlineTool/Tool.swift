import Foundation
import InputFiles
import Prose
import Scenario

/// The command line tool.
///
/// Exit code 0 means success, and 1 means a violation or a disagreement. Exit code 2 means bad
/// arguments or input, and 3 means a defect of Faultline.
@main
struct Tool {
  static func main() {
    // A file that exceeds the size limit is an error like a full disk, and must not end the
    // process.
    signal(SIGXFSZ, SIG_IGN)
    end(status(of: Array(CommandLine.arguments.dropFirst())))
  }

  private static func status(of words: [String]) -> Int32 {
    do {
      return try run(words)
    } catch let error as UsageError {
      complain(error.message)
    } catch let error as InputError {
      for one in error.all { complain(one.description) }
    } catch {
      complain("\(error)")
      return 3
    }
    return 2
  }

  /// Ends the process, with an error if the report could not be written completely.
  private static func end(_ code: Int32) -> Never {
    guard fflush(nil) == 0 else {
      complain("cannot write to standard output; the report is incomplete or lost")
      exit(2)
    }
    exit(code)
  }

  /// Writes a remark that is not part of the report.
  static func note(_ message: String) { complain(message) }

  /// Writes a single line to standard error, whatever characters the message contains.
  private static func complain(_ message: String) {
    let line = Array("faultline: \(printable(message))\n".utf8)
    // Earlier output precedes the line, even if both go to the same place.
    fflush(nil)
    // If standard error is closed, too, there is nowhere to report to.
    _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static func run(_ words: [String]) throws -> Int32 {
    guard let word = words.first else {
      print(help)
      return 2
    }
    let rest = Array(words.dropFirst())
    if let command = Command(rawValue: word) { return try command.run(rest) }
    switch word {
    case "help" where !rest.isEmpty:
      guard let command = Command(rawValue: rest[0]) else { throw unknown(rest[0]) }
      return try command.run(["--help"])
    case "help", "--help", "-h":
      print(help)
      return 0
    case "--version":
      print("faultline \(faultlineVersion)")
      return 0
    default: throw unknown(word)
    }
  }

  private static func unknown(_ word: String) -> UsageError {
    let commands = Command.allCases.map(\.rawValue)
    let meant =
      word.hasSuffix(".scenario")
      ? "replay \(word)" : nearestWord(to: word, among: commands + ["help", "--help", "--version"])
    let hint = meant.map { "did you mean '\($0)'? " } ?? ""
    return UsageError(
      message: "unknown command '\(word)'; \(hint)the commands are "
        + commands.joined(separator: ", "))
  }

  private static var help: String {
    let width = Command.allCases.map(\.rawValue.count).max() ?? 0
    let lines = Command.allCases.map { command in
      let gap = String(repeating: " ", count: width - command.rawValue.count)
      return "  faultline \(command.rawValue)\(gap)  \(command.summary)"
    }
    return """
      faultline finds failures between Core Data contexts: lost updates, deadlocks, leaked IDs.

      \(lines.joined(separator: "\n"))

      'faultline COMMAND --help', or -h, explains a command with examples. 'faultline --version' prints the
      version.

        faultline fuzz --model MyApp.xcdatamodeld --runs 20000
        faultline replay Scenarios/Conflicts/last-child-wins.scenario --lanes

      Exit codes: 0 passed, 1 a new failure or a violated claim, 2 bad input, 3 a defect of Faultline.
      """
  }
}
