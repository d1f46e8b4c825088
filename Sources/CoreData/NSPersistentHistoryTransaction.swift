public import Foundation
import ObjectModel
import Vocabulary

/// How an object was changed.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// It is new.
  case insert
  /// Its values.
  case update
  /// It is gone.
  case delete
}

/// One change of a transaction.
public final class NSPersistentHistoryChange: NSObject, NSCopying {
  /// Itself: what has happened never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// The object.
  public let changedObjectID: NSManagedObjectID
  /// How it was changed.
  public let changeType: NSPersistentHistoryChangeType
  /// The transaction that it is a part of.
  public internal(set) weak var transaction: NSPersistentHistoryTransaction?
  /// The properties that an update has changed; nil of another change.
  public let updatedProperties: Set<NSPropertyDescription>?
  /// Of a deletion, the values of attributes with `preservesValueInHistoryOnDeletion`; nil of
  /// another change.
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

  /// A request for changes, to be given a predicate.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    NSFetchRequest(entityName: "NSPersistentHistoryChange")
  }

  /// What predicates can ask, as an entity of no model.
  public class var entityDescription: NSEntityDescription? {
    .history("NSPersistentHistoryChange", ["changeType": .integer64, "changeID": .integer64])
  }

  /// The same.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription?
  { entityDescription }

  /// What predicates can ask.
  var row: [String: Any] {
    ["changedObjectID": changedObjectID, "changeType": changeType.rawValue, "changeID": changeID]
  }
}

/// A save, or a batch request, that has written to stores.
public final class NSPersistentHistoryTransaction: NSObject, NSCopying {
  /// Itself: what has happened never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// The point after it.
  public let token: NSPersistentHistoryToken
  /// The number of the transaction, from 1.
  public var transactionNumber: Int64 { Int64(token.position) }
  /// When it was written, in virtual time.
  public let timestamp: Date
  /// The identifier of the first of its stores.
  public let storeID: String
  /// The identifier of the bundle that has written it: there is one process only.
  public var bundleID: String { SimulatedBundles.identifier(of: .main) ?? "" }
  /// The author of the context.
  public let author: String?
  /// The name of the context.
  public let contextName: String?
  /// What was changed, by ID; nil if the request asks for none.
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

  /// A request for transactions, to be given a predicate.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    NSFetchRequest(entityName: "NSPersistentHistoryTransaction")
  }

  /// What predicates can ask, as an entity of no model.
  public class var entityDescription: NSEntityDescription? {
    .history(
      "NSPersistentHistoryTransaction",
      [
        "author": .string, "bundleID": .string, "contextName": .string, "storeID": .string,
        "timestamp": .date, "token": .integer64, "transactionNumber": .integer64,
      ])
  }

  /// The same.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription?
  { entityDescription }

  /// What predicates can ask.
  var row: [String: Any] {
    var row: [String: Any] = [
      "transactionNumber": transactionNumber, "timestamp": timestamp, "storeID": storeID,
      "token": transactionNumber, "bundleID": bundleID,
    ]
    row["author"] = author
    row["contextName"] = contextName
    return row
  }

  /// A notification of the IDs, for `mergeChanges(fromContextDidSave:)`.
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
  /// An entity of no model, with these attributes.
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
