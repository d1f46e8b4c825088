import Foundation

/// The store: rows in memory, which one lock protects. A save is one step for all contexts.
final class Coordinator: @unchecked Sendable {
  private let lock = NSLock()
  private var rows: [NSManagedObjectID: Row] = [:]

  func rows(of entityName: String) -> [NSManagedObjectID: Row] {
    lock.withLock { rows.filter { $0.key.entityName == entityName } }
  }

  /// Writes the changes of the objects, and returns their rows.
  ///
  /// - Throws: `MergeConflict` if a row has another version than its object, unless `overwriting`
  ///   lets the changes of the objects win.
  func save(
    _ objects: [NSManagedObject], overwriting: Bool
  ) throws -> [NSManagedObjectID: Row] {
    try lock.withLock {
      for object in objects where !overwriting {
        guard rows[object.objectID]?.version ?? 0 == object.version else { throw MergeConflict() }
      }
      var saved: [NSManagedObjectID: Row] = [:]
      for object in objects {
        var row = rows[object.objectID] ?? Row(values: [:], version: 0)
        row.values.merge(object.changes) { $1 }
        row.version += 1
        rows[object.objectID] = row
        saved[object.objectID] = row
      }
      return saved
    }
  }
}
