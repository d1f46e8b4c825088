public import Foundation
import ObjectModel
import Vocabulary

/// The ways in which a transaction changes an object.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// The object was inserted.
  case insert
  /// The object's values changed.
  case update
  /// The object was deleted.
  case delete
}

/// A change of one object in a transaction.
public final class NSPersistentHistoryChange: NSObject, NSCopying {
  /// Returns the change itself, which is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// The ID of the changed object.
  public let changedObjectID: NSManagedObjectID
  /// The kind of the change.
  public let changeType: NSPersistentHistoryChangeType
  /// The transaction that contains the change.
  public internal(set) weak var transaction: NSPersistentHistoryTransaction?
  /// The properties that an update changed, or nil for other kinds of changes.
  public let updatedProperties: Set<NSPropertyDescription>?
  /// The values of a deleted object's attributes that have `preservesValueInHistoryOnDeletion`. Nil
  /// for other kinds of changes.
  public let tombstone: [AnyHashable: Any]?
  /// The number of the change in its transaction, from 1.
  public let changeID: Int64

  init(
    _ id: NSManagedObjectID, _ type: NSPersistentHistoryChangeType, number: Int,
    _ details: RunState.ChangeDetails
  ) {
    (changedObjectID, changeType, changeID) = (id, type, Int64(number))
    let properties = id.entity.propertiesByName
    updatedProperties =
      type == .update
      ? Set((details.updated[id.id] ?? []).compactMap { properties[$0] }) : nil
    tombstone = type == .delete ? details.tombstones[id.id] ?? [:] : nil
  }

  /// A request for changes, to which the app adds a predicate.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    NSFetchRequest(entityName: "NSPersistentHistoryChange")
  }

  /// An entity, in no model, whose attributes predicates can test.
  public class var entityDescription: NSEntityDescription? {
    .history("NSPersistentHistoryChange", ["changeType": .integer64, "changeID": .integer64])
  }

  /// An entity, in no model, whose attributes predicates can test.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription?
  { entityDescription }

  /// The values that predicates can test, indexed by name.
  var row: [String: Any] {
    ["changedObjectID": changedObjectID, "changeType": changeType.rawValue, "changeID": changeID]
  }
}

/// A save or a batch request that wrote to stores.
public final class NSPersistentHistoryTransaction: NSObject, NSCopying {
  /// Returns the transaction itself, which is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// A token for the point after the transaction.
  public let token: NSPersistentHistoryToken
  /// The number of the transaction, from 1.
  public var transactionNumber: Int64 { Int64(token.position) }
  /// The virtual time at which the transaction was written.
  public let timestamp: Date
  /// The identifier of the first store that the transaction wrote to.
  public let storeID: String
  /// The identifier of the main bundle, because only one process exists.
  public var bundleID: String { SimulatedBundles.identifier(of: .main) ?? "" }
  /// The transaction author of the context.
  public let author: String?
  /// The name of the context.
  public let contextName: String?
  /// The changes by object ID, or nil if the request excludes changes.
  public let changes: [NSPersistentHistoryChange]?
  private let all: [NSPersistentHistoryChange]
  private let number: Int

  init(
    _ entry: RunState.HistoryEntry, at position: Int, hasChanges: Bool, in state: RunState
  ) {
    token = NSPersistentHistoryToken(position + 1)
    (author, contextName, number) = (entry.author, entry.contextName, entry.number)
    timestamp = entry.date
    storeID = entry.stores.first.map { state.stores[$0.index].identifier } ?? ""
    let sets = entry.sets
    let kinds =
      sets.inserted.map { ($0, NSPersistentHistoryChangeType.insert) }
      + sets.updated.map { ($0, .update) } + sets.deleted.map { ($0, .delete) }
    all = kinds.enumerated().map { index, kind in
      NSPersistentHistoryChange(
        NSManagedObjectID(kind.0, state), kind.1, number: index + 1, entry.details)
    }
    changes = hasChanges ? all : nil
    super.init()
    for change in all { change.transaction = self }
  }

  /// A request for transactions, to which the app adds a predicate.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    NSFetchRequest(entityName: "NSPersistentHistoryTransaction")
  }

  /// An entity, in no model, whose attributes predicates can test.
  public class var entityDescription: NSEntityDescription? {
    .history(
      "NSPersistentHistoryTransaction",
      [
        "author": .string, "bundleID": .string, "contextName": .string, "storeID": .string,
        "timestamp": .date, "token": .integer64, "transactionNumber": .integer64,
      ])
  }

  /// An entity, in no model, whose attributes predicates can test.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription?
  { entityDescription }

  /// The values that predicates can test, indexed by name.
  var row: [String: Any] {
    var row: [String: Any] = [
      "transactionNumber": transactionNumber, "timestamp": timestamp, "storeID": storeID,
      "token": transactionNumber, "bundleID": bundleID,
    ]
    row["author"] = author
    row["contextName"] = contextName
    return row
  }

  /// Returns a notification of the changed object IDs, for `mergeChanges(fromContextDidSave:)`.
  public func objectIDNotification() -> Notification {
    var userInfo: [AnyHashable: Any] = [didSaveNumberKey: number, isFromHistoryKey: true]
    for (type, key) in [
      (NSPersistentHistoryChangeType.insert, NSInsertedObjectIDsKey),
      (.update, NSUpdatedObjectIDsKey), (.delete, NSDeletedObjectIDsKey),
    ] {
      let ids = all.filter { $0.changeType == type }.map(\.changedObjectID)
      userInfo[key] = Set(ids)
    }
    return Notification(
      name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: userInfo)
  }
}

extension NSEntityDescription {
  /// Creates an entity, in no model, with the given attributes.
  fileprivate static func history(
    _ name: String, _ types: [String: NSAttributeDescription.AttributeType]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = types.sorted { $0.key < $1.key }.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.type) = (name, type)
      return attribute
    }
    return entity
  }
}
