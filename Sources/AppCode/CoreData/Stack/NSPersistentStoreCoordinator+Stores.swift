public import Foundation

/// User info key of a coordinator's notification: the added stores.
public let NSAddedPersistentStoresKey = "added"
/// User info key of a coordinator's notification: the removed stores.
public let NSRemovedPersistentStoresKey = "removed"
/// User info key of a coordinator's notification. It is never present.
public let NSUUIDChangedPersistentStoresKey = "changed"

extension Notification.Name {
  /// Never posted, because nothing is synchronized.
  public static let NSPersistentStoreCoordinatorStoresWillChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// Posted after a coordinator has opened or closed stores.
  public static let NSPersistentStoreCoordinatorStoresDidChange = Notification.Name(
    "_NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// Posted before a coordinator closes a store, which is the notification's object.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = Notification.Name(
    "_NSPersistentStoreCoordinatorWillRemoveStoreNotification")
  /// Never posted, because nothing is synchronized.
  @available(*, deprecated, message: "Core Data no longer supports iCloud documents")
  public static let NSPersistentStoreDidImportUbiquitousContentChanges = Notification.Name(
    "com.apple.coredata.ubiquity.importer.didfinishimport")
}

extension NSPersistentStoreCoordinator {
  /// Throws an error if the store type is unknown or the model lacks the configuration.
  func check(_ type: String, _ configuration: String?) throws {
    let types = [NSSQLiteStoreType, NSBinaryStoreType, NSInMemoryStoreType, NSXMLStoreType]
    guard types.contains(type) else {
      throw state.cocoa(
        NSPersistentStoreInvalidTypeError, "no store type is named '\(type)'")
    }
    checkComposites(type, configuration)
    if managedObjectModel.entities(forConfigurationName: configuration) == nil {
      let reason = "the model has no configuration '\(configuration ?? "")'"
      throw state.cocoa(NSCoreDataError, reason, [NSLocalizedFailureReasonErrorKey: reason])
    }
  }

  func post(_ name: Notification.Name, _ userInfo: [AnyHashable: Any]) {
    state.notificationCenter.post(name: name, object: self, userInfo: userInfo)
  }

  /// Executes a request in a context of the coordinator.
  public func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
  ) throws -> Any {
    try context.execute(request)
  }

  /// Changes the `url` of a store. It has no other effect.
  @discardableResult
  public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    store.url = url
    return true
  }

  /// Returns the metadata of the store at a URL. Throws an error if the run has no store there.
  public class func metadataForPersistentStore(
    type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
  }

  /// Sets the metadata of the store at a URL. Throws an error if the run has no store there.
  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType type: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    _ = try metadataForPersistentStore(ofType: type, at: url, options: options)
    RunState.current.store(at: url)?.write(metadata ?? [:], in: RunState.current)
  }

  /// Sets the metadata of the store at a URL. Throws an error if the run has no store there.
  public class func setMetadata(
    _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
  }
}
