import Campaigns
import Foundation
import InputFiles
import ObjectModel
import Scenario

/// The files of this checkout. No other code of these tests looks for them.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// The project's own models, in alphabetical order.
  static func models() throws -> [ModelSource] {
    let folder = root + "/Fixtures/Models"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
      let path = "\(folder)/\($0)"
      return .file(path: path, try ModelFile.read(path: path))
    }
  }

  static func scenarioPaths() -> [String] {
    (try? ScenarioFile.paths(below: root + "/Scenarios")) ?? []
  }

  static func scenarios() throws -> [(path: String, scenario: Scenario)] {
    try scenarioPaths().map { ($0, try ScenarioFile.read(path: $0)) }
  }
}
