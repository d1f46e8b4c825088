public import Foundation
import LiveCode

/// The files that code believes to find: those of the run's stores, which are in memory, and the
/// models that no compiler makes on Linux. In a prepared module `FileManager` and `Bundle` ask
/// here.
public enum SimulatedFiles {
  /// Whether a file is there: of a store of the run, or on disk.
  public static func exist(at path: String, _ manager: FileManager) -> Bool {
    RunState.ifRunning?.storeFiles.contains(path) == true || manager.fileExists(atPath: path)
  }

  /// Removes a file: of a store of the run, which begins empty when it is next added, or on disk.
  /// No store is at /dev/null, and the device stays, even where the tests run as root.
  public static func remove(_ path: String, _ manager: FileManager) throws {
    if path == "/dev/null" {
      throw CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: path])
    }
    if let state = RunState.ifRunning, state.storeFiles.contains(path) {
      state.removeStoreFile(path)
      if !manager.fileExists(atPath: path) { return }
    }
    try manager.removeItem(atPath: path)
  }

  /// Copies or moves a file on disk. Traps for the file of a store of the run.
  public static func checkIsNoStore(_ path: String, _ method: String) {
    guard RunState.ifRunning?.storeFiles.contains(path) == true else { return }
    misuse(
      "FileManager.\(method) of a store's file is not simulated: use replacePersistentStore or "
        + "migratePersistentStore of a coordinator")
  }

  /// Throws if a file on disk is in the way of a store: code has written it. Files of stores are in
  /// memory, and an empty file is a new store.
  static func check(
    _ url: URL, _ type: String, _ known: NSPersistentStore?, _ state: RunState
  ) throws {
    if let known, known.type != type {
      throw state.cocoa(
        NSPersistentStoreTypeMismatchError, "the store at \(url.path) is of another type")
    }
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
      !isFolder.boolValue, let file = FileHandle(forReadingAtPath: url.path)
    else { return }
    let head = (try? file.read(upToCount: 16)) ?? Data()
    try? file.close()
    if head.isEmpty { return }
    if type == NSSQLiteStoreType, head.starts(with: Data("SQLite format 3".utf8)) {
      misuse("a store that Apple's Core Data has written, \(url.path), is opened: not simulated")
    }
    throw state.cocoa(
      CocoaError.fileReadCorruptFile.rawValue, "the file \(url.path) is no store",
      [NSFilePathErrorKey: url.path])
  }

  /// Where a resource is. A compiled model stands beside its source, from which it is read.
  public static func url(
    of name: String?, _ type: String?, in bundle: Bundle, caller: String
  ) -> URL? {
    if let url = bundle.url(forResource: name, withExtension: type) { return url }
    guard let name, type == "momd" || type == "mom" else { return nil }
    return model(named: name, in: bundle, caller: caller)?.deletingPathExtension()
      .appendingPathExtension("momd")
  }

  /// Likewise, in a folder of the bundle: a version of a compiled model is one of its source.
  public static func url(
    of name: String?, _ type: String?, _ folder: String?, in bundle: Bundle, caller: String
  ) -> URL? {
    if let url = bundle.url(forResource: name, withExtension: type, subdirectory: folder) {
      return url
    }
    guard let name, let folder, folder.hasSuffix(".momd"), type == "mom" || type == "omo" else {
      return folder == nil ? url(of: name, type, in: bundle, caller: caller) : nil
    }
    return model(named: String(folder.dropLast(".momd".count)), in: bundle, caller: caller)?
      .deletingPathExtension().appendingPathExtension("momd").appendingPathComponent("\(name).mom")
  }

  /// Where the resources of a type are, as Apple's Foundation answers it.
  public static func urls(_ type: String?, _ subdirectory: String?, in bundle: Bundle) -> [URL]? {
    bundle.urls(forResourcesWithExtension: type, subdirectory: subdirectory)?.map { $0 as URL }
  }

  /// The source of a model: among the resources of the bundle, or near the file of the caller.
  static func model(named name: String, in bundle: Bundle, caller: String) -> URL? {
    for type in ["xcdatamodeld", "xcdatamodel"] {
      if let url = bundle.url(forResource: name, withExtension: type) { return url }
    }
    return ModelFileCache.place(of: name, near: caller)
  }

  /// The models below the folder of `caller`, or below one around it up to the package: those of
  /// the nearest folder that has any whose name is meant.
  static func models(near caller: String, _ isMeant: (String) -> Bool) -> [URL] {
    var folder = URL(fileURLWithPath: caller)
    for _ in 0..<12 where folder.path != "/" {
      folder = folder.deletingLastPathComponent()
      let found = models(below: folder).filter {
        isMeant($0.deletingPathExtension().lastPathComponent)
      }
      if !found.isEmpty { return found }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      if names.contains(where: { $0 == "Package.swift" || $0.hasSuffix(".xcodeproj") }) { break }
    }
    return []
  }

  private static func models(below folder: URL) -> [URL] {
    guard
      let items = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    else { return [] }
    var urls: [URL] = []
    for case let url as URL in items {
      guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) else { continue }
      urls.append(url)
      items.skipDescendants()
    }
    return urls.sorted { $0.path < $1.path }
  }
}
