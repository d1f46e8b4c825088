public import Foundation
import ObjectModel

/// Store type of a file that other processes could open. Rows outlive the removal of the store.
/// Within the run, a store that is added at the same URL has them again.
public let NSSQLiteStoreType = "SQLite"
/// Store type that the simulation treats as `NSSQLiteStoreType`.
public let NSBinaryStoreType = "Binary"
/// Store type that the simulation treats as `NSSQLiteStoreType`.
public let NSXMLStoreType = "XML"
/// Store type whose rows disappear with the store (PS-06).
public let NSInMemoryStoreType = "InMemory"
/// Store option: whether to migrate a store of another model version when it is opened. Without it,
/// opening such a store fails.
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
/// Store option: whether to infer a mapping model when the app provides none.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Store option: whether the store is read-only. A save that would write to it throws an error.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Store option without effect.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Store option without effect.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Store option without effect.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Store option: the seconds to wait for a busy store. This option has no effect, because no store
/// is ever busy.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Option for destroying or replacing a store. This option has no effect, as no other process has
/// the store open.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// Store option: when the file can be read. This option has no effect.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// Key of a store's metadata: the version hashes, indexed by entity name.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// Key of a store's metadata: an array with the identifiers of its model version.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// Key of a store's metadata: the unique identifier of the store.
public let NSStoreUUIDKey = "NSStoreUUID"
/// Key of a store's metadata: the store type.
public let NSStoreTypeKey = "NSStoreType"

/// A store that a coordinator has opened.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  /// The store type, such as `NSSQLiteStoreType`.
  public let type: String
  /// The URL of the store, or nil for a store in memory.
  open var url: URL?
  /// The configuration whose entities the store accepts.
  public let configurationName: String
  /// The options with which the store was opened.
  public let options: [AnyHashable: Any]?
  /// The coordinator that has the store open.
  open internal(set) weak var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  /// The unique identifier of the store.
  open internal(set) var identifier: String!

  /// The metadata of the store: type, identifier, and the versions of its entities.
  open var metadata: [String: Any]! {
    get { ownMetadata }
    set {
      guard let coordinator = persistentStoreCoordinator else { return ownMetadata = newValue }
      coordinator.setMetadata(newValue, for: self)
    }
  }
  var ownMetadata: [String: Any]!
  /// The metadata when the store was opened. The store keeps it until a save writes other metadata.
  var firstMetadata: [String: Any] = [:]

  let id: StoreID
  /// The model with which the store was opened last.
  var model: NSManagedObjectModel?
  /// A Boolean value that indicates whether the store's rows were removed. A store that is added at
  /// the URL later is a different store.
  var isRemovedFromDisk = false
  /// A Boolean value that indicates whether an empty file remains, as after the destruction of a
  /// store.
  var leavesFile = false
  /// The URL of the store's file, or nil for a store in memory.
  var fileURL: URL? { type == NSInMemoryStoreType || url?.path == "/dev/null" ? nil : url }

  init(
    type: String, url: URL?, configuration: String?, options: [AnyHashable: Any]?, _ id: StoreID
  ) {
    self.type = type
    self.url = url
    configurationName = configuration ?? "PF_DEFAULT_CONFIGURATION_NAME"
    self.options = options
    self.id = id
    let number = String(id.index, radix: 16, uppercase: true)
    let identifier =
      "FA02FA02-FA02-4000-8000-" + String(repeating: "0", count: 12 - number.count) + number
    self.identifier = identifier
    ownMetadata = [NSStoreTypeKey: type, NSStoreUUIDKey: identifier]
  }

  /// Returns a new store object for the same rows.
  func reopened(
    _ options: [AnyHashable: Any]?, configuration: String? = nil, in state: RunState
  ) -> NSPersistentStore {
    let store = NSPersistentStore(
      type: type, url: url, configuration: configuration ?? configurationName, options: options, id)
    store.metadata = writtenMetadata(in: state)
    return store
  }

  /// The type of a store.
  public struct StoreType: Hashable, Sendable {
    /// The name of the type.
    public let rawValue: String
    /// Creates a type from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The type `NSSQLiteStoreType`.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    /// The type `NSBinaryStoreType`.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)
    /// The type `NSInMemoryStoreType`.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
  }

  /// A Boolean value that indicates whether the store was opened as read-only.
  open var isReadOnly: Bool { options?[NSReadOnlyPersistentStoreOption] as? Bool ?? false }
}
