public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Key of a notification's objects (NT-01).
public let NSInsertedObjectsKey = "inserted"
/// Key of a notification's objects.
public let NSUpdatedObjectsKey = "updated"
/// Key of a notification's objects.
public let NSDeletedObjectsKey = "deleted"
/// Key of a notification's objects.
public let NSRefreshedObjectsKey = "refreshed"
/// Key of a notification's objects.
public let NSInvalidatedObjectsKey = "invalidated"
/// Key of a notification after a reset: IDs.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"

extension Notification.Name {
  /// A context has processed changes (CT-11).
  public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// A context is about to save.
  public static let NSManagedObjectContextWillSave = Notification.Name(
    "NSManagingContextWillSaveChangesNotification")
  /// A context has saved: its `userInfo` holds the objects.
  public static let NSManagedObjectContextDidSave = Notification.Name(
    "NSManagingContextDidSaveChangesNotification")
  /// As `NSManagedObjectContextDidSave`, with object IDs (NT-04).
  public static let NSManagedObjectContextDidSaveObjectIDs = Notification.Name(
    "NSManagedObjectContextDidSaveObjectIDsNotification")
  /// A context has merged what another one saved: object IDs (NT-04).
  public static let NSManagedObjectContextDidMergeChangesObjectIDs = Notification.Name(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}

extension NSManagedObjectContext {
  /// `NSManagedObjectContextDidSave`, by its present name.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  /// `NSManagedObjectContextWillSave`, by its present name.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// `NSManagedObjectContextObjectsDidChange`, by its present name.
  public static let didChangeObjectsNotification = Notification.Name
    .NSManagedObjectContextObjectsDidChange
  /// `NSManagedObjectContextDidSaveObjectIDs`, by its present name.
  public static let didSaveObjectIDsNotification = Notification.Name
    .NSManagedObjectContextDidSaveObjectIDs
  /// `NSManagedObjectContextDidMergeChangesObjectIDs`, by its present name.
  public static let didMergeChangesObjectIDsNotification = Notification.Name
    .NSManagedObjectContextDidMergeChangesObjectIDs
}

extension NSManagedObjectContext {
  /// The keys of a notification's user info.
  public enum NotificationKey: String, Sendable {
    /// The context that has saved.
    case sourceContext = "managedObjectContext"
    /// The query generation that a save to stores of SQLite has begun.
    case queryGeneration = "newQueryGeneration"
    /// IDs after a reset.
    case invalidatedAllObjects = "invalidatedAll"
    /// Objects.
    case insertedObjects = "inserted"
    /// Objects.
    case updatedObjects = "updated"
    /// Objects.
    case deletedObjects = "deleted"
    /// Objects.
    case refreshedObjects = "refreshed"
    /// Objects.
    case invalidatedObjects = "invalidated"
    /// IDs, in `didSaveObjectIDsNotification`.
    case insertedObjectIDs = "inserted_objectIDs"
    /// Likewise.
    case updatedObjectIDs = "updated_objectIDs"
    /// Likewise.
    case deletedObjectIDs = "deleted_objectIDs"
    /// Likewise.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// Likewise.
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }
}

/// Key of the IDs of a DidSave of IDs.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// Key of the IDs of a DidSave of IDs.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// Key of the IDs of a DidSave of IDs.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// Key of the IDs of a DidSave of IDs.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// Key of the IDs of a DidSave of IDs.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

extension Event {
  var notificationName: Notification.Name? {
    switch self {
    case .objectsDidChange: .NSManagedObjectContextObjectsDidChange
    case .contextWillSave: .NSManagedObjectContextWillSave
    case .didSave: .NSManagedObjectContextDidSave
    case .didSaveObjectIDs: .NSManagedObjectContextDidSaveObjectIDs
    case .didMergeChanges: .NSManagedObjectContextDidMergeChangesObjectIDs
    default: nil
    }
  }
}

/// Where a notification says which DidSave of the run it is.
let didSaveNumberKey = "FaultlineDidSaveNumber"

extension NSManagedObjectContext {
  func post(_ event: Event) {
    guard let name = event.notificationName else { return }
    var userInfo: [AnyHashable: Any] = [:]
    switch event {
    case .objectsDidChange(_, let sets): userInfo = objects(of: sets)
    case .didSave(_, let sets, let number):
      userInfo = objects(of: sets)
      userInfo[didSaveNumberKey] = number
      addPoint(of: number, to: &userInfo)
    case .didSaveObjectIDs(_, let sets, let number):
      userInfo = [
        "inserted_objectIDs": ids(sets.inserted), "updated_objectIDs": ids(sets.updated),
        "deleted_objectIDs": ids(sets.deleted), didSaveNumberKey: number,
      ]
    case .didMergeChanges(_, let sets):
      for (key, changed) in [
        (NSInsertedObjectIDsKey, sets.inserted), (NSUpdatedObjectIDsKey, sets.updated),
        (NSDeletedObjectIDsKey, sets.deleted), (NSRefreshedObjectIDsKey, sets.refreshed),
      ] where !changed.isEmpty {
        userInfo[key] = ids(changed)
      }
    default: break
    }
    SimulatedNotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }

  /// Adds the point in history that a save to stores has reached, if a store tracks history, and
  /// the query generation, if a store has generations.
  private func addPoint(of number: Int, to userInfo: inout [AnyHashable: Any]) {
    guard parent == nil, let position = state.history.lastIndex(where: { $0.number == number })
    else { return }
    let written = state.history[position].stores.map { state.stores[$0.index] }
    if written.contains(where: { $0.options?[NSPersistentHistoryTrackingKey] as? Bool == true }) {
      userInfo[NSPersistentHistoryTokenKey] = NSPersistentHistoryToken(position + 1)
    }
    if written.contains(where: \.hasGenerations) {
      userInfo[NotificationKey.queryGeneration.rawValue] = NSQueryGenerationToken()
    }
  }

  private func objects(of sets: ChangeSets) -> [AnyHashable: Any] {
    var userInfo: [AnyHashable: Any] = [:]
    for (key, ids) in [
      (NSInsertedObjectsKey, sets.inserted), (NSUpdatedObjectsKey, sets.updated),
      (NSDeletedObjectsKey, sets.deleted), (NSRefreshedObjectsKey, sets.refreshed),
    ] where !ids.isEmpty {
      userInfo[key] = Set(ids.map { noted($0) })
    }
    if !sets.invalidatedAll.isEmpty {
      userInfo[NSInvalidatedAllObjectsKey] = sets.invalidatedAll.map {
        NSManagedObjectID($0, state)
      }
    }
    return userInfo
  }

  /// The instance that a notification or a list has. One that has left the context is still that
  /// instance for code that holds it: a look-up by its ID would register another.
  func noted(_ id: ObjectID) -> NSManagedObject {
    if run.read({ $0.registeredID(id, in: self.id) }) == nil, let known = instances[id] {
      run.keepAlive(known)
      return known
    }
    return object(for: id)
  }

  private func ids(_ ids: [ObjectID]) -> Set<NSManagedObjectID> {
    Set(ids.map { NSManagedObjectID($0, state) })
  }
}
