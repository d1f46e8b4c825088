import Foundation

/// Handles store files that the app moves, copies or removes itself.
extension RunState {
  /// The files that the stores would have on disk.
  var storeFiles: [String] {
    stores.flatMap { store -> [String] in
      guard let path = store.fileURL?.path, !store.isRemovedFromDisk || store.leavesFile else {
        return []
      }
      return store.type == NSSQLiteStoreType ? [path, path + "-wal", path + "-shm"] : [path]
    }
  }

  /// Drops the rows of a store whose file is removed, so that a new store takes its place. The
  /// removal of a file beside the store has no effect.
  func removeStoreFile(_ path: String) {
    for store in stores where store.fileURL?.path == path {
      (store.isRemovedFromDisk, store.leavesFile) = (true, false)
    }
  }

  /// Changes the URL of a closed store. The files beside its file also count as moved.
  func moveStoreFile(_ from: String, to: String) throws {
    guard let store = closedStore(from, "moveItem") else { return }
    try checkIsFree(to)
    store.url = URL(fileURLWithPath: to)
  }

  /// Makes a new store with the rows of a closed store.
  func copyStoreFile(_ from: String, to: String, named method: String) throws {
    guard let store = closedStore(from, method) else { return }
    try checkIsFree(to)
    guard let model = store.model else { return }
    try NSPersistentStoreCoordinator(managedObjectModel: model)
      .makeCopy(of: store, at: URL(fileURLWithPath: to), type: store.type, options: store.options)
  }

  /// Returns the store whose file has the path, or nil for a file beside it. Traps if a coordinator
  /// has the store open.
  private func closedStore(_ path: String, _ method: String) -> NSPersistentStore? {
    let store = stores.last {
      $0.fileURL?.path == path && (!$0.isRemovedFromDisk || $0.leavesFile)
    }
    if store?.persistentStoreCoordinator != nil {
      misuse(
        "FileManager.\(method) is called for the file of an open store, \(path): first remove the store "
          + "from its coordinator, or use replacePersistentStore")
    }
    return store
  }

  private func checkIsFree(_ path: String) throws {
    if storeFiles.contains(path) || FileManager.default.fileExists(atPath: path) {
      throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: path])
    }
  }
}
