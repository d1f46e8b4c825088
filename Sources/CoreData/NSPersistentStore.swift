public import Foundation
import ObjectModel

/// A store in a file that other processes could open. Rows stay when it is removed, and are there
/// again for a store of the same URL within the run.
public let NSSQLiteStoreType = "SQLite"
/// As `NSSQLiteStoreType` here.
public let NSBinaryStoreType = "Binary"
/// As `NSSQLiteStoreType` here.
public let NSXMLStoreType = "XML"
/// A store whose rows go with it (PS-06).
public let NSInMemoryStoreType = "InMemory"
/// Option of stores: whether one of another version of the model is migrated when it is opened;
/// otherwise opening it fails.
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
/// Option of stores: whether a migration finds out itself what becomes of what, where no mapping
/// model of the app says it.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Option of stores: nothing is written to them, and a save that would throws.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option of stores; of no effect.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Option of stores; of no effect.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Option of stores; of no effect.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Option of stores: how many seconds a store that is busy is waited for; of no effect: stores are
/// never busy.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Option of a store that is destroyed or replaced; of no effect: nothing else has it open.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// Option: when the file can be read; of no effect.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// Key of a store's metadata: a number for each entity's version, by name.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// Key of a store's metadata: the names of its model's version, as an array.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// Key of a store's metadata.
public let NSStoreUUIDKey = "NSStoreUUID"
/// Key of a store's metadata.
public let NSStoreTypeKey = "NSStoreType"

/// A store that a coordinator has opened.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  /// One of the store types.
  public let type: String
  /// Where it is; nil for a store in memory.
  open var url: URL?
  /// The configuration that says which entities it takes.
  public let configurationName: String
  /// What it was opened with.
  public let options: [AnyHashable: Any]?
  /// The coordinator that opened it.
  open internal(set) weak var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  /// What it is identified by.
  open internal(set) var identifier: String!

  /// What is known of it: type and identifier, and the versions of its entities.
  open var metadata: [String: Any]! {
    get { ownMetadata }
    set {
      guard let coordinator = persistentStoreCoordinator else { return ownMetadata = newValue }
      coordinator.setMetadata(newValue, for: self)
    }
  }
  var ownMetadata: [String: Any]!
  /// Metadata as it was when the store was opened, which is what it has until a save writes other.
  var firstMetadata: [String: Any] = [:]

  let id: StoreID
  /// The model that it was opened with last.
  var model: NSManagedObjectModel?
  /// Whether its rows are gone: what is added at the URL later is another store.
  var isRemovedFromDisk = false
  /// Whether a file is left of it: a store that was destroyed leaves an empty one.
  var leavesFile = false
  /// Where its file would be; nil for a store in memory.
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

  /// The same store, opened once more.
  func reopened(
    _ options: [AnyHashable: Any]?, configuration: String? = nil, in state: RunState
  ) -> NSPersistentStore {
    let store = NSPersistentStore(
      type: type, url: url, configuration: configuration ?? configurationName, options: options, id)
    store.metadata = writtenMetadata(in: state)
    return store
  }

  /// The kinds of stores.
  public struct StoreType: Hashable, Sendable {
    /// The name of the type.
    public let rawValue: String
    /// A type by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// `NSSQLiteStoreType`.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    /// `NSBinaryStoreType`.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)
    /// `NSInMemoryStoreType`.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
  }

  /// Whether it was opened to be read only.
  open var isReadOnly: Bool { options?[NSReadOnlyPersistentStoreOption] as? Bool ?? false }
}
