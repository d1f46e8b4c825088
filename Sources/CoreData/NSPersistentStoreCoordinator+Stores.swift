public import Foundation

/// Key of a coordinator's notification: the stores that were added.
public let NSAddedPersistentStoresKey = "added"
/// Key of a coordinator's notification: the stores that were removed.
public let NSRemovedPersistentStoresKey = "removed"
/// Key of a coordinator's notification: never there.
public let NSUUIDChangedPersistentStoresKey = "changed"

extension Notification.Name {
  /// Never posted: nothing is synchronised.
  public static let NSPersistentStoreCoordinatorStoresWillChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresWillChangeNotification")
  /// A coordinator has opened or closed stores.
  public static let NSPersistentStoreCoordinatorStoresDidChange = Notification.Name(
    "_NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// A coordinator is about to close a store, which is the notification's object.
  public static let NSPersistentStoreCoordinatorWillRemoveStore = Notification.Name(
    "_NSPersistentStoreCoordinatorWillRemoveStoreNotification")
  /// Never posted: nothing is synchronised.
  @available(*, deprecated, message: "Core Data with iCloud documents has gone")
  public static let NSPersistentStoreDidImportUbiquitousContentChanges = Notification.Name(
    "com.apple.coredata.ubiquity.importer.didfinishimport")
}

extension NSPersistentStoreCoordinator {
  /// Throws if there is no store of a type, or if the model has no configuration of a name.
  func check(_ type: String, _ configuration: String?) throws {
    let types = [NSSQLiteStoreType, NSBinaryStoreType, NSInMemoryStoreType, NSXMLStoreType]
    guard types.contains(type) else {
      throw state.cocoa(
        NSPersistentStoreInvalidTypeError, "there is no store of type '\(type)'")
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

  /// Carries out a request in a context of the coordinator.
  public func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
  ) throws -> Any {
    try context.execute(request)
  }

  /// Has a store be somewhere else; of no effect but on its URL.
  @discardableResult
  public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    store.url = url
    return true
  }

  /// What is known of the store at a URL. Throws if the run has had none there.
  public class func metadataForPersistentStore(
    type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
  }

  /// Sets what is known of the store at a URL. Throws if the run has had none there.
  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType type: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    _ = try metadataForPersistentStore(ofType: type, at: url, options: options)
    RunState.current.store(at: url)?.write(metadata ?? [:], in: RunState.current)
  }

  /// Likewise.
  public class func setMetadata(
    _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
  }
}
