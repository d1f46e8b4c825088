import Foundation

/// A method that is called later: what `#selector` becomes when a source is prepared. It does not
/// hold the object.
public struct SimulatedSelector: @unchecked Sendable {
  private let body: (Any, Any?) -> Void
  /// Of a method that compares texts.
  let compare: (@Sendable (NSString, String) -> ComparisonResult)?

  /// A method without parameters.
  public init<Target, Result>(_ method: @escaping (Target) -> () -> Result) {
    compare = nil
    body = { target, _ in
      if let target = target as? Target { _ = method(target)() }
    }
  }

  /// A method that takes what it is called with: a notification, a timer.
  public init<Target, Argument, Result>(
    _ method: @escaping (Target) -> (Argument) -> Result
  ) {
    compare = nil
    body = { target, argument in
      guard let target = target as? Target else { return }
      guard let argument = SimulatedSelector.converted(argument, to: Argument.self) else {
        misuse("a selector is called with \(argument ?? "nothing"), and takes \(Argument.self)")
      }
      _ = method(target)(argument)
    }
  }

  /// A method by which texts are sorted, as `NSString.localizedCaseInsensitiveCompare(_:)`.
  public init(_ method: @escaping @Sendable (NSString) -> (String) -> ComparisonResult) {
    compare = { method($0)($1) }
    body = { _, _ in misuse("a method that compares texts is called as an action") }
  }

  /// The same, where the compiler does not know that the method may be called from anywhere.
  public init(comparing method: @escaping (NSString) -> (String) -> ComparisonResult) {
    let method = SimulatedSendable(method)
    compare = { method.value($0)($1) }
    body = { _, _ in misuse("a method that compares texts is called as an action") }
  }

  private static func converted<Argument>(_ any: Any?, to type: Argument.Type) -> Argument? {
    if let argument = any as? Argument { return argument }
    if let notification = any as? Notification {
      return NSNotification(
        name: notification.name, object: notification.object, userInfo: notification.userInfo)
        as? Argument
    }
    return nil
  }

  func call(_ target: Any, _ argument: Any?) { body(target, argument) }
}
