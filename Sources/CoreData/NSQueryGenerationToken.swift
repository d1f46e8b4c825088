public import Foundation

/// A generation of a store's rows, to which a context may be pinned. Only stores of SQLite with a
/// write-ahead log have more than one (PS-08); here none has.
open class NSQueryGenerationToken: NSObject, @unchecked Sendable {
  /// The generation at the time of the next read.
  public static let current = NSQueryGenerationToken()
}

extension NSManagedObjectContext {
  /// The generation that the context is pinned to: none.
  public var queryGenerationToken: NSQueryGenerationToken? { nil }

  /// Throws if a store of the context has generations on Apple's platforms: that a context goes on
  /// reading older rows is not simulated. A child context throws, too: it has none of its own
  /// (PS-08). Other stores have no generations: the context goes on reading the rows as they are, as
  /// it does with nil.
  public func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    if parent != nil {
      throw state.cocoa(NSCoreDataError, "a child context has no query generation of its own")
    }
    let stores = persistentStoreCoordinator?.persistentStores ?? []
    guard generation != nil, let store = stores.first(where: \.hasGenerations) else { return }
    throw state.cocoa(
      NSPersistentStoreUnsupportedRequestTypeError,
      "query generations of a store of SQLite, \(store.url?.lastPathComponent ?? ""), are not "
        + "simulated: the context would read the latest rows. A store in memory has none")
  }
}

extension NSPersistentStore {
  /// A store at /dev/null has no log, and another journal keeps no older rows.
  fileprivate var hasGenerations: Bool {
    guard type == NSSQLiteStoreType, url?.path != "/dev/null" else { return false }
    let pragmas = options?[NSSQLitePragmasOption] as? [String: Any]
    return (pragmas?["journal_mode"] as? String ?? "wal").lowercased() == "wal"
  }
}
