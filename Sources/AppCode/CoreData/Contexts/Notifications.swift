public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// User info key of the inserted objects (NT-01).
public let NSInsertedObjectsKey = "inserted"
/// User info key of the updated objects.
public let NSUpdatedObjectsKey = "updated"
/// User info key of the deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// User info key of the refreshed objects.
public let NSRefreshedObjectsKey = "refreshed"
/// User info key of the invalidated objects.
public let NSInvalidatedObjectsKey = "invalidated"
/// User info key of the IDs of objects that a reset invalidated.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"

extension Notification.Name {
  /// Posted after a context has processed changes (CT-11).
  public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// Posted before a context saves.
  public static let NSManagedObjectContextWillSave = Notification.Name(
    "NSManagingContextWillSaveChangesNotification")
  /// Posted after a context has saved. The `userInfo` holds the objects.
  public static let NSManagedObjectContextDidSave = Notification.Name(
    "NSManagingContextDidSaveChangesNotification")
  /// Posted like `NSManagedObjectContextDidSave`, but with object IDs (NT-04).
  public static let NSManagedObjectContextDidSaveObjectIDs = Notification.Name(
    "NSManagedObjectContextDidSaveObjectIDsNotification")
  /// Posted after a context has merged the changes of another context, with object IDs (NT-04).
  public static let NSManagedObjectContextDidMergeChangesObjectIDs = Notification.Name(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}

extension NSManagedObjectContext {
  /// The newer name of `NSManagedObjectContextDidSave`.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  /// The newer name of `NSManagedObjectContextWillSave`.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// The newer name of `NSManagedObjectContextObjectsDidChange`.
  public static let didChangeObjectsNotification = Notification.Name
    .NSManagedObjectContextObjectsDidChange
  /// The newer name of `NSManagedObjectContextDidSaveObjectIDs`.
  public static let didSaveObjectIDsNotification = Notification.Name
    .NSManagedObjectContextDidSaveObjectIDs
  /// The newer name of `NSManagedObjectContextDidMergeChangesObjectIDs`.
  public static let didMergeChangesObjectIDsNotification = Notification.Name
    .NSManagedObjectContextDidMergeChangesObjectIDs
}

extension NSManagedObjectContext {
  /// The keys of a notification's user info.
  public enum NotificationKey: String, Sendable {
    /// The context that saved.
    case sourceContext = "managedObjectContext"
    /// The query generation that a save to SQLite stores began.
    case queryGeneration = "newQueryGeneration"
    /// The IDs of objects that a reset invalidated.
    case invalidatedAllObjects = "invalidatedAll"
    /// The inserted objects.
    case insertedObjects = "inserted"
    /// The updated objects.
    case updatedObjects = "updated"
    /// The deleted objects.
    case deletedObjects = "deleted"
    /// The refreshed objects.
    case refreshedObjects = "refreshed"
    /// The invalidated objects.
    case invalidatedObjects = "invalidated"
    /// The IDs of inserted objects, in `didSaveObjectIDsNotification`.
    case insertedObjectIDs = "inserted_objectIDs"
    /// The IDs of updated objects.
    case updatedObjectIDs = "updated_objectIDs"
    /// The IDs of deleted objects.
    case deletedObjectIDs = "deleted_objectIDs"
    /// The IDs of refreshed objects.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// The IDs of invalidated objects.
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }
}

/// User info key of the inserted objects' IDs in a DidSave notification of IDs.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// User info key of the updated objects' IDs in a DidSave notification of IDs.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// User info key of the deleted objects' IDs in a DidSave notification of IDs.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// User info key of the refreshed objects' IDs in a DidSave notification of IDs.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// User info key of the invalidated objects' IDs in a DidSave notification of IDs.
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

/// User info key of the number by which the run identifies a DidSave notification.
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

  /// Adds the history token if a written store tracks history. Adds the query generation if a
  /// written store has generations.
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

  /// Returns the instance for an ID in a notification or a list. If an instance that the app holds
  /// has left the context, returns that instance. A look-up by its ID would register another one.
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
