import Foundation
import InputFiles
import ObjectModel
import Synchronization

/// What was read from model files, and where they were found. Each run reads its models, and no
/// file changes while a process runs.
enum ModelFileCache {
  struct File {
    let model: ObjectModel
    let classes: ModelClasses
  }

  private static let files = Mutex<[String: File]>([:])
  private static let places = Mutex<[String: URL]>([:])

  /// Nil if there is no model that can be read.
  static func file(at path: String) -> File? {
    if let known = files.withLock({ $0[path] }) { return known }
    guard let model = try? ModelFile.read(path: path),
      let classes = try? ModelFile.readClasses(path: path)
    else { return nil }
    let file = File(model: model, classes: classes)
    files.withLock { $0[path] = file }
    return file
  }

  /// The source of a model near a file.
  static func place(of name: String, near caller: String) -> URL? {
    let key = caller + "\n" + name
    if let known = places.withLock({ $0[key] }) { return known }
    let place = SimulatedFiles.models(near: caller) { $0 == name }.first
    places.withLock { $0[key] = place }
    return place
  }
}
