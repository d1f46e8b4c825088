/// The type of queue that a context uses.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// No queue. This type is obsolete, and creating a context with it traps.
  case confinementConcurrencyType = 0
  /// A private queue.
  case privateQueueConcurrencyType = 1
  /// The main queue.
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// The type of queue that a context uses.
  public struct ConcurrencyType: Hashable, Sendable {
    let rawValue: NSManagedObjectContextConcurrencyType

    /// A private queue.
    public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
    /// The main queue.
    public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
  }
}
