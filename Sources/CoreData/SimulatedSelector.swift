import Foundation

/// A method that is called later: what `#selector` becomes when a source is prepared. It does not
/// hold the object.
public struct SimulatedSelector: @unchecked Sendable {
  private let body: (Any, Any?) -> Void
  /// Whether an object is of the class that has the method.
  private let isOf: (Any) -> Bool
  /// What Objective-C calls it, where the source says so.
  let name: String?
  /// Of a method that compares texts.
  let compare: (@Sendable (NSString, String) -> ComparisonResult)?

  /// A method without parameters.
  public init<Target, Result>(_ method: @escaping (Target) -> () -> Result) {
    (compare, name, isOf) = (nil, nil, { $0 is Target })
    body = { target, _ in
      if let target = target as? Target { _ = method(target)() }
    }
  }

  /// A method that takes what it is called with: a notification, a timer.
  public init<Target, Argument, Result>(
    _ method: @escaping (Target) -> (Argument) -> Result
  ) {
    (compare, name, isOf) = (nil, nil, { $0 is Target })
    body = { target, argument in
      guard let target = target as? Target else { return }
      guard let argument = SimulatedSelector.converted(argument, to: Argument.self) else {
        misuse("a selector is called with \(argument ?? "nothing"), and takes \(Argument.self)")
      }
      _ = method(target)(argument)
    }
  }

  /// A method without parameters that may throw. An error is dropped, as Objective-C drops it for a
  /// caller that passes no place for it.
  @_disfavoredOverload
  public init<Target, Result>(_ method: @escaping (Target) -> () throws -> Result) {
    self.init { (target: Target) in { try? method(target)() } }
  }

  /// Makes a selector of a method that takes the argument of the call.
  @_disfavoredOverload
  public init<Target, Argument, Result>(
    _ method: @escaping (Target) -> (Argument) throws -> Result
  ) {
    self.init { (target: Target) in { (argument: Argument) in try? method(target)(argument) } }
  }

  /// A method by which texts are sorted, as `NSString.localizedCaseInsensitiveCompare(_:)`.
  public init(_ method: @escaping @Sendable (NSString) -> (String) -> ComparisonResult) {
    (compare, name, isOf) = ({ method($0)($1) }, nil, { $0 is NSString })
    body = { _, _ in misuse("a method that compares texts is called as an action") }
  }

  /// The same, where the compiler does not know that the method may be called from anywhere.
  public init(comparing method: @escaping (NSString) -> (String) -> ComparisonResult) {
    let method = SimulatedSendable(method)
    (compare, name, isOf) = ({ method.value($0)($1) }, nil, { $0 is NSString })
    body = { _, _ in misuse("a method that compares texts is called as an action") }
  }

  /// What `#selector(getter: Note.title)` becomes, and a selector that is known by its name alone.
  /// It names a property, or a method that compares texts; as an action it traps.
  public init(_ name: String) {
    (self.name, isOf) = (name, { _ in false })
    compare = SimulatedSelector.comparisons[name]
    body = { target, _ in
      misuse("the method '\(name)' of \(type(of: target)) is called by its name: not simulated")
    }
  }

  private static let comparisons: [String: @Sendable (NSString, String) -> ComparisonResult] = [
    "caseInsensitiveCompare:": { $0.caseInsensitiveCompare($1) },
    "localizedCompare:": { $0.localizedCompare($1) },
    "localizedCaseInsensitiveCompare:": { $0.localizedCaseInsensitiveCompare($1) },
    "localizedStandardCompare:": { $0.localizedStandardCompare($1) },
  ]

  /// The property that it reads or sets; nil of a method, or of one that is known by no name.
  private func property(of object: NSManagedObject) -> String? {
    guard let name else { return nil }
    let known = object.entity.propertiesByName
    if known[name] != nil || object.computedValue(forKey: name) != nil { return name }
    guard name.hasPrefix("set"), name.hasSuffix(":") else { return nil }
    let stem = name.dropFirst(3).dropLast()
    return known[stem.prefix(1).lowercased() + stem.dropFirst()]?.name
  }

  /// Whether an object has the method or property.
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
  /// Whether it has a property of this name, one of the model's or one that its class computes and
  /// gives to Objective-C, or the method of a `#selector`. Other methods have no names on Linux.
  public func responds(to selector: SimulatedSelector) -> Bool { selector.isAnswered(by: self) }
}

/// The selector of this name: of a property, or of a method that compares texts.
public func NSSelectorFromString(_ name: String) -> SimulatedSelector { SimulatedSelector(name) }

/// The name of a selector. Traps for a method: `#selector` keeps what it does, not how Objective-C
/// calls it.
public func NSStringFromSelector(_ selector: SimulatedSelector) -> String {
  guard let name = selector.name else {
    misuse("the name of a method's selector is not simulated; of a property's, it is")
  }
  return name
}
