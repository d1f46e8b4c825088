public import Foundation

/// An exception, which Swift code cannot catch.
open class NSException: NSObject, @unchecked Sendable {
  /// The name of the exception, which identifies its kind.
  public let name: NSExceptionName
  /// The reason for the exception.
  public let reason: String?
  /// Additional information about the exception.
  public let userInfo: [AnyHashable: Any]?

  /// Creates an exception without raising it.
  public init(
    name: NSExceptionName, reason: String?, userInfo: [AnyHashable: Any]? = nil
  ) {
    (self.name, self.reason, self.userInfo) = (name, reason, userInfo)
  }

  /// Ends the run with a message that contains the name and reason. Outside of a run, ends the
  /// process.
  open func raise() { misuse("\(name.rawValue) is raised: \(reason ?? "without a reason")") }

  /// The reason, or the name if there is no reason.
  open override var description: String { reason ?? name.rawValue }
}

extension NSExceptionName {
  /// The name of an exception of no particular kind.
  public static let genericException = NSExceptionName("NSGenericException")
  /// The name of the exception for an index or a key that is out of bounds.
  public static let rangeException = NSExceptionName("NSRangeException")
  /// The name of the exception for an invalid argument.
  public static let invalidArgumentException = NSExceptionName("NSInvalidArgumentException")
  /// The name of the exception for a violated internal condition.
  public static let internalInconsistencyException = NSExceptionName(
    "NSInternalInconsistencyException")
  /// The name of the exception for an object that cannot be accessed.
  public static let objectInaccessibleException = NSExceptionName("NSObjectInaccessibleException")
  /// The name of the exception for an object that is not available.
  public static let objectNotAvailableException = NSExceptionName("NSObjectNotAvailableException")
  /// The name of the exception for a key that an object does not have.
  public static let undefinedKeyException = NSExceptionName("NSUnknownKeyException")
}
