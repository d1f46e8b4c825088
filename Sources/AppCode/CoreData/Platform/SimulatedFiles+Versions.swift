public import Foundation
import InputFiles

/// Simulates the files inside a compiled model. No compiler writes them on Linux, so they are
/// computed from the model's source. Apps that migrate step by step read the list of versions and
/// open each version.
extension SimulatedFiles {
  private static let listName = "VersionInfo.plist"

  /// Returns the names of the files in the folder of a compiled model, or `nil` if `path` names no
  /// such folder.
  static func names(inCompiledModel path: String) -> [String]? {
    let url = URL(fileURLWithPath: path)
    guard url.pathExtension == "momd", let versions = versions(of: url) else { return nil }
    return (versions.map(\.lastPathComponent) + [listName]).sorted()
  }

  /// A Boolean value that indicates whether a path names a compiled model, or a file inside one,
  /// whose source exists.
  static func isCompiledModel(_ path: String) -> Bool {
    let url = URL(fileURLWithPath: path)
    if url.pathExtension == "momd" { return versions(of: url) != nil }
    return names(inCompiledModel: url.deletingLastPathComponent().path)?
      .contains(url.lastPathComponent) == true
  }

  /// Returns the version list of a compiled model, or `nil` for any other path. It has the name of
  /// the current version, and the version hashes of the entities of each version.
  private static func versionList(at path: String) -> [String: Any]? {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent()
    guard url.lastPathComponent == listName, folder.pathExtension == "momd",
      let versions = versions(of: folder)
    else { return nil }
    let named = versions.compactMap { version in
      NSManagedObjectModel(contentsOf: version).map {
        (version.deletingPathExtension().lastPathComponent, $0.entityVersionHashesByName)
      }
    }
    let hashes = Dictionary(named) { first, _ in first }
    var list: [String: Any] = ["NSManagedObjectModel_VersionHashes": hashes]
    let source = folder.deletingPathExtension().appendingPathExtension("xcdatamodeld")
    list["NSManagedObjectModel_CurrentVersionName"] =
      ModelFile.currentVersionName(ofModel: source.path)
    return list
  }

  // MARK: Reading

  /// Returns the bytes of a file: the version list of a compiled model, or a file on disk.
  public static func data(contentsOf url: URL) throws -> Data {
    guard url.isFileURL, let list = versionList(at: url.path) else {
      return try Data(contentsOf: url)
    }
    return try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
  }

  /// Returns the dictionary in a property list: the version list of a compiled model, or a file on
  /// disk. Returns `nil` if the file holds no dictionary.
  public static func dictionary(contentsOf url: URL) -> [AnyHashable: Any]? {
    guard let data = try? data(contentsOf: url) else { return nil }
    let list = unsafe try? PropertyListSerialization.propertyList(
      from: data, options: [], format: nil)
    return list as? [AnyHashable: Any]
  }

  /// Returns the names in the folder of a compiled model, or in a folder on disk.
  public static func names(in folder: String, _ manager: FileManager) throws -> [String] {
    try names(inCompiledModel: folder) ?? manager.contentsOfDirectory(atPath: folder)
  }

  /// Returns the URLs of the files in the folder of a compiled model, or in a folder on disk.
  public static func urls(
    in folder: URL, _ keys: [URLResourceKey]?, _ options: FileManager.DirectoryEnumerationOptions,
    _ manager: FileManager
  ) throws -> [URL] {
    guard let names = names(inCompiledModel: folder.path) else {
      return try manager.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: keys, options: options)
    }
    return names.map { folder.appendingPathComponent($0) }
  }
}
