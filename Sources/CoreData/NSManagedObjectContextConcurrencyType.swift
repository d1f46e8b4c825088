/// On which queue a context works.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// None: no context has it any more, and to make one with it traps.
  case confinementConcurrencyType = 0
  /// A queue of its own.
  case privateQueueConcurrencyType = 1
  /// The main queue.
  case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
  /// On which queue a context works.
  public struct ConcurrencyType: Hashable, Sendable {
    let rawValue: NSManagedObjectContextConcurrencyType

    /// A queue of its own.
    public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
    /// The main queue.
    public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
  }
}
