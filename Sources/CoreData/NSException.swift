public import Foundation

/// An error of the program that no Swift code catches.
open class NSException: NSObject, @unchecked Sendable {
  /// What kind of error it is.
  public let name: NSExceptionName
  /// What is wrong.
  public let reason: String?
  /// More about it.
  public let userInfo: [AnyHashable: Any]?

  /// An exception, which `raise` raises.
  public init(
    name: NSExceptionName, reason: String?, userInfo: [AnyHashable: Any]? = nil
  ) {
    (self.name, self.reason, self.userInfo) = (name, reason, userInfo)
  }

  /// Ends the run, or the process outside of a run, with a message that has name and reason.
  open func raise() { misuse("\(name.rawValue) is raised: \(reason ?? "for no reason")") }

  /// The reason; without one, the name.
  open override var description: String { reason ?? name.rawValue }
}

extension NSExceptionName {
  /// Any error.
  public static let genericException = NSExceptionName("NSGenericException")
  /// An index, or a key, that does not exist.
  public static let rangeException = NSExceptionName("NSRangeException")
  /// An argument that must not be passed.
  public static let invalidArgumentException = NSExceptionName("NSInvalidArgumentException")
  /// A condition that must hold does not.
  public static let internalInconsistencyException = NSExceptionName(
    "NSInternalInconsistencyException")
  /// What is asked for is not there.
  public static let objectInaccessibleException = NSExceptionName("NSObjectInaccessibleException")
  /// Likewise.
  public static let objectNotAvailableException = NSExceptionName("NSObjectNotAvailableException")
  /// A property that an object does not have.
  public static let undefinedKeyException = NSExceptionName("NSUnknownKeyException")
}
