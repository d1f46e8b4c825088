import Foundation

/// A method to call later. Preparing a source replaces `#selector` by this type. A selector does
/// not retain the object.
public struct SimulatedSelector: @unchecked Sendable {
  private let body: (Any, Any?) -> Void
  /// Returns whether an object's class has the method.
  private let isOf: (Any) -> Bool
  /// The Objective-C name of the method or property, if the source states it.
  let name: String?
  /// The comparison, if the method compares texts.
  let compare: (@Sendable (NSString, String) -> ComparisonResult)?

  /// Creates a selector of a method without parameters.
  public init<Target, Result>(_ method: @escaping (Target) -> () -> Result) {
    (compare, name, isOf) = (nil, nil, { $0 is Target })
    body = { target, _ in
      if let target = target as? Target { _ = method(target)() }
    }
  }

  /// Creates a selector of a method with one parameter, such as a notification or a timer.
  public init<Target, Argument, Result>(
    _ method: @escaping (Target) -> (Argument) -> Result
  ) {
    (compare, name, isOf) = (nil, nil, { $0 is Target })
    body = { target, argument in
      guard let target = target as? Target else { return }
      guard let argument = SimulatedSelector.converted(argument, to: Argument.self) else {
        misuse("a selector that takes \(Argument.self) is called with \(argument ?? "nothing")")
      }
      _ = method(target)(argument)
    }
  }

  /// Creates a selector of a throwing method without parameters. Errors are discarded, as in
  /// Objective-C for a caller that passes no error pointer.
  @_disfavoredOverload
  public init<Target, Result>(_ method: @escaping (Target) -> () throws -> Result) {
    self.init { (target: Target) in { try? method(target)() } }
  }

  /// Creates a selector of a throwing method with one parameter. Errors are discarded.
  @_disfavoredOverload
  public init<Target, Argument, Result>(
    _ method: @escaping (Target) -> (Argument) throws -> Result
  ) {
    self.init { (target: Target) in { (argument: Argument) in try? method(target)(argument) } }
  }

  /// Creates a selector of a method that compares texts, such as
  /// `NSString.localizedCaseInsensitiveCompare(_:)`.
  public init(_ method: @escaping @Sendable (NSString) -> (String) -> ComparisonResult) {
    (compare, name, isOf) = ({ method($0)($1) }, nil, { $0 is NSString })
    body = { _, _ in misuse("a method that compares strings is called as an action") }
  }

  /// Creates a selector of a method that compares texts and is not known to be `@Sendable`.
  public init(comparing method: @escaping (NSString) -> (String) -> ComparisonResult) {
    let method = SimulatedSendable(method)
    (compare, name, isOf) = ({ method.value($0)($1) }, nil, { $0 is NSString })
    body = { _, _ in misuse("a method that compares strings is called as an action") }
  }

  /// Creates a selector from a name, as for `#selector(getter: Note.title)`. It names a property,
  /// or a method that compares texts. Calling it as an action traps.
  public init(_ name: String) {
    (self.name, isOf) = (name, { _ in false })
    compare = SimulatedSelector.comparisons[name]
    body = { target, _ in
      misuse("calling the method '\(name)' of \(type(of: target)) by its name is not simulated")
    }
  }

  private static let comparisons: [String: @Sendable (NSString, String) -> ComparisonResult] = [
    "caseInsensitiveCompare:": { $0.caseInsensitiveCompare($1) },
    "localizedCompare:": { $0.localizedCompare($1) },
    "localizedCaseInsensitiveCompare:": { $0.localizedCaseInsensitiveCompare($1) },
    "localizedStandardCompare:": { $0.localizedStandardCompare($1) },
  ]

  /// Returns the property that the selector reads or sets, or nil if it names none.
  private func property(of object: NSManagedObject) -> String? {
    guard let name else { return nil }
    let known = object.entity.propertiesByName
    if known[name] != nil || object.computedValue(forKey: name) != nil { return name }
    guard name.hasPrefix("set"), name.hasSuffix(":") else { return nil }
    let stem = name.dropFirst(3).dropLast()
    return known[stem.prefix(1).lowercased() + stem.dropFirst()]?.name
  }

  /// Returns whether an object has the method or property.
  func isAnswered(by object: NSManagedObject) -> Bool {
    isOf(object) || property(of: object) != nil
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

extension NSManagedObject {
  /// Returns whether the object has a property of this name, or the method of a `#selector`. The
  /// property belongs to the model, or its class computes it and exposes it to Objective-C. Other
  /// methods have no names on Linux.
  public func responds(to selector: SimulatedSelector) -> Bool { selector.isAnswered(by: self) }
}

/// Returns a selector from the name of a property, or of a method that compares texts.
public func NSSelectorFromString(_ name: String) -> SimulatedSelector { SimulatedSelector(name) }

/// Returns the name of a selector. Traps for a method, because `#selector` does not keep its
/// Objective-C name.
public func NSStringFromSelector(_ selector: SimulatedSelector) -> String {
  guard let name = selector.name else {
    misuse("the name of a selector is simulated only for properties, not for methods")
  }
  return name
}
