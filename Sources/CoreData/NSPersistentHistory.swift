public import Foundation
import ObjectModel
import Vocabulary

/// Option of a store: keeps a history. The simulation keeps one for every store.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Option of a store: posts `NSPersistentStoreRemoteChange` after each save. The simulation posts
/// it for every store.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// Key of a remote change: the token of the history.
public let NSPersistentHistoryTokenKey = "historyToken"
/// Key of a remote change: where the store is.
public let NSPersistentStoreURLKey = "storeURL"

extension Notification.Name {
  /// A context, or a batch request, has written to a store of the coordinator that posts it: beside
  /// all queues, some time after the save.
  public static let NSPersistentStoreRemoteChange = Notification.Name(
    "NSPersistentStoreRemoteChangeNotification")
}

/// A point in the history of the stores.
public final class NSPersistentHistoryToken: NSObject, Sendable {
  /// How many transactions came before it.
  let position: Int

  init(_ position: Int) { self.position = position }
}

/// Asks for the history of the stores, or has a part of it forgotten.
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// What is answered; transactions with their changes unless it is set otherwise.
  public var resultType = NSPersistentHistoryResultType.transactionsAndChanges
  let deletes: Bool
  private let first: Int
  private let date: Date?

  private init(first: Int = 0, after date: Date? = nil, deletes: Bool) {
    (self.first, self.date, self.deletes) = (first, date, deletes)
  }

  /// Whether a transaction comes after the point that the request names.
  func isAsked(for position: Int, of date: Date) -> Bool {
    position >= first && self.date.map { date > $0 } ?? true
  }

  /// Asks for what came after a token, or for all.
  public static func fetchHistory(
    after token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(first: token?.position ?? 0, deletes: false)
  }

  /// Asks for what came after a moment.
  public static func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(after: date, deletes: false)
  }

  /// Asks for what came after a transaction, or for all.
  @_disfavoredOverload
  public static func fetchHistory(
    after transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    fetchHistory(after: transaction?.token)
  }

  /// Has what came before a moment forgotten.
  public static func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(after: date, deletes: true)
  }

  /// Has what came before a transaction forgotten.
  @_disfavoredOverload
  public static func deleteHistory(
    before transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(
      first: transaction.map { $0.token.position - 1 } ?? 0, deletes: true)
  }

  /// Has what came before a token forgotten.
  public static func deleteHistory(
    before token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(first: token?.position ?? 0, deletes: true)
  }
}

/// What a request for history answers.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// Whether it has succeeded.
  case statusOnly = 0
  /// How many transactions there are.
  case count = 2
  /// Transactions without their changes.
  case transactionsOnly = 3
  /// Changes.
  case changesOnly = 4
  /// Transactions.
  case transactionsAndChanges = 5
}

/// The answer to a request for history.
public final class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// As the request's type has it.
  public let result: Any?
  /// What the request asked for.
  public let resultType: NSPersistentHistoryResultType

  init(_ result: Any?, _ type: NSPersistentHistoryResultType) {
    (self.result, resultType) = (result, type)
  }
}

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
public final class NSPersistentHistoryChange: NSObject {
  /// The object.
  public let changedObjectID: NSManagedObjectID
  /// How it was changed.
  public let changeType: NSPersistentHistoryChangeType
  /// The transaction that it is a part of.
  public internal(set) weak var transaction: NSPersistentHistoryTransaction?

  init(_ id: NSManagedObjectID, _ type: NSPersistentHistoryChangeType) {
    (changedObjectID, changeType) = (id, type)
  }
}

/// A save, or a batch request, that has written to stores.
public final class NSPersistentHistoryTransaction: NSObject {
  /// The point after it.
  public let token: NSPersistentHistoryToken
  /// The number of the transaction, from 1.
  public var transactionNumber: Int64 { Int64(token.position) }
  /// When it was written, in virtual time.
  public let timestamp: Date
  /// The identifier of the first of its stores.
  public let storeID: String
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
    func list(_ ids: [ObjectID], _ type: NSPersistentHistoryChangeType)
      -> [NSPersistentHistoryChange]
    {
      ids.map { NSPersistentHistoryChange(NSManagedObjectID($0, state), type) }
    }
    let sets = entry.sets
    all = list(sets.inserted, .insert) + list(sets.updated, .update) + list(sets.deleted, .delete)
    changes = hasChanges ? all : nil
    super.init()
    for change in all { change.transaction = self }
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

/// Where a notification says that it is made of history.
let isFromHistoryKey = "FaultlineIsFromHistory"

extension NSManagedObjectContext {
  func history(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult {
    let type = request.resultType
    let stores = persistentStoreCoordinator?.persistentStores.map(\.id) ?? []
    if request.deletes {
      for index in state.history.indices
      where state.history[index].stores.contains(where: stores.contains)
        && !request.isAsked(for: index, of: state.history[index].date)
      {
        state.history[index].isForgotten = true
      }
      return NSPersistentHistoryResult(true, type)
    }
    let hasChanges = type != .transactionsOnly
    let transactions = state.history.enumerated()
      .filter { entry in
        !entry.element.isForgotten && request.isAsked(for: entry.offset, of: entry.element.date)
          && entry.element.stores.contains(where: stores.contains)
      }
      .map { entry in
        NSPersistentHistoryTransaction(
          entry.element, at: entry.offset, hasChanges: hasChanges, in: state)
      }
    let result: Any =
      switch type {
      case .statusOnly: true
      case .count: transactions.count
      case .changesOnly: transactions.flatMap { $0.changes ?? [] }
      case .transactionsOnly, .transactionsAndChanges: transactions
      }
    return NSPersistentHistoryResult(result, type)
  }
}

extension NSPersistentStoreCoordinator {
  /// The present point in the history of the stores.
  public func currentPersistentHistoryToken(
    fromStores stores: [NSPersistentStore]?
  ) -> NSPersistentHistoryToken? {
    NSPersistentHistoryToken(state.history.count)
  }
}
