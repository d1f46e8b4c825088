import Foundation
package import Scenario

/// Reads stack files.
package enum StackFile {
  /// Reads a stack. The path of its model is resolved like that of a scenario's model.
  package static func read(path: String) throws(InputError) -> StackDesign {
    let text = try TextFile.read(path: path)
    let design: StackDesign
    do throws(TextError) {
      design = try StackDesignText.parse(text) { ScenarioFile.model($0, namedBy: path) }
    } catch {
      throw InputError(file: path, error)
    }
    try ModelFile.checkSize(of: design.model, from: path)
    return design
  }

  /// Returns the names of the stack files in `folder`, sorted.
  package static func names(in folder: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".stack") }.sorted().map { String($0.dropLast(6)) }
  }
}
