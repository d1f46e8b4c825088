import Foundation
import InputFiles
import Scenario
import ScenarioChecking

/// A scenario file as a test case: a history between contexts that is written down, with what must
/// come of it.
///
///     @Test(arguments: try ScenarioCase.all(in: "Scenarios"))
///     func `a scenario holds`(_ scenario: ScenarioCase) async throws {
///       try await scenario.check()
///     }
///
/// In XCTest, go through them in a loop.
public struct ScenarioCase: Hashable, Sendable, CustomStringConvertible {
  /// The path of the scenario file, as it was found.
  public let path: String

  /// Its name is that of its file.
  public var description: String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  /// All `.scenario` files in a folder and the folders below, sorted by path. `folder` is seen from
  /// the folder of the calling source file, unless it begins with a slash. Throws `InvalidInput` if
  /// there are none.
  public static func all(in folder: String, file: String = #filePath) throws -> [ScenarioCase] {
    let base = URL(fileURLWithPath: file).deletingLastPathComponent().path
    let path = folder.hasPrefix("/") ? folder : "\(base)/\(folder)"
    return try InvalidInput.reported {
      let cases = try ScenarioFile.paths(below: path).map { ScenarioCase(path: $0) }
      if cases.isEmpty { throw InputError(file: path, message: "has no .scenario file") }
      return cases
    }
  }

  /// Runs the scenario, and throws `BrokenScenario` if its transcript or a claim does not hold, or
  /// if engine and reference model disagree; throws `InvalidInput` if it cannot be read.
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

/// A scenario does not tell the truth any more.
public struct BrokenScenario: Error, Sendable, CustomStringConvertible {
  /// Each with the file and, where there is one, the line.
  public let lines: [String]

  /// All lines, one below another.
  public var description: String { lines.joined(separator: "\n") }
}
