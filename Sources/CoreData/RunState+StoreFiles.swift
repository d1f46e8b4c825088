import Foundation

/// Files of stores that code moves and copies itself.
extension RunState {
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
