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

  /// Has no effect on what the context reads. On Apple's platforms a store of SQLite has
  /// generations, and the context would go on reading older rows: that is not simulated, and the
  /// standard error is told once. Other stores have none, and pinning to them degrades silently
  /// (PS-08). A child context throws: it has no generation of its own.
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
  /// A store at /dev/null has no log, and another journal keeps no older rows.
  var hasGenerations: Bool {
    guard type == NSSQLiteStoreType, url?.path != "/dev/null" else { return false }
    let pragmas = options?[NSSQLitePragmasOption] as? [String: Any]
    return (pragmas?["journal_mode"] as? String ?? "wal").lowercased() == "wal"
  }
}
