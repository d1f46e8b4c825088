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

/// A point in the history of the stores. Apps archive it, to go on from there when they are started
/// anew. Equal to another of the same point.
public final class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, Sendable {
  private static let key = "position"

  /// It has no parts that could be of another class.
  public static var supportsSecureCoding: Bool { true }

  /// How many transactions came before it.
  let position: Int

  init(_ position: Int) { self.position = position }

  /// Nil if it is no archived token.
  public init?(coder: NSCoder) {
    guard coder.containsValue(forKey: NSPersistentHistoryToken.key) else { return nil }
    position = Int(coder.decodeInt64(forKey: NSPersistentHistoryToken.key))
  }

  /// By the point.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryToken)?.position == position
  }

  /// The same in each run.
  public override var hash: Int { position }

  /// Itself: a token never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Archives it.
  public func encode(with coder: NSCoder) {
    coder.encode(Int64(position), forKey: NSPersistentHistoryToken.key)
  }
}

/// Asks for the history of the stores, or has a part of it forgotten.
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// What is answered; transactions with their changes unless it is set otherwise.
  public var resultType = NSPersistentHistoryResultType.transactionsAndChanges
  /// Which transactions, or changes: a request of `NSPersistentHistoryTransaction.fetchRequest` or
  /// `NSPersistentHistoryChange.fetchRequest` with a predicate. A deletion takes the predicate of a
  /// request for transactions. Nothing else of the request counts.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?
  /// The token that the request was made with.
  public private(set) var token: NSPersistentHistoryToken?
  let deletes: Bool
  private let first: Int
  private let date: Date?

  private init(first: Int = 0, after date: Date? = nil, deletes: Bool) {
    (self.first, self.date, self.deletes) = (first, date, deletes)
  }

  /// A Boolean value that indicates whether a transaction comes after the point that the request
  /// names. A deletion forgets what comes before: it keeps a transaction of exactly its date.
  func isAsked(for position: Int, of date: Date) -> Bool {
    position >= first && self.date.map { deletes ? date >= $0 : date > $0 } ?? true
  }

  /// Asks for what came after a token, or for all.
  public static func fetchHistory(
    after token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    let request = NSPersistentHistoryChangeRequest(first: token?.position ?? 0, deletes: false)
    request.token = token
    return request
  }

  /// Asks for the transactions, or changes, that a request's predicate keeps.
  public static func fetchHistory(
    withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSPersistentHistoryChangeRequest {
    let request = NSPersistentHistoryChangeRequest(deletes: false)
    request.fetchRequest = fetchRequest
    return request
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
  /// The IDs of what was changed.
  case objectIDs = 1
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

/// Where a notification says that it is made of history.
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
  /// The entries of history that the predicate of a request keeps. Throws if it compares with a
  /// token, which no row of the history has: `transactionNumber` and `timestamp` tell points apart.
  fileprivate func filter(in state: RunState) throws -> ([String: Any]) -> Bool {
    guard let predicate else { return { _ in true } }
    let format = Format.of(predicate)
    var hasToken = false
    _ = format.mapping { side in
      if case .value(let value) = side, value is NSPersistentHistoryToken { hasToken = true }
      return nil
    }
    if hasToken {
      throw state.raised("a predicate on history compares with a token: \(format.text)")
    }
    return { format.evaluate(with: $0, [:]) }
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
