import Foundation
package import ObjectModel
import Prose
import Scenario

/// Reads a model from a file in Xcode's format, or in the text form of scenarios.
package enum ModelFile {
  /// Reads the model at `path`: the current version of an `.xcdatamodeld`, an `.xcdatamodel` or a
  /// `.model`.
  package static func read(path: String) throws(InputError) -> ObjectModel {
    try readNoting(path: path).model
  }

  /// Reads the model at `path`, together with notes for the user.
  package static func readNoting(
    path: String
  ) throws(InputError) -> (model: ObjectModel, notes: ModelNotes) {
    let path = withoutTrailingSlashes(path)
    let (model, notes) =
      switch path.fileExtension {
      case "xcdatamodeld": try readBundle(path)
      case "xcdatamodel": try readDirectory(path)
      case "model": (try readText(path), ModelNotes())
      case "mom", "momd", "omo":
        throw InputError(
          file: path,
          message:
            "a compiled model cannot be read; give the .xcdatamodeld that it was compiled from")
      default:
        if !FileManager.default.fileExists(atPath: path) { throw TextFile.missing(path) }
        throw InputError(
          file: path, message: "not a model; a model is an .xcdatamodeld, .xcdatamodel or .model")
      }
    guard !model.concreteEntities.isEmpty else {
      throw InputError(
        file: path, message: "has no concrete entity; a model needs an entity that is not abstract")
    }
    try checkSize(of: model, from: path)
    return (model, notes)
  }

  /// Throws an error if an entity is too large to simulate. Every model passes this check,
  /// including models in scenarios.
  static func checkSize(of model: ObjectModel, from path: String) throws(InputError) {
    var errors = InputErrors()
    for entity in model.oversizedEntities {
      errors.add(
        InputError(
          file: path,
          message:
            "\(quoted(entity.name)) has \(entity.properties.count) properties with those that it "
            + "inherits; at most \(Entity.propertyLimit) can be simulated"))
    }
    try errors.throwIfAny()
  }

  private static func readBundle(_ path: String) throws(InputError) -> (ObjectModel, ModelNotes) {
    let version = try currentVersion(of: path)
    var (model, notes) = try readDirectory("\(path)/\(version.name)")
    notes.version = version
    return (model, notes)
  }

  /// Returns the name of the version of an `.xcdatamodeld` that Xcode compiles, without its
  /// extension. Returns `nil` if the folder cannot be read.
  package static func currentVersionName(ofModel path: String) -> String? {
    guard let version = try? currentVersion(of: path) else { return nil }
    return String(version.name.dropLast(".xcdatamodel".count))
  }

  /// Returns the version that Xcode compiles.
  private static func currentVersion(of path: String) throws(InputError) -> ModelNotes.Version {
    let items = try items(
      of: path, otherwise: "an .xcdatamodeld is a directory of .xcdatamodel directories")
    let versions = items.filter { $0.fileExtension == "xcdatamodel" }
    if items.contains(".xccurrentversion") {
      let file = path + "/.xccurrentversion"
      if let name = try currentVersionName(file) {
        guard versions.contains(name) else {
          throw InputError(
            file: file,
            message: "there is no version \(quoted(name)); "
              + suggestion(for: name, among: versions))
        }
        return .init(name: name, count: versions.count)
      }
    }
    guard versions.count <= 1 else {
      throw InputError(
        file: path,
        message: "has \(versions.count) versions, but no .xccurrentversion that names the current "
          + "one; choose the current version in Xcode, or give the path of one .xcdatamodel")
    }
    guard let version = versions.first else {
      throw InputError(
        file: path, message: "no model inside; an .xcdatamodeld holds at least one .xcdatamodel")
    }
    return .init(name: version, count: 1)
  }

  /// Returns the name of the current version, or `nil` if the file names none, as in a bundle that
  /// never had a second version.
  private static func currentVersionName(_ file: String) throws(InputError) -> String? {
    let content = try contents(of: file, otherwise: "a current version is named by a property list")
    guard let list = try? PropertyListDecoder().decode(CurrentVersion.self, from: content) else {
      throw InputError(
        file: file,
        message: "not a property list that names a version; it should be a dictionary with a text "
          + "_XCCurrentVersionName")
    }
    return list.name
  }

  private static func readDirectory(
    _ path: String
  ) throws(InputError) -> (ObjectModel, ModelNotes) {
    try document(in: path).resolved()
  }

  /// Reads the classes and configurations of an `.xcdatamodeld` or `.xcdatamodel`.
  package static func readClasses(path: String) throws(InputError) -> ModelClasses {
    var path = withoutTrailingSlashes(path)
    if path.fileExtension == "xcdatamodeld" { path += "/" + (try currentVersion(of: path).name) }
    return ModelClasses(try document(in: path))
  }

  /// Returns the path of the XML file in an `.xcdatamodeld` or `.xcdatamodel`.
  package static func contents(ofModel path: String) throws(InputError) -> String {
    let path = withoutTrailingSlashes(path)
    if path.fileExtension != "xcdatamodeld" { return path + "/contents" }
    return "\(path)/\(try currentVersion(of: path).name)/contents"
  }

  private static func document(in path: String) throws(InputError) -> ModelDocument {
    let items = try items(
      of: path, otherwise: "an .xcdatamodel is a directory with a file 'contents'")
    let file = path + "/contents"
    guard items.contains("contents") else {
      throw InputError(
        file: path,
        message: items.contains("elements")
          ? "a binary model of Xcode 3; save it with a later Xcode, which writes XML"
          : "no file 'contents' inside; an .xcdatamodel keeps its XML there")
    }
    let content = try contents(of: file, otherwise: "an .xcdatamodel keeps its XML there")
    guard !content.starts(with: Array("bplist".utf8)) else {
      throw InputError(
        file: file, message: "a binary property list; save the model with Xcode, which writes XML")
    }
    return try ModelDocument(parsing: content, file: file)
  }

  private static func readText(_ path: String) throws(InputError) -> ObjectModel {
    let content = try contents(of: path, otherwise: "a .model is a text file")
    let text = try TextFile.text(content, of: path)
    do throws(TextError) {
      return try ModelText.parse(text)
    } catch {
      throw InputError(file: path, error)
    }
  }
}

// MARK: - Files

extension ModelFile {
  /// Returns the names in a directory, sorted so that the order does not depend on the file system.
  private static func items(of path: String, otherwise right: String) throws(InputError) -> [String]
  {
    guard try isDirectory(path) else {
      throw InputError(file: path, message: "a file; \(right)")
    }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      throw InputError(file: path, message: "cannot be read; check its permissions")
    }
  }

  private static func contents(of path: String, otherwise right: String) throws(InputError) -> Data
  {
    guard try !isDirectory(path) else {
      throw InputError(file: path, message: "a directory; \(right)")
    }
    guard let content = FileManager.default.contents(atPath: path) else {
      throw InputError(file: path, message: "cannot be read; check its permissions")
    }
    return content
  }

  private static func isDirectory(_ path: String) throws(InputError) -> Bool {
    guard
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    else {
      throw TextFile.missing(path)
    }
    switch attributes[.type] as? FileAttributeType {
    case .typeDirectory: return true
    case .typeRegular: return false
    // Reading a pipe would wait for a writer.
    default: throw InputError(file: path, message: "neither a file nor a directory")
    }
  }

  package static func withoutTrailingSlashes(_ path: String) -> String {
    var path = Substring(path)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}

extension String {
  /// The part of a path after its last period. Empty if the path has no period.
  fileprivate var fileExtension: Substring {
    guard let period = lastIndex(of: ".") else { return "" }
    return self[index(after: period)...]
  }
}

/// The contents of an `.xccurrentversion` file.
private struct CurrentVersion: Decodable {
  enum CodingKeys: String, CodingKey { case name = "_XCCurrentVersionName" }

  let name: String?
}
