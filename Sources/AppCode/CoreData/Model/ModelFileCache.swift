import Foundation
import InputFiles
import ObjectModel
import Synchronization

/// A cache of models read from files and of the places where they were found. All runs of a process
/// read the same models, and the files do not change while the process runs.
enum ModelFileCache {
  struct File {
    let path: String
    let model: ObjectModel
    let classes: ModelClasses
  }

  private static let files = Mutex<[String: File]>([:])
  private static let problems = Mutex<[String: String]>([:])
  private static let hashes = Mutex<[String: [String: Data]]>([:])
  private static let places = Mutex<[String: URL]>([:])

  /// Returns the model in a file, or `nil` if it cannot be read. If the file exists, the reason is
  /// written to standard error once.
  static func file(at path: String) -> File? {
    if let known = files.withLock({ $0[path] }) { return known }
    do {
      let model = try ModelFile.read(path: path)
      let file = File(
        path: path, model: model, classes: try ModelFile.readClasses(path: path))
      files.withLock { $0[path] = file }
      return file
    } catch {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      let isNew = problems.withLock { $0.updateValue("\(error)", forKey: path) } == nil
      if isNew {
        try? FileHandle.standardError.write(
          contentsOf: Data("Core Data: a model cannot be read: \(error)\n".utf8))
      }
      return nil
    }
  }

  /// Returns the version hashes of the entities of a model that no code has changed. They are
  /// computed once.
  static func versionHashes(of file: File) -> [String: Data] {
    if let known = hashes.withLock({ $0[file.path] }) { return known }
    let model = NSManagedObjectModel(file)
    let computed = model.entitiesByName.mapValues(\.versionHash)
    hashes.withLock { $0[file.path] = computed }
    return computed
  }

  /// Returns the reason why a model could not be read.
  static func problem(at path: String) -> String? { problems.withLock { $0[path] } }

  /// Returns the URL of the source of a model near a source file.
  static func place(of name: String, near caller: String) -> URL? {
    let key = caller + "\n" + name
    if let known = places.withLock({ $0[key] }) { return known }
    let place = SimulatedFiles.models(near: caller) { $0 == name }.first
    places.withLock { $0[key] = place }
    return place
  }
}
