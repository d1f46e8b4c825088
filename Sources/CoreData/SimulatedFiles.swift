public import Foundation
import LiveCode

/// The files that code believes to find: those of the run's stores, which are in memory, and the
/// models that no compiler makes on Linux. In a prepared module `FileManager` and `Bundle` ask
/// here.
public enum SimulatedFiles {
  /// A Boolean value that indicates whether a file exists: of a store of the run, of a compiled
  /// model, or on disk.
  public static func exist(at path: String, _ manager: FileManager) -> Bool {
    // A store at /dev/null, or below, has no file.
    if path.hasPrefix("/dev/null/") { return false }
    return RunState.ifRunning?.storeFiles.contains(path) == true
      || manager.fileExists(atPath: path) || isCompiledModel(path)
  }

  /// The same, and whether it is a folder.
  public static func exist(
    at path: String, _ isDirectory: UnsafeMutablePointer<ObjCBool>?, _ manager: FileManager
  ) -> Bool {
    if unsafe manager.fileExists(atPath: path, isDirectory: isDirectory) { return true }
    guard exist(at: path, manager) else { return false }
    unsafe isDirectory?.pointee = ObjCBool(path.hasSuffix(".momd"))
    return true
  }

  /// The folders of a kind. Foundation knows no library of the user on Linux.
  public static func folders(
    _ directory: FileManager.SearchPathDirectory, _ mask: FileManager.SearchPathDomainMask,
    _ manager: FileManager
  ) -> [URL] {
    let known = manager.urls(for: directory, in: mask)
    guard known.isEmpty, directory == .libraryDirectory, mask.contains(.userDomainMask) else {
      return known
    }
    return [URL.homeDirectory.appendingPathComponent("Library", isDirectory: true)]
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

  /// Copies a file: of a store that no coordinator has open, which another then has the rows of, or
  /// on disk. Files beside a store's go with it.
  public static func copy(_ from: String, to: String, _ manager: FileManager) throws {
    guard let state = RunState.ifRunning, state.storeFiles.contains(from) else {
      return try manager.copyItem(atPath: from, toPath: to)
    }
    try state.copyStoreFile(from, to: to, named: "copyItem")
  }

  /// Moves a file: of a store that no coordinator has open, or on disk.
  public static func move(_ from: String, to: String, _ manager: FileManager) throws {
    guard let state = RunState.ifRunning, state.storeFiles.contains(from) else {
      return try manager.moveItem(atPath: from, toPath: to)
    }
    try state.moveStoreFile(from, to: to)
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
}

extension FileManager {
  /// The folder that the apps of a group share, as on a Mac: it is there for any name. What is not
  /// a store of the run is on disk.
  public func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? {
    homeDirectoryForCurrentUser.appendingPathComponent("Library/Group Containers/\(group)")
  }

  /// Nil: no account of iCloud is there.
  public var ubiquityIdentityToken: (any NSCoding & NSCopying & NSObjectProtocol)? { nil }
}
