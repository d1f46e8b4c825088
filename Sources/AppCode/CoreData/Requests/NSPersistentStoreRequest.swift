public import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// A request to one or more stores.
open class NSPersistentStoreRequest: NSObject, NSCopying {
  /// The stores that receive the request, or nil for all stores (FE-20).
  open var affectedStores: [NSPersistentStore]?

  /// Returns a copy of a fetch request. Traps for other requests.
  open func copy(with zone: NSZone? = nil) -> Any {
    misuse("copy of \(type(of: self)) is not simulated")
  }
}

/// The result of a request to stores.
open class NSPersistentStoreResult: NSObject {}

/// The kinds of results of a batch update.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// A Boolean value that indicates whether the update succeeded.
  case statusOnlyResultType
  /// The IDs of the updated rows.
  case updatedObjectIDsResultType
  /// The number of updated rows.
  case updatedObjectsCountResultType
}

/// The kinds of results of a batch delete.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// A Boolean value that indicates whether the deletion succeeded.
  case resultTypeStatusOnly
  /// The IDs of the deleted rows.
  case resultTypeObjectIDs
  /// The number of deleted rows.
  case resultTypeCount
}

/// The kinds of results of a batch insert.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// A Boolean value that indicates whether the insertion succeeded.
  case statusOnly
  /// The IDs of the inserted rows.
  case objectIDs
  /// The number of inserted rows.
  case count
}

/// Changes rows directly in the stores, without involving contexts (FE-17).
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  /// The name of the entity.
  public let entityName: String
  /// The predicate that selects rows, or nil for all rows.
  open var predicate: NSPredicate?
  /// A Boolean value that indicates whether rows of subentities are also updated.
  open var includesSubentities = true
  /// The entity of that name in a model of the run. Traps if no model has the entity.
  open var entity: NSEntityDescription {
    guard let entity = RunState.current.entity(named: entityName) else {
      misuse("no model of the run has an entity '\(entityName)'")
    }
    return entity
  }
  /// The new values, indexed by attribute name. A value may be an expression of the row's
  /// attributes and numbers, such as `NSExpression(format: "views + 1")`.
  open var propertiesToUpdate: [AnyHashable: Any]?
  /// The kind of result that the request returns.
  open var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType

  /// Creates an update of the named entity's rows.
  public init(entityName: String) { self.entityName = entityName }

  /// Creates an update of an entity's rows.
  public convenience init(entity: NSEntityDescription) { self.init(entityName: entity.name ?? "") }
}

/// Deletes rows directly in the stores, without involving contexts.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  /// The fetch request that selects the rows to delete.
  public let fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  /// The kind of result that the request returns.
  open var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

  /// Creates a deletion of the rows that a fetch request finds.
  public init(fetchRequest: NSFetchRequest<any NSFetchRequestResult>) {
    self.fetchRequest = fetchRequest
  }

  /// Creates a deletion of the rows with the given IDs, which must belong to one entity. Traps if
  /// `objectIDs` is empty.
  public convenience init(objectIDs: [NSManagedObjectID]) {
    guard let entity = objectIDs.first?.entity else { misuse("a batch delete has no objects") }
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity.name ?? "")
    request.entity = entity
    request.predicate = NSPredicate(format: "SELF IN %@", objectIDs)
    self.init(fetchRequest: request)
  }
}

/// Inserts rows directly into a store, without involving contexts.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  /// The name of the entity.
  public let entityName: String
  /// The rows to insert, with values indexed by attribute name.
  open var objectsToInsert: [[String: Any]]?
  /// The kind of result that the request returns.
  open var resultType = NSBatchInsertRequestResultType.statusOnly

  /// Creates an insertion of rows of the named entity.
  public init(entityName: String, objects: [[String: Any]]) {
    self.entityName = entityName
    objectsToInsert = objects
  }

  /// Creates an insertion of rows of an entity.
  public convenience init(entity: NSEntityDescription, objects: [[String: Any]]) {
    self.init(entityName: entity.name ?? "", objects: objects)
  }

  /// Creates an insertion of the rows that `handler` fills until it returns true. The initializer
  /// calls it immediately.
  public convenience init(
    entityName: String, dictionaryHandler handler: (NSMutableDictionary) -> Bool
  ) {
    var rows: [[String: Any]] = []
    while true {
      let row = NSMutableDictionary()
      if handler(row) { break }
      rows.append(
        Dictionary(
          row.map { ("\($0.key)", $0.value) }, uniquingKeysWith: { first, _ in first }))
    }
    self.init(entityName: entityName, objects: rows)
  }

  /// Creates an insertion of the rows that `handler` fills until it returns true. The initializer
  /// calls it immediately.
  public convenience init(
    entity: NSEntityDescription, dictionaryHandler handler: (NSMutableDictionary) -> Bool
  ) {
    self.init(entityName: entity.name ?? "", dictionaryHandler: handler)
  }

  /// Creates an insertion of the objects that `handler` fills until it returns true. The
  /// initializer calls it immediately, each time with an object that belongs to no context.
  public convenience init(
    entity: NSEntityDescription, file: String = #fileID,
    managedObjectHandler handler: (NSManagedObject) -> Bool
  ) {
    RunState.current.noteCaller(file)
    var rows: [[String: Any]] = []
    while true {
      let object = entity.managedObjectClass.init(entity: entity, insertInto: nil)
      if handler(object) { break }
      rows.append(object.looseValues)
    }
    self.init(entity: entity, objects: rows)
  }

  /// Creates an insertion of the objects that `handler` fills until it returns true. Traps if no
  /// model of the run has the named entity.
  public convenience init(
    entityName: String, file: String = #fileID,
    managedObjectHandler handler: (NSManagedObject) -> Bool
  ) {
    guard let entity = RunState.current.entity(named: entityName) else {
      misuse("no model of the run has an entity '\(entityName)'")
    }
    self.init(entity: entity, file: file, managedObjectHandler: handler)
  }
}

/// The result of a batch request.
public class NSBatchResult: NSPersistentStoreResult {
  /// A status, IDs or a count, depending on the request's result type.
  public let result: Any?

  init(_ result: Any?) { self.result = result }
}

/// The result of a batch update.
public final class NSBatchUpdateResult: NSBatchResult {
  /// The kind of the result.
  public let resultType: NSBatchUpdateRequestResultType

  init(_ ids: [NSManagedObjectID], _ type: NSBatchUpdateRequestResultType) {
    resultType = type
    let result: Any =
      switch type {
      case .statusOnlyResultType: true
      case .updatedObjectIDsResultType: ids
      case .updatedObjectsCountResultType: ids.count
      }
    super.init(result)
  }
}

/// The result of a batch delete.
public final class NSBatchDeleteResult: NSBatchResult {
  /// The kind of the result.
  public let resultType: NSBatchDeleteRequestResultType

  init(_ ids: [NSManagedObjectID], _ type: NSBatchDeleteRequestResultType) {
    resultType = type
    let result: Any =
      switch type {
      case .resultTypeStatusOnly: true
      case .resultTypeObjectIDs: ids
      case .resultTypeCount: ids.count
      }
    super.init(result)
  }
}

/// The result of a batch insert.
public final class NSBatchInsertResult: NSBatchResult {
  /// The kind of the result.
  public let resultType: NSBatchInsertRequestResultType

  init(_ ids: [NSManagedObjectID], _ type: NSBatchInsertRequestResultType) {
    resultType = type
    let result: Any =
      switch type {
      case .statusOnly: true
      case .objectIDs: ids
      case .count: ids.count
      }
    super.init(result)
  }
}

extension NSManagedObjectContext {
  func executed(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    switch request {
    case let update as NSBatchUpdateRequest:
      var selection = BatchRequest.Selection()
      selection.includesSubentities = update.includesSubentities
      let (constants, computed) = assignments(update)
      let ids = try execute(
        named: update.entityName, update.predicate,
        try .update(values(constants, of: update.entityName)), update.affectedStores, selection,
        computed)
      return NSBatchUpdateResult(ids, update.resultType)
    case let delete as NSBatchDeleteRequest:
      let request = delete.fetchRequest
      var selection = BatchRequest.Selection()
      selection.includesSubentities = request.includesSubentities
      (selection.offset, selection.limit) = (request.fetchOffset, request.fetchLimit)
      var predicate = request.predicate
      if selection.offset > 0 || selection.limit > 0 {
        if let window = try storedWindow(request) {
          (selection.offset, selection.limit) = (0, 0)
          predicate = NSPredicate(
            format: "SELF IN %@", window.map { NSManagedObjectID($0, state) })
        } else {
          selection.sortDescriptors = engineRequest(request).sortDescriptors
        }
      }
      let name = request.entity?.name ?? request.entityName ?? ""
      let ids = try execute(
        named: name, predicate, .delete, delete.affectedStores ?? request.affectedStores, selection)
      return NSBatchDeleteResult(ids, delete.resultType)
    case let insert as NSBatchInsertRequest:
      let rows = try (insert.objectsToInsert ?? []).map { row in
        try checkKeys(of: row, insert.entityName)
        return try values(row, of: insert.entityName)
      }
      let ids = try execute(named: insert.entityName, nil, .insert(rows), insert.affectedStores)
      return NSBatchInsertResult(ids, insert.resultType)
    case let request as any AsynchronousFetch: return request.begin(in: self)
    case let request as NSPersistentHistoryChangeRequest: return try history(request)
    default: misuse("execute of \(type(of: request)) is not simulated")
    }
  }

  func entityID(named name: String) -> EntityID {
    guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[name] else {
      misuse("a batch request is for '\(name)', which is not an entity of the model")
    }
    return state.id(of: entity)
  }

  /// Throws an error if a row to insert has a value whose key is not an attribute.
  private func checkKeys(of row: [String: Any], _ entity: String) throws {
    let entity = run.model[entityID(named: entity)]
    for name in row.keys.sorted() {
      guard entity.property(named: name).flatMap({ entity[$0].attribute }) == nil else { continue }
      throw state.cocoa(
        NSManagedObjectValidationError, "'\(name)' is not an attribute of \(entity.name)",
        [NSValidationKeyErrorKey: name])
    }
  }

  /// Converts values to property values. Throws an error if an attribute does not accept its value.
  private func values(
    _ values: [AnyHashable: Any], of entity: String
  ) throws -> [PropertyValue] {
    let entity = run.model[entityID(named: entity)]
    let named = values.map { (NSManagedObjectContext.name(of: $0), $1) }
    return try named.sorted { $0.0 < $1.0 }.map { name, value in
      guard let id = entity.property(named: name), let attribute = entity[id].attribute else {
        misuse("a batch request sets '\(name)', which is not an attribute of \(entity.name)")
      }
      guard
        let taken = Plain.acceptableValue(of: value, attribute.type, { run.symbol(for: $0) })
      else { throw state.raised("'\(name)' of \(entity.name) cannot have the value \(value)") }
      return PropertyValue(id, taken)
    }
  }

  private func execute(
    named name: String, _ predicate: NSPredicate?, _ kind: BatchRequest.Kind,
    _ affectedStores: [NSPersistentStore]?,
    _ selection: BatchRequest.Selection = BatchRequest.Selection(),
    _ computed: [BatchRequest.ComputedValue] = []
  ) throws -> [NSManagedObjectID] {
    var request = BatchRequest(entity: entityID(named: name), kind: kind)
    (request.selection, request.computed) = (selection, computed)
    request.affectedStores = affectedStores?.map(\.id)
    if let predicate {
      (request.predicate, request.tree) = PredicateFormat.of(predicate).parts(
        of: request.entity, self)
    }
    // A child context passes the request up, so the history names the root context.
    var root = self
    while let parent = root.parent { root = parent }
    try root.checkReadOnlyStores(of: request)
    for case .batched(let sets, let number) in try attempt(.batch(request)) {
      state.noteRemote(sets, number: number)
      state.noteHistory(sets, number: number, by: root.id)
      return (sets.inserted + sets.updated + sets.deleted).map { NSManagedObjectID($0, state) }
    }
    return []
  }
}
