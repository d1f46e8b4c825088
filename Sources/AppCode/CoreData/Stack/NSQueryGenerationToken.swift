public import Foundation

/// A generation of a store's rows, to which an app can pin a context. Only SQLite stores with a
/// write-ahead log have several generations (PS-08). The simulation keeps none.
open class NSQueryGenerationToken: NSObject, @unchecked Sendable {
  /// The generation at the time of the next read.
  public static let current = NSQueryGenerationToken()
}

extension NSManagedObjectContext {
  /// Always nil, because no context is pinned to a generation.
  public var queryGenerationToken: NSQueryGenerationToken? { nil }

  /// Does not change the rows that the context reads.
  ///
  /// On Apple's platforms, an SQLite store has generations, and the context would continue to read
  /// older rows. The simulation lacks generations, so the first such call prints a notice to the
  /// standard error. Other stores have no generations, and pinning to them degrades silently
  /// (PS-08). Throws an error for a child context, which has no generation.
  public func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    if parent != nil {
      throw state.cocoa(NSCoreDataError, "a child context has no query generation of its own")
    }
    let stores = persistentStoreCoordinator?.persistentStores ?? []
    if generation != nil, stores.contains(where: \.hasGenerations) {
      NSQueryGenerationToken.noticeOnce
    }
  }
}

extension NSQueryGenerationToken {
  fileprivate static let noticeOnce: Void = {
    let notice =
      "Core Data: setQueryGenerationFrom has no effect here: query generations of SQLite's stores are "
      + "not simulated, and the context reads the latest rows\n"
    try? FileHandle.standardError.write(contentsOf: Data(notice.utf8))
  }()
}

extension NSPersistentStore {
  /// A Boolean value that indicates whether the store would have query generations on Apple's
  /// platforms. A store at /dev/null has no log, and other journal modes keep no older rows.
  var hasGenerations: Bool {
    guard type == NSSQLiteStoreType, url?.path != "/dev/null" else { return false }
    let pragmas = options?[NSSQLitePragmasOption] as? [String: Any]
    return (pragmas?["journal_mode"] as? String ?? "wal").lowercased() == "wal"
  }
}
