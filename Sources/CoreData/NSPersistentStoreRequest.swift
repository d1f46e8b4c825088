public import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// What stores are asked.
open class NSPersistentStoreRequest: NSObject, NSCopying {
  /// The stores that are asked; nil for all (FE-20).
  open var affectedStores: [NSPersistentStore]?

  /// A copy of a fetch request. Traps for other requests.
  open func copy(with zone: NSZone? = nil) -> Any {
    misuse("copy of \(type(of: self)) is not simulated")
  }
}

/// What stores have answered.
open class NSPersistentStoreResult: NSObject {}

/// What a batch update answers with.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// Whether it has succeeded.
  case statusOnlyResultType
  /// The IDs of the rows.
  case updatedObjectIDsResultType
  /// How many rows there were.
  case updatedObjectsCountResultType
}

/// What a batch delete answers with.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// Whether it has succeeded.
  case resultTypeStatusOnly
  /// The IDs of the rows.
  case resultTypeObjectIDs
  /// How many rows there were.
  case resultTypeCount
}

/// What a batch insert answers with.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// Whether it has succeeded.
  case statusOnly
  /// The IDs of the rows.
  case objectIDs
  /// How many rows there are.
  case count
}

/// Changes rows in the stores, behind the back of every context (FE-17).
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  /// The name of the entity.
  public let entityName: String
  /// Which rows; nil for all.
  open var predicate: NSPredicate?
  /// Whether rows of entities that inherit are changed, too.
  open var includesSubentities = true
  /// The entity, in a model of the run.
  open var entity: NSEntityDescription {
    guard let entity = RunState.current.entity(named: entityName) else {
      misuse("no model of the run has an entity '\(entityName)'")
    }
    return entity
  }
  /// The new values by the names of attributes: values, or expressions of the row's own attributes
  /// and numbers, as `NSExpression(format: "views + 1")`.
  open var propertiesToUpdate: [AnyHashable: Any]?
  /// What is answered.
  open var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType

  /// An update of rows of the entity of this name.
  public init(entityName: String) { self.entityName = entityName }

  /// An update of rows of an entity.
  public convenience init(entity: NSEntityDescription) { self.init(entityName: entity.name ?? "") }
}

/// Deletes rows in the stores, behind the back of every context.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  /// Which rows: those that this request finds.
  public let fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  /// What is answered.
  open var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

  /// A deletion of what a request finds.
  public init(fetchRequest: NSFetchRequest<any NSFetchRequestResult>) {
    self.fetchRequest = fetchRequest
  }

  /// A deletion of the rows of these IDs, which are of one entity.
  public convenience init(objectIDs: [NSManagedObjectID]) {
    guard let entity = objectIDs.first?.entity else { misuse("a batch delete of no objects") }
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity.name ?? "")
    request.entity = entity
    request.predicate = NSPredicate(format: "SELF IN %@", objectIDs)
    self.init(fetchRequest: request)
  }
}

/// Inserts rows into a store, behind the back of every context.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  /// The name of the entity.
  public let entityName: String
  /// Each row by the names of attributes.
  open var objectsToInsert: [[String: Any]]?
  /// What is answered.
  open var resultType = NSBatchInsertRequestResultType.statusOnly

  /// An insertion of rows of the entity of this name.
  public init(entityName: String, objects: [[String: Any]]) {
    self.entityName = entityName
    objectsToInsert = objects
  }

  /// An insertion of rows of an entity.
  public convenience init(entity: NSEntityDescription, objects: [[String: Any]]) {
    self.init(entityName: entity.name ?? "", objects: objects)
  }

  /// An insertion of the rows that `handler` fills, until it answers true. It is called at once.
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

  /// Likewise, for an entity.
  public convenience init(
    entity: NSEntityDescription, dictionaryHandler handler: (NSMutableDictionary) -> Bool
  ) {
    self.init(entityName: entity.name ?? "", dictionaryHandler: handler)
  }

  /// An insertion of the rows that `handler` fills, until it answers true. It is called at once,
  /// each time with an object that is in no context.
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

  /// Likewise, for the entity of this name in a model of the run.
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

/// What a batch request came to.
public class NSBatchResult: NSPersistentStoreResult {
  /// A status, IDs, or a count: what the request asks for.
  public let result: Any?

  init(_ result: Any?) { self.result = result }
}

/// What a batch update came to.
public final class NSBatchUpdateResult: NSBatchResult {
  /// Which of them it is.
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

/// What a batch delete came to.
public final class NSBatchDeleteResult: NSBatchResult {
  /// Which of them it is.
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

/// What a batch insert came to.
public final class NSBatchInsertResult: NSBatchResult {
  /// Which of them it is.
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
      misuse("a batch request for '\(name)', which is no entity of the model")
    }
    return state.id(of: entity)
  }

  /// Throws if a row to be inserted has a value for what is no attribute.
  private func checkKeys(of row: [String: Any], _ entity: String) throws {
    let entity = run.model[entityID(named: entity)]
    for name in row.keys.sorted() {
      guard entity.property(named: name).flatMap({ entity[$0].attribute }) == nil else { continue }
      throw state.cocoa(
        NSManagedObjectValidationError, "'\(name)' is no attribute of \(entity.name)",
        [NSValidationKeyErrorKey: name])
    }
  }

  /// Throws if an attribute does not take its value.
  private func values(
    _ values: [AnyHashable: Any], of entity: String
  ) throws -> [PropertyValue] {
    let entity = run.model[entityID(named: entity)]
    let named = values.map { (NSManagedObjectContext.name(of: $0), $1) }
    return try named.sorted { $0.0 < $1.0 }.map { name, value in
      guard let id = entity.property(named: name), let attribute = entity[id].attribute else {
        misuse("a batch request sets '\(name)', which is no attribute of \(entity.name)")
      }
      guard
        let taken = Plain.acceptableValue(of: value, attribute.type, { run.symbol(for: $0) })
      else { throw state.raised("'\(name)' of \(entity.name) does not take the value \(value)") }
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
      (request.predicate, request.tree) = Format.of(predicate).parts(of: request.entity, self)
    }
    // A child hands the request on: the history names the context that has the coordinator.
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
