@testable import CoreDataSwift
import Foundation

/// Rows in memory behind MIOCoreData's interface for stores, in place of the database of its users.
final class RowStore: NSIncrementalStore {
  private struct Row {
    let id: NSManagedObjectID
    /// Values by property. Relationships are IDs.
    var values: [String: Any]
    var version: UInt64 = 1
  }

  /// The rows, and their keys in the order of insertion.
  private var rows: [String: Row] = [:]
  private var order: [String] = []
  private var lastNumber = 0
  /// The request to fetch next, because a store must evaluate predicates itself.
  var request: Request<NSManagedObject>?

  override func loadMetadata() throws {
    metadata = [NSStoreUUIDKey: "rows", NSStoreTypeKey: "RowStore"]
  }

  private func key(_ id: NSManagedObjectID) -> String { id.uriRepresentation().absoluteString }

  override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    array.map { object in
      lastNumber += 1
      return newObjectID(for: object.entity, referenceObject: "p\(lastNumber)")
    }
  }

  override func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
  ) throws -> Any {
    guard let save = request as? NSSaveChangesRequest else {
      return try order.compactMap { rows[$0] }.filter(matches).compactMap { row in
        try context?.existingObject(with: row.id)
      }
    }
    for object in (save.insertedObjects ?? []).union(save.updatedObjects ?? []) {
      let key = key(object.objectID)
      if rows[key] == nil { order.append(key) }
      var row = rows[key] ?? Row(id: object.objectID, values: [:], version: 0)
      for (name, value) in object._changedValues { row.values[name] = value }
      row.version += 1
      rows[key] = row
    }
    for object in save.deletedObjects ?? [] {
      rows[key(object.objectID)] = nil
      order.removeAll { $0 == key(object.objectID) }
    }
    return []
  }

  private func matches(_ row: Row) -> Bool {
    guard let request else { return false }
    var entity: NSEntityDescription? = row.id.entity
    if request.includesSubentities {
      while let current = entity, current.name != request.entity { entity = current.superentity }
    }
    guard entity?.name == request.entity else { return false }
    return request.comparisons.allSatisfy { comparison in
      let value = row.values[comparison.key]
      switch comparison.value {
      case .null:
        let isNull = value == nil || value is NSNull
        return comparison.relation == "==" ? isNull : comparison.relation == "!=" && !isNull
      case .integer(let number): return holds(value as? Int64, comparison.relation, number)
      case .text(let text): return holds(value as? String, comparison.relation, text)
      case .flag(let flag):
        return holds((value as? Bool).map { $0 ? 1 : 0 }, comparison.relation, flag ? 1 : 0)
      case .object(let object):
        let id = value as? NSManagedObjectID
        return (id.map(key) == key(object.objectID)) == (comparison.relation == "==")
      case .objects, .unknown: return false
      }
    }
  }

  /// Returns whether a comparison holds. As in SQL, no comparison with a missing value holds except
  /// being different.
  private func holds<Value: Comparable>(
    _ value: Value?, _ relation: String, _ other: Value
  ) -> Bool {
    guard let value else { return relation == "!=" }
    return switch relation {
    case "==": value == other
    case "!=": value != other
    case "<": value < other
    default: value > other
    }
  }

  override func newValuesForObject(
    with objectID: NSManagedObjectID, with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    guard let row = rows[key(objectID)] else { throw MissingRow() }
    return NSIncrementalStoreNode(objectID: objectID, withValues: row.values, version: row.version)
  }

  override func newValue(
    forRelationship relationship: NSRelationshipDescription,
    forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
  ) throws -> Any {
    let value = rows[key(objectID)]?.values[relationship.name]
    if relationship.isToMany { return Array(value as? Set<NSManagedObjectID> ?? []) }
    return value as? NSManagedObjectID ?? NSNull()
  }
}

struct MissingRow: Error {}
