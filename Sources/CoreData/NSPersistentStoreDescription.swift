public import Foundation

/// What a container opens.
open class NSPersistentStoreDescription: NSObject, @unchecked Sendable {
  /// One of the store types.
  open var type = NSSQLiteStoreType
  /// Where the store is.
  open var url: URL?
  /// The configuration that says which entities it takes; nil for all.
  open var configuration: String?
  /// Whether `loadPersistentStores` returns before the store is open.
  open var shouldAddStoreAsynchronously = false
  /// What the store is opened with.
  open private(set) var options: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]
  /// What a CloudKit container synchronises the store with; of no effect: nothing ever comes.
  open var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions?

  /// Whether a store of another version of the model is migrated; otherwise opening it fails.
  open var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set { setFlag(newValue, NSMigratePersistentStoresAutomaticallyOption) }
  }
  /// Whether a migration finds out itself what becomes of what, where no mapping model of the app
  /// says it.
  open var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { setFlag(newValue, NSInferMappingModelAutomaticallyOption) }
  }
  /// Whether the store is opened to be read only.
  open var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { setFlag(newValue, NSReadOnlyPersistentStoreOption) }
  }
  /// How many seconds a store that is busy is waited for; of no effect: stores are never busy.
  open var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { options[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
  }
  /// Settings of SQLite; of no effect.
  open private(set) var sqlitePragmas: [String: NSObject] = [:]

  private func flag(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }

  private func setFlag(_ value: Bool, _ key: String) { options[key] = NSNumber(value: value) }

  /// Adds a setting of SQLite, or takes it away.
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    sqlitePragmas[name] = value
    options[NSSQLitePragmasOption] = sqlitePragmas.isEmpty ? nil : sqlitePragmas as NSDictionary
  }

  /// A description of a store at `url`.
  public init(url: URL) { self.url = url }

  /// A description of a store without a place.
  public override init() {}

  /// Adds an option, or takes it away.
  open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// By all that it says.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentStoreDescription else { return false }
    return type == other.type && url == other.url && configuration == other.configuration
      && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously
      && options == other.options && sqlitePragmas == other.sqlitePragmas
  }

  /// The same in each run.
  open override var hash: Int { url?.path.count ?? 0 }
}

extension NSPersistentStoreDescription: NSCopying {
  /// Another description of the same store.
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
