import Foundation

/// Fetches with block predicates. In-memory stores, and stores that read their whole file, evaluate
/// any predicate. SQLite stores translate predicates and reject blocks.
extension NSManagedObjectContext {
  /// Returns the objects that a request with a block predicate fetches. A compound predicate may
  /// contain the block. Returns `nil` if there is no block or if the context has an SQLite store.
  ///
  /// The block is called with every object that the request would fetch without its predicate.
  ///
  /// - Complexity: Loads all objects of the entity.
  func objectsByBlock<Result>(_ request: NSFetchRequest<Result>) throws -> [NSManagedObject]? {
    guard let predicate = request.predicate, PredicateFormat.isBlock(predicate),
      let stores = persistentStoreCoordinator?.persistentStores,
      !stores.contains(where: { $0.type == NSSQLiteStoreType })
    else { return nil }
    if request.resultType == .dictionaryResultType {
      misuse("a request for dictionaries with a block predicate is not simulated")
    }
    let all = request.copied(to: NSFetchRequest<NSManagedObject>.self)
    (all.predicate, all.resultType) = (nil, .managedObjectResultType)
    (all.fetchOffset, all.fetchLimit) = (0, 0)
    let found = try fetch(all).filter { predicate.evaluate(with: $0) }.dropFirst(
      request.fetchOffset)
    return Array(request.fetchLimit > 0 ? found.prefix(request.fetchLimit) : found)
  }
}
