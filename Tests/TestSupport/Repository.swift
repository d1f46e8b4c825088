import Foundation
import InputFiles
package import ObjectModel
package import Scenario

/// The files of this checkout. No other code of these tests looks for them.
package enum Repository {
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// The project's own models, in alphabetical order.
  package static func modelFiles() throws -> [(path: String, model: ObjectModel)] {
    let folder = root + "/Fixtures/Models"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
      let path = "\(folder)/\($0)"
      return (path, try ModelFile.read(path: path))
    }
  }

  package static func scenarioPaths() -> [String] {
    (try? ScenarioFile.paths(below: root + "/Scenarios")) ?? []
  }

  package static func scenarios() throws -> [(path: String, scenario: Scenario)] {
    try scenarioPaths().map { ($0, try ScenarioFile.read(path: $0)) }
  }
}
