import Foundation
import ObjectModel
package import Scenario

/// Reads and writes scenario files.
package enum ScenarioFile {
  /// Reads a scenario.
  ///
  /// The path of a model that the scenario names may be relative to the working directory, to the
  /// scenario's folder, or to a folder above it. A checkout can thus be used from any directory.
  package static func read(path: String) throws(InputError) -> Scenario {
    let text = try TextFile.read(path: path)
    let scenario: Scenario
    do throws(TextError) {
      scenario = try ScenarioText.parse(text) { model($0, namedBy: path) }
    } catch {
      throw InputError(file: path, error)
    }
    try ModelFile.checkSize(of: scenario.model, from: path)
    return scenario
  }

  /// Reads the model that the file at `path` names.
  static func model(
    _ name: String, namedBy path: String
  ) -> Result<ObjectModel, UnreadableModel> {
    do throws(InputError) {
      return .success(try ModelFile.read(path: locate(name, from: path)))
    } catch {
      return .failure(UnreadableModel(message: error.summary))
    }
  }

  /// Returns the path of a model that the file `scenario` names.
  package static func locate(_ name: String, from scenario: String) -> String {
    if name.hasPrefix("/") || FileManager.default.fileExists(atPath: name) { return name }
    var folder = URL(fileURLWithPath: scenario).deletingLastPathComponent().standardizedFileURL
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent(name).path
      if FileManager.default.fileExists(atPath: candidate) { return candidate }
      folder.deleteLastPathComponent()
    }
    return name
  }

  /// Returns `path` itself, or the sorted paths of all scenario files below it if it is a folder.
  package static func paths(below path: String) throws(InputError) -> [String] {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw InputError(
        file: path, line: nil, message: "no such file or folder; give the path of a .scenario file")
    }
    guard isFolder.boolValue else { return [path] }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw InputError(file: path, message: "a folder that cannot be read; check its permissions")
    }
    // The enumerator does not follow a link to a folder.
    let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let base = path.hasSuffix("/") ? path : path + "/"
    return names.filter { $0.hasSuffix(".scenario") }.sorted().map { base + $0 }
  }

  /// Writes a scenario, replacing the file atomically.
  package static func write(_ scenario: Scenario, to path: String) throws(InputError) {
    try TextFile.write(ScenarioText.print(scenario), to: path)
  }
}
