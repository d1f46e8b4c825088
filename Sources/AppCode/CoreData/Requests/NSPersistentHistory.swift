public import Foundation
import ObjectModel
import Vocabulary

/// Store option: keeps a history. The simulation keeps a history for every store.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Store option: posts `NSPersistentStoreRemoteChange` after each save. The simulation posts it for
/// every store.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// User info key of a remote change: the history token.
public let NSPersistentHistoryTokenKey = "historyToken"
/// User info key of a remote change: the URL of the store.
public let NSPersistentStoreURLKey = "storeURL"

extension Notification.Name {
  /// Posted by a coordinator some time after a context or a batch request has written to one of its
  /// stores. No queue delays it.
  public static let NSPersistentStoreRemoteChange = Notification.Name(
    "NSPersistentStoreRemoteChangeNotification")
}

/// A point in the history of the stores. Apps archive a token to continue from its point after the
/// next launch. Tokens of the same point are equal.
public final class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, Sendable {
  private static let key = "position"

  /// Always true, because a token has no parts whose class could differ.
  public static var supportsSecureCoding: Bool { true }

  /// The number of transactions before the point.
  let position: Int

  init(_ position: Int) { self.position = position }

  /// Decodes an archived token. Returns nil if the archive has no token.
  public init?(coder: NSCoder) {
    guard coder.containsValue(forKey: NSPersistentHistoryToken.key) else { return nil }
    position = Int(coder.decodeInt64(forKey: NSPersistentHistoryToken.key))
  }

  /// Compares the points of two tokens.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryToken)?.position == position
  }

  /// A hash that is equal in each run.
  public override var hash: Int { position }

  /// Returns the token itself, which is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Archives the token.
  public func encode(with coder: NSCoder) {
    coder.encode(Int64(position), forKey: NSPersistentHistoryToken.key)
  }
}

/// A request that fetches or deletes history of the stores.
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// The kind of result that the request returns.
  public var resultType = NSPersistentHistoryResultType.transactionsAndChanges
  /// A request for transactions or changes whose predicate filters the history. See
  /// `NSPersistentHistoryTransaction.fetchRequest` and `NSPersistentHistoryChange.fetchRequest`. A
  /// deletion uses only the predicate of a request for transactions. The other settings of the
  /// fetch request are ignored.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?
  /// The token with which the request was created.
  public private(set) var token: NSPersistentHistoryToken?
  let deletes: Bool
  private let first: Int
  private let date: Date?

  private init(first: Int = 0, after date: Date? = nil, deletes: Bool) {
    (self.first, self.date, self.deletes) = (first, date, deletes)
  }

  /// A Boolean value that indicates whether a transaction follows the request's point. For a
  /// deletion, a transaction of exactly the request's date also counts as later, and is kept.
  func isAsked(for position: Int, of date: Date) -> Bool {
    position >= first && self.date.map { deletes ? date >= $0 : date > $0 } ?? true
  }

  /// Creates a request for the history after a token, or for the whole history.
  public static func fetchHistory(
    after token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    let request = NSPersistentHistoryChangeRequest(first: token?.position ?? 0, deletes: false)
    request.token = token
    return request
  }

  /// Creates a request for the transactions or changes that match a fetch request's predicate.
  public static func fetchHistory(
    withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSPersistentHistoryChangeRequest {
    let request = NSPersistentHistoryChangeRequest(deletes: false)
    request.fetchRequest = fetchRequest
    return request
  }

  /// Creates a request for the history after a date.
  public static func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(after: date, deletes: false)
  }

  /// Creates a request for the history after a transaction, or for the whole history.
  @_disfavoredOverload
  public static func fetchHistory(
    after transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    fetchHistory(after: transaction?.token)
  }

  /// Creates a request that deletes the history before a date.
  public static func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(after: date, deletes: true)
  }

  /// Creates a request that deletes the history before a transaction.
  @_disfavoredOverload
  public static func deleteHistory(
    before transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(
      first: transaction.map { $0.token.position - 1 } ?? 0, deletes: true)
  }

  /// Creates a request that deletes the history before a token.
  public static func deleteHistory(
    before token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(first: token?.position ?? 0, deletes: true)
  }
}

/// The kinds of results of a history request.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// A Boolean value that indicates whether the request succeeded.
  case statusOnly = 0
  /// The IDs of the changed objects.
  case objectIDs = 1
  /// The number of transactions.
  case count = 2
  /// Transactions without their changes.
  case transactionsOnly = 3
  /// The changes, without their transactions.
  case changesOnly = 4
  /// Transactions with their changes.
  case transactionsAndChanges = 5
}

/// The result of a history request.
public final class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// The result value, in the form that `resultType` states.
  public let result: Any?
  /// The kind of result that the request specified.
  public let resultType: NSPersistentHistoryResultType

  init(_ result: Any?, _ type: NSPersistentHistoryResultType) {
    (self.result, resultType) = (result, type)
  }
}

/// The user info key that marks a notification as made from a history transaction.
let isFromHistoryKey = "FaultlineIsFromHistory"

extension NSManagedObjectContext {
  func history(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult {
    let type = request.resultType
    let stores = persistentStoreCoordinator?.persistentStores.map(\.id) ?? []
    let asked = request.fetchRequest
    let kept = try asked?.filter(in: state) ?? { _ in true }
    let asksChanges = (asked?.entity?.name ?? asked?.entityName) == "NSPersistentHistoryChange"
    if request.deletes {
      for index in state.history.indices {
        let entry = state.history[index]
        guard entry.stores.contains(where: stores.contains),
          !request.isAsked(for: index, of: entry.date),
          asksChanges
            || kept(
              NSPersistentHistoryTransaction(entry, at: index, hasChanges: false, in: state).row)
        else { continue }
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
      .filter { asksChanges || kept($0.row) }
    let result: Any =
      switch type {
      case .statusOnly: true
      case .count: transactions.count
      case .objectIDs:
        transactions.flatMap { $0.changes ?? [] }.filter { !asksChanges || kept($0.row) }
          .map(\.changedObjectID)
      case .changesOnly:
        transactions.flatMap { $0.changes ?? [] }
          .filter { !asksChanges || kept($0.row) }
      case .transactionsOnly, .transactionsAndChanges: transactions
      }
    return NSPersistentHistoryResult(result, type)
  }
}

extension NSFetchRequest {
  /// Returns a filter for history rows that evaluates the request's predicate. Throws an error if
  /// the predicate compares with a token, which no history row has. Such a predicate must compare
  /// `transactionNumber` or `timestamp` instead.
  fileprivate func filter(in state: RunState) throws -> ([String: Any]) -> Bool {
    guard let predicate else { return { _ in true } }
    let format = PredicateFormat.of(predicate)
    var hasToken = false
    _ = format.mapping { side in
      if case .value(let value) = side, value is NSPersistentHistoryToken { hasToken = true }
      return nil
    }
    if hasToken {
      throw state.raised("a predicate on history cannot compare with a token: \(format.text)")
    }
    return { format.evaluate(with: $0, [:]) }
  }
}

extension NSPersistentStoreCoordinator {
  /// Returns a token for the present point in the history of the stores.
  public func currentPersistentHistoryToken(
    fromStores stores: [NSPersistentStore]?
  ) -> NSPersistentHistoryToken? {
    NSPersistentHistoryToken(state.history.count)
  }
}
