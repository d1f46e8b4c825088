public import Foundation

/// Describes a store that a container opens.
open class NSPersistentStoreDescription: NSObject, @unchecked Sendable {
  /// The store type, such as `NSSQLiteStoreType`.
  open var type = NSSQLiteStoreType
  /// The URL of the store.
  open var url: URL?
  /// The configuration whose entities the store accepts, or nil for all entities.
  open var configuration: String?
  /// A Boolean value that indicates whether `loadPersistentStores` returns before the store is
  /// open.
  open var shouldAddStoreAsynchronously = false
  /// The options with which the store is opened.
  open private(set) var options: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]
  /// The options for synchronizing the store with CloudKit, which have no effect.
  open var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions?

  /// A Boolean value that indicates whether to migrate a store of another model version. If false,
  /// opening such a store fails.
  open var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set { setFlag(newValue, NSMigratePersistentStoresAutomaticallyOption) }
  }
  /// A Boolean value that indicates whether to infer a mapping model when the app provides none.
  open var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { setFlag(newValue, NSInferMappingModelAutomaticallyOption) }
  }
  /// A Boolean value that indicates whether the store is opened as read-only.
  open var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { setFlag(newValue, NSReadOnlyPersistentStoreOption) }
  }
  /// The seconds to wait for a busy store. The value has no effect, because stores are never busy.
  open var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { options[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
  }
  /// The SQLite settings of the store, which have no effect on its rows.
  open private(set) var sqlitePragmas: [String: NSObject] = [:]

  private func flag(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }

  private func setFlag(_ value: Bool, _ key: String) { options[key] = NSNumber(value: value) }

  /// Sets an SQLite setting, or removes it if `value` is nil.
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    sqlitePragmas[name] = value
    options[NSSQLitePragmasOption] = sqlitePragmas.isEmpty ? nil : sqlitePragmas as NSDictionary
  }

  /// Creates a description of a store at `url`.
  public init(url: URL) { self.url = url }

  /// Creates a description of a store without a URL.
  public override init() {}

  /// Sets an option, or removes it if `option` is nil.
  open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// Compares all settings of two descriptions except CloudKit options.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentStoreDescription else { return false }
    return type == other.type && url == other.url && configuration == other.configuration
      && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously
      && options == other.options && sqlitePragmas == other.sqlitePragmas
  }

  /// A hash that is equal in each run.
  open override var hash: Int { url?.path.count ?? 0 }
}

extension NSPersistentStoreDescription: NSCopying {
  /// Returns a description with the same settings.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription()
    copy.type = type
    copy.url = url
    copy.configuration = configuration
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    copy.sqlitePragmas = sqlitePragmas
    copy.options = options
    copy.cloudKitContainerOptions = cloudKitContainerOptions
    return copy
  }
}
