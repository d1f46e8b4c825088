import Foundation

/// Fetches by predicates that are blocks. Stores in memory, and those that read their whole file,
/// evaluate any predicate; SQLite translates predicates, and refuses a block.
extension NSManagedObjectContext {
  /// The objects that a request finds, if its predicate is a block, or has one among its parts, and
  /// no store of the context is one of SQLite. Returns `nil` for any other request.
  ///
  /// The block is called with every object that the request finds without its predicate.
  ///
  /// - Complexity: Loads all objects of the entity.
  func objectsByBlock<Result>(_ request: NSFetchRequest<Result>) throws -> [NSManagedObject]? {
    guard let predicate = request.predicate, Format.isBlock(predicate),
      let stores = persistentStoreCoordinator?.persistentStores,
      !stores.contains(where: { $0.type == NSSQLiteStoreType })
    else { return nil }
    if request.resultType == .dictionaryResultType {
      misuse("dictionaries are asked for by a predicate that is a block: not simulated")
    }
    let all = request.copied(to: NSFetchRequest<NSManagedObject>.self)
    (all.predicate, all.resultType) = (nil, .managedObjectResultType)
    (all.fetchOffset, all.fetchLimit) = (0, 0)
    let found = try fetch(all).filter { predicate.evaluate(with: $0) }.dropFirst(
      request.fetchOffset)
    return Array(request.fetchLimit > 0 ? found.prefix(request.fetchLimit) : found)
  }
}
