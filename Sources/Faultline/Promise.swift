/// A statement about data, or about the calls of an entry point, that a design has to keep whatever
/// its users and queues do.
///
///     try await Fuzzer(
///       model: "Notes.model", stack: "Sync.stack",
///       promises: [.unique("Record", "remoteID"), "every Note has folder != nil"]
///     ).check()
///
/// A campaign fails with `brokenPromise` if the design breaks one, or with
/// `brokenPromiseOfAnEntryPoint`. The article Promises has the words.
public struct Promise: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The line of a stack file that says the same, without its first word: `unique Record.remoteID`.
  public let text: String

  /// Makes a promise of the text of a line, without a look at it: the campaign throws
  /// `InvalidInput` if it cannot be read.
  public init(_ text: String) { self.text = text }

  /// Makes a promise of a literal, as `init(_:)`.
  public init(stringLiteral text: String) { self.text = text }

  /// No two objects of the entity have the same values in all of these properties. Objects that
  /// have no value in one of them do not count.
  public static func unique(
    _ entity: String, _ property: String, _ others: String...
  ) -> Promise {
    Promise("unique \(entity).\(([property] + others).joined(separator: " and "))")
  }

  /// A predicate holds for every object of the entity for which the condition holds. Both are in
  /// the words of a stack file, such as `folder != nil` and `title BEGINSWITH "a"`.
  public static func every(
    _ entity: String, where condition: String? = nil, has predicate: String
  ) -> Promise {
    Promise("every \(entity)\(condition.map { " where \($0)" } ?? "") has \(predicate)")
  }

  /// The promise about the rows of the stores and about what contexts show, or about some of them:
  /// `store` and the names of contexts. Without it, a promise is about the stores.
  public func holding(in place: String, _ others: String...) -> Promise {
    Promise("\(text) in \(([place] + others).joined(separator: " "))")
  }

  /// The promise, to be kept after each action that may change the place. Comes last.
  public var always: Promise { Promise("\(text) always") }

  /// The promise, to be kept when everything has come to rest. Comes last.
  public var atRest: Promise { Promise("\(text) at rest") }
}
