import Campaigns
import Foundation
import InputFiles
import Scenario
import ScenarioChecking
import SimulatedCoreData
import Vocabulary

/// A scenario file as a test case. A scenario is a written history between contexts, with its
/// expected results.
///
///     @Test(arguments: try ScenarioCase.all(in: "Scenarios"))
///     func `a scenario holds`(_ scenario: ScenarioCase) async throws {
///       try await scenario.check()
///     }
///
/// In XCTest, loop over the cases.
public struct ScenarioCase: Hashable, Sendable, CustomStringConvertible {
  /// The path of the scenario file, as it was found.
  public let path: String

  /// The name of the scenario file, without its extension.
  public var description: String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  /// Returns all `.scenario` files in a folder and its subfolders, sorted by path. `folder` is
  /// relative to the folder of the calling source file, unless it begins with a slash.
  ///
  /// - Throws: `InvalidInput` if the folder has no scenarios.
  public static func all(in folder: String, file: String = #filePath) throws -> [ScenarioCase] {
    let base = URL(fileURLWithPath: file).deletingLastPathComponent().path
    let path = folder.hasPrefix("/") ? folder : "\(base)/\(folder)"
    return try InvalidInput.reported {
      let cases = try ScenarioFile.paths(below: path).map { ScenarioCase(path: $0) }
      if cases.isEmpty { throw InputError(file: path, message: "has no .scenario file") }
      return cases
    }
  }

  /// Runs the scenario.
  ///
  /// - Throws: `BrokenScenario` if the transcript or a claim does not hold, or if engine and
  ///   reference model disagree. `InvalidInput` if the file cannot be read.
  public func check() async throws {
    let problems = try await besideTasks {
      try InvalidInput.reported { ScenarioCheck(try ScenarioFile.read(path: path)).problems }
    }
    if problems.isEmpty { return }
    throw BrokenScenario(
      lines: problems.map { problem in
        "\(path)\(problem.line.map { ":\($0)" } ?? ""): \(problem.message)"
      })
  }
}

extension ScenarioCase {
  /// Runs a kept failure on a stack as it is now, under all schedules if need be. The test passes
  /// once the stack prevents the failure, and fails if it shows the failure again.
  ///
  /// - Parameters:
  ///   - stack: The path of a `.stack` file, relative to the folder of the calling source file
  ///     unless it begins with a slash.
  ///   - file: The source file to whose folder `stack` is relative. Omit it.
  /// - Throws: `BrokenScenario` if the stack shows the failure, or lacks a part that the program
  ///   uses. `InvalidInput` if a file cannot be read, or if the scenario is no kept failure, which
  ///   has one claim `shows  KIND`.
  public func check(stack: String, file: String = #filePath) async throws {
    let base = URL(fileURLWithPath: file).deletingLastPathComponent().path
    let stackPath = stack.hasPrefix("/") ? stack : "\(base)/\(stack)"
    let (kind, verdict) = try await besideTasks {
      try InvalidInput.reported {
        let design = try StackDesign(path: stackPath)
        var example = try RegressionCase(path: path)
        return (example.kind, example.verdict(on: design.stack, bugs: PlantedBugSet()))
      }
    }
    switch verdict {
    case .passes, .isRuledOut: return
    case .fails: throw BrokenScenario(lines: ["\(path): \(stack) still shows \(kind)"])
    case .isAboutAnotherStack:
      throw BrokenScenario(
        lines: [
          "\(path): uses a context, observer, entry point or promise that \(stack) does not have"
        ])
    }
  }
}

/// The error for a scenario whose transcript or claims do not hold, or in which engine and
/// reference model disagree.
public struct BrokenScenario: Error, Sendable, CustomStringConvertible {
  /// The problems, each with its file and, if known, its line.
  public let lines: [String]

  /// All problems, one per line.
  public var description: String { lines.joined(separator: "\n") }
}
