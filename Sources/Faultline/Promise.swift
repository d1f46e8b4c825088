/// A statement about data, or about the calls of an entry point, that a design must keep whatever
/// its users and queues do.
///
///     try await Fuzzer(
///       model: "Notes.model", stack: "Sync.stack",
///       promises: [.unique("Record", "remoteID"), "every Note has folder != nil"]
///     ).check()
///
/// If the design breaks a promise, a campaign fails with `brokenPromise` or
/// `brokenPromiseOfAnEntryPoint`. The article Promises lists the words.
public struct Promise: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The line of a stack file that declares the promise, without its first word, such as `unique
  /// Record.remoteID`.
  public let text: String

  /// Creates a promise from the text of a line, without parsing it. The campaign throws
  /// `InvalidInput` if the text is invalid.
  public init(_ text: String) { self.text = text }

  /// Creates a promise from a string literal, as `init(_:)` does.
  public init(stringLiteral text: String) { self.text = text }

  /// Returns a promise that no two objects of the entity have the same values in all of these
  /// properties. Objects without a value in one of them do not count.
  public static func unique(
    _ entity: String, _ property: String, _ others: String...
  ) -> Promise {
    Promise("unique \(entity).\(([property] + others).joined(separator: " and "))")
  }

  /// Returns a promise that a predicate holds for every object of the entity for which the
  /// condition holds. Both use the words of a stack file, such as `folder != nil` and `title
  /// BEGINSWITH "a"`.
  public static func every(
    _ entity: String, where condition: String? = nil, has predicate: String
  ) -> Promise {
    Promise("every \(entity)\(condition.map { " where \($0)" } ?? "") has \(predicate)")
  }

  /// Returns a promise that the statement about data becomes true after the design has violated it,
  /// by the time that everything is at rest.
  public static func eventually(_ promise: Promise) -> Promise {
    Promise("eventually \(promise.text)")
  }

  /// Returns a promise that ends in a place when `release` first holds there. Use it before
  /// `holding(in:_:)`.
  public func until(_ release: Promise) -> Promise { Promise("\(text) until \(release.text)") }

  /// Returns a promise that ends when the context first has unsaved changes. Use it before
  /// `holding(in:_:)`.
  public func untilChanged(_ context: String) -> Promise {
    Promise("\(text) until changed \(context)")
  }

  /// Returns the promise restricted to places: `store` for the rows of the stores, and names of
  /// contexts for the objects that they show. Without places, a promise concerns the stores.
  public func holding(in place: String, _ others: String...) -> Promise {
    Promise("\(text) in \(([place] + others).joined(separator: " "))")
  }

  /// Returns the promise, to be checked when each call of the entry point is over. Use it last.
  public func after(_ entryPoint: String) -> Promise { Promise("\(text) after \(entryPoint)") }

  /// The promise, to be checked after each action that may change its places. Use it last.
  public var always: Promise { Promise("\(text) always") }

  /// The promise, to be checked when everything is at rest. Use it last.
  public var atRest: Promise { Promise("\(text) at rest") }
}
