package import Foundation
import InputFiles
package import ObjectModel

/// The folders from which tests read models.
package enum ModelFolders {
  private static let repository = URL(fileURLWithPath: Repository.root)

  package static let fixtures = repository.appendingPathComponent("Fixtures/Models").path

  /// Models of published projects, which only some machines have beside the repository.
  package static let shared = repository.deletingLastPathComponent()
    .appendingPathComponent("shared/models").path

  package static var hasShared: Bool { FileManager.default.fileExists(atPath: shared) }

  package static let sharedNames = [
    "Books", "CarsAndPersons", "CompanyEmployee", "EmployeeDirectory", "EvolutionIntegration",
    "MagicalTestModel",
  ]
}

/// A separate folder for each test, which is removed with the test.
package final class ScratchFolder {
  package let path: String

  package init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-models-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and the folders on its path, and returns the path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  @discardableResult
  package func write(_ content: Data, to name: String) throws -> String {
    let file = URL(fileURLWithPath: path).appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try content.write(to: file)
    return file.path
  }

  /// Reads a model, given the lines inside `<model>`. These begin on line 3.
  package func model(_ body: String) throws -> ObjectModel {
    try write(xcodeModel(body), to: "Test.xcdatamodel/contents")
    return try ModelFile.read(path: path + "/Test.xcdatamodel")
  }

  /// Reads a model of one entity `Thing`, given the lines inside the entity.
  package func thing(_ body: String) throws -> Entity {
    let model = try model("<entity name=\"Thing\">\n\(body)\n</entity>")
    return model.entities[0]
  }
}

package func xcodeModel(_ body: String) -> String {
  """
  <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
  <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
  \(body)
  </model>
  """
}

/// Returns the error of reading `path` below `folder`, as a user sees it.
package func complaint(about path: String, in folder: ScratchFolder) -> String? {
  do throws(InputError) {
    _ = try ModelFile.read(path: folder.path + "/" + path)
    return nil
  } catch {
    return error.description.replacingOccurrences(of: folder.path + "/", with: "")
  }
}
