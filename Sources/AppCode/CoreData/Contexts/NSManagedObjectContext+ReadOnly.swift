import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Read-only stores.
extension NSManagedObjectContext {
  private var readOnlyStores: [NSPersistentStore] {
    guard parent == nil else { return [] }
    return persistentStoreCoordinator?.persistentStores.filter(\.isReadOnly) ?? []
  }

  /// Throws an error if the running save would write to a read-only store.
  func checkReadOnlyStores() throws {
    let closed = Set(readOnlyStores.map(\.id))
    guard !closed.isEmpty else { return }
    let written = run.read { graph in
      graph.view(of: id).filter { $0.isInserted || $0.isUpdated || $0.isDeleted }.map(\.id)
    }
    for object in written {
      guard let store = run.read({ $0.store(for: object, in: id) }), closed.contains(store)
      else {
        continue
      }
      if object.isTemporaryID, run.read({ $0.takers(of: object.entity, for: id) }).count > 1 {
        misuse(
          "a new object can go to a read-only store or to another store: call assign(_:to:)")
      }
      throw state.readOnlyError([self.object(for: object)])
    }
  }

  /// Throws an error if a batch request would write to a read-only store.
  func checkReadOnlyStores(of request: BatchRequest) throws {
    let closed = readOnlyStores.map(\.id)
    guard !closed.isEmpty else { return }
    let takers = run.read { $0.takers(of: request.entity, for: id) }
      .filter { request.affectedStores?.contains($0) ?? true }
    if takers.contains(where: closed.contains) { throw state.readOnlyError([]) }
  }
}

extension RunState {
  fileprivate func readOnlyError(_ objects: [NSManagedObject]) -> NSError {
    cocoa(
      CocoaError.fileWriteNoPermission.rawValue, "the store is read-only",
      objects.isEmpty ? [:] : [NSAffectedObjectsErrorKey: objects])
  }
}
