import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// The history of changes to stores.
extension RunState {
  /// A save of a root context, or a batch request.
  struct HistoryEntry {
    let stores: [StoreID]
    let number: Int
    let sets: ChangeSets
    let author: String?
    let contextName: String?
    let date: Date
    let details: ChangeDetails
    /// A Boolean value that indicates whether the app has deleted the entry. Tokens still count it.
    var isForgotten = false
  }

  /// Details of changes that history keeps besides the IDs.
  struct ChangeDetails {
    /// The names of the changed properties.
    var updated: [ObjectID: [String]] = [:]
    /// The values kept from deleted objects, indexed by attribute name.
    var tombstones: [ObjectID: [AnyHashable: Any]] = [:]
  }

  /// Records the IDs of a batch result or DidSave, by which code refers to it.
  func noteRemote(_ sets: ChangeSets, number: Int) {
    remote.append((Set(sets.inserted + sets.updated + sets.deleted), number))
  }

  /// Records a change to stores in the history, and announces it on a separate queue.
  func noteHistory(
    _ sets: ChangeSets, number: Int, by id: ContextID, _ details: ChangeDetails = ChangeDetails()
  ) {
    guard let context = context(id), let coordinator = context.persistentStoreCoordinator
    else { return }
    let written = Set((sets.inserted + sets.updated + sets.deleted).compactMap(\.store))
    let stores = coordinator.persistentStores.map(\.id).filter(written.contains)
    if stores.isEmpty { return }
    history.append(
      HistoryEntry(
        stores: stores, number: number, sets: sets, author: context.transactionAuthor,
        contextName: context.name, date: SimulatedValues.date, details: details))
    for other in coordinators.compactMap(\.object) {
      for store in other.persistentStores where stores.contains(store.id) {
        announce(store, of: other)
      }
    }
  }

  /// Notifies the observers of a coordinator that one of its stores has changed, no matter which
  /// coordinator changed it.
  private func announce(
    _ store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator
  ) {
    guard notificationCenter.hasObservers(of: .NSPersistentStoreRemoteChange, from: coordinator)
    else { return }
    let token = NSPersistentHistoryToken(history.count)
    run.enqueueFollowUp(on: run.makeQueue()) { [notificationCenter] in
      notificationCenter.post(
        name: .NSPersistentStoreRemoteChange, object: coordinator,
        userInfo: [
          NSPersistentHistoryTokenKey: token,
          NSStoreUUIDKey: store.identifier as Any,
          NSPersistentStoreURLKey: store.url as Any,
        ])
    }
  }

  /// Returns the number of the DidSave that `changes` names. Without a name, returns the latest
  /// batch result or DidSave with exactly the same IDs or objects.
  func remoteNumber(of changes: [AnyHashable: Any]) -> Int? {
    if let number = changes[didSaveNumberKey] as? Int { return number }
    var ids: Set<ObjectID> = []
    for value in changes.values {
      for item in (value as? [Any]) ?? (value as? NSSet)?.allObjects
        ?? (value as? Set<AnyHashable>).map({ Array($0) as [Any] }) ?? []
      {
        let base = (item as? AnyHashable)?.base ?? item
        if let id = base as? NSManagedObjectID { ids.insert(id.id) }
        if let object = base as? NSManagedObject { ids.insert(object.objectID.id) }
      }
    }
    return remote.last { $0.ids == ids }?.number
  }
}
