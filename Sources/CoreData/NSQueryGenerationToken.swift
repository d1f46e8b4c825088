public import Foundation

/// A generation of a store's rows, to which a context may be pinned. Stores here have but one, as
/// stores in memory have: a context reads the rows as they are.
open class NSQueryGenerationToken: NSObject, @unchecked Sendable {
  /// The generation at the time of the next read.
  public static let current = NSQueryGenerationToken()
}

extension NSManagedObjectContext {
  /// The generation that the context is pinned to: none.
  public var queryGenerationToken: NSQueryGenerationToken? { nil }

  /// Of no effect: the context goes on reading the rows as they are.
  public func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {}
}
