import Foundation

/// Files of stores that code moves and copies itself.
extension RunState {
  /// The files that open stores would have on disk.
  var storeFiles: [String] {
    stores.flatMap { store -> [String] in
      guard let path = store.fileURL?.path, !store.isRemovedFromDisk || store.leavesFile else {
        return []
      }
      return store.type == NSSQLiteStoreType ? [path, path + "-wal", path + "-shm"] : [path]
    }
  }

  /// The rows are gone with the file, and another store takes its place; the files beside it say
  /// nothing.
  func removeStoreFile(_ path: String) {
    for store in stores where store.fileURL?.path == path {
      (store.isRemovedFromDisk, store.leavesFile) = (true, false)
    }
  }

  /// Has a closed store be somewhere else. The files beside it go with it, whether they are moved
  /// or not.
  func moveStoreFile(_ from: String, to: String) throws {
    guard let store = closedStore(from, "moveItem") else { return }
    try checkIsFree(to)
    store.url = URL(fileURLWithPath: to)
  }

  /// Has another store have the rows of a closed one.
  func copyStoreFile(_ from: String, to: String, named method: String) throws {
    guard let store = closedStore(from, method) else { return }
    try checkIsFree(to)
    guard let model = store.model else { return }
    try NSPersistentStoreCoordinator(managedObjectModel: model)
      .makeCopy(of: store, at: URL(fileURLWithPath: to), type: store.type, options: store.options)
  }

  /// The store of a file; nil of a file beside one.
  private func closedStore(_ path: String, _ method: String) -> NSPersistentStore? {
    let store = stores.last {
      $0.fileURL?.path == path && (!$0.isRemovedFromDisk || $0.leavesFile)
    }
    if store?.persistentStoreCoordinator != nil {
      misuse(
        "FileManager.\(method) of the file of a store that a coordinator has open, \(path): remove "
          + "it from the coordinator before, or use replacePersistentStore")
    }
    return store
  }

  private func checkIsFree(_ path: String) throws {
    if storeFiles.contains(path) || FileManager.default.fileExists(atPath: path) {
      throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: path])
    }
  }
}
