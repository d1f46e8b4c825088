import Faultline
import Foundation
import Scenario

/// The command line. Exit codes: 0 passed, 1 violation or disagreement, 2 bad arguments or input,
/// 3 a defect of ours.
@main
struct Tool {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      exit(try run(words))
    } catch let error as UsageError {
      complain(error.message)
    } catch let error as InputError {
      complain(error.description)
    } catch {
      complain("\(error)")
      exit(3)
    }
    exit(2)
  }

  /// A remark that is no part of the report.
  static func note(_ message: String) { complain(message) }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data("faultline: \(message)\n".utf8))
  }

  private static func run(_ words: [String]) throws -> Int32 {
    guard let command = words.first else {
      print(help)
      return 2
    }
    let rest = Array(words.dropFirst())
    switch command {
    case "fuzz": return try FuzzCommand.run(rest)
    case "coverage": return try CoverageCommand.run(rest)
    case "replay": return try ReplayCommand.run(rest)
    case "explore": return try ExploreCommand.run(rest)
    case "scenario": return try ScenarioCommand.run(rest)
    case "stacks": return try StacksCommand.run(rest)
    case "facts": return try FactsCommand.run(rest)
    case "help" where !rest.isEmpty && commands.contains(rest[0]):
      return try run([rest[0], "--help"])
    case "help" where !rest.isEmpty: throw unknown(rest[0])
    case "help", "--help", "-h":
      print(help)
      return 0
    case "--version":
      print("faultline \(version)")
      return 0
    default: throw unknown(command)
    }
  }

  private static let commands = [
    "fuzz", "coverage", "replay", "explore", "scenario", "stacks", "facts",
  ]

  private static func unknown(_ command: String) -> UsageError {
    let hint =
      nearestWord(to: command, among: commands + ["help", "--help", "--version"]).map {
        "did you mean '\($0)'? "
      } ?? ""
    return UsageError(
      message: "unknown command '\(command)'; \(hint)the commands are "
        + commands.joined(separator: ", "))
  }

  /// Goes up when a seed or a scenario may come to something else than before.
  private static let version = "0.4"

  static let help = """
    faultline finds what goes wrong between Core Data contexts.

      faultline fuzz      a campaign of made-up programs; ends with what was violated, why, and how
                          to replay it
      faultline coverage  which rare branches of the engine campaigns reach, and which they do not
      faultline replay    one seed, or one scenario file, with its full transcript
      faultline explore   a scenario under all schedules, and each outcome with a schedule
      faultline scenario  check, record, list
      faultline stacks    what can go wrong in which stack of Fixtures/Stacks
      faultline facts     what is known about Core Data, and which scenario shows it

    'faultline COMMAND --help', or -h, says more; 'faultline --version' says which version this is.
    """
}
