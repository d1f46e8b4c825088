public import Foundation
import LiveCode

/// Simulates the files that code expects: those of the run's stores, which are in memory, and
/// compiled models, which do not exist on Linux. In a prepared module, `FileManager` and `Bundle`
/// call this type.
public enum SimulatedFiles {
  /// Returns whether a file exists: of a store of the run, of a compiled model, or on disk.
  public static func exist(at path: String, _ manager: FileManager) -> Bool {
    // A store at /dev/null, or below it, has no file.
    if path.hasPrefix("/dev/null/") { return false }
    return RunState.ifRunning?.storeFiles.contains(path) == true
      || manager.fileExists(atPath: path) || isCompiledModel(path)
  }

  /// Returns whether a file exists, and sets `isDirectory` if it is a folder.
  public static func exist(
    at path: String, _ isDirectory: UnsafeMutablePointer<ObjCBool>?, _ manager: FileManager
  ) -> Bool {
    if unsafe manager.fileExists(atPath: path, isDirectory: isDirectory) { return true }
    guard exist(at: path, manager) else { return false }
    unsafe isDirectory?.pointee = ObjCBool(path.hasSuffix(".momd"))
    return true
  }

  /// Returns the folders of a kind. Foundation on Linux does not know the user's library folder, so
  /// this method adds it.
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

  /// Removes the file of a store of the run, or a file on disk. A store that is added there later
  /// begins empty. /dev/null is never removed, even if the tests run as root.
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

  /// Copies a file on disk, or the file of a store of the run. The copy of a store has its rows. A
  /// coordinator must not have the store open. Files beside a store's file also count as copied.
  public static func copy(_ from: String, to: String, _ manager: FileManager) throws {
    guard let state = RunState.ifRunning, state.storeFiles.contains(from) else {
      return try manager.copyItem(atPath: from, toPath: to)
    }
    try state.copyStoreFile(from, to: to, named: "copyItem")
  }

  /// Moves the file of a store that no coordinator has open, or a file on disk.
  public static func move(_ from: String, to: String, _ manager: FileManager) throws {
    guard let state = RunState.ifRunning, state.storeFiles.contains(from) else {
      return try manager.moveItem(atPath: from, toPath: to)
    }
    try state.moveStoreFile(from, to: to)
  }

  /// Throws an error if a store cannot be opened at a URL.
  ///
  /// This is the case if the known store has another type, or if the app has written a file there.
  /// Files of stores are in memory, and an empty file counts as a new store. Traps for a store that
  /// Apple's Core Data has written.
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
      misuse("opening a store written by Apple's Core Data is not simulated: \(url.path)")
    }
    throw state.cocoa(
      CocoaError.fileReadCorruptFile.rawValue, "the file \(url.path) is not a store",
      [NSFilePathErrorKey: url.path])
  }
}

extension FileManager {
  /// Returns the folder that the apps of a group share. As on a Mac, it exists for any name. Files
  /// in it that do not belong to a store of the run are on disk.
  public func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? {
    homeDirectoryForCurrentUser.appendingPathComponent("Library/Group Containers/\(group)")
  }

  /// Always nil, because no iCloud account exists.
  public var ubiquityIdentityToken: (any NSCoding & NSCopying & NSObjectProtocol)? { nil }
}
