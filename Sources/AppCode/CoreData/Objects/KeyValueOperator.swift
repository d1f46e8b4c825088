public import Foundation

/// The collection operators of key paths, such as `@sum.age` or `@distinctUnionOfObjects.name`.
enum KeyValueOperator {
  /// Applies an operator to values that are not `nil`.
  static func value(of values: [Any], _ name: String) -> Any? {
    switch name {
    case "count": return NSNumber(value: values.count)
    case "sum": return sum(of: values)
    case "avg", "average":
      return values.isEmpty
        ? nil : NSNumber(value: sum(of: values).doubleValue / Double(values.count))
    case "min":
      return values.min { (PredicateFormat.order($0, $1, PredicateFormat.Options()) ?? 0) < 0 }
    case "max":
      return values.max { (PredicateFormat.order($0, $1, PredicateFormat.Options()) ?? 0) < 0 }
    case "unionOfObjects": return NSArray(array: values)
    case "distinctUnionOfObjects":
      var seen: Set<AnyHashable> = []
      return NSArray(
        array: values.filter { value in
          (value as? AnyHashable).map { seen.insert($0).inserted } ?? true
        })
    default: misuse("the operator '@\(name)' of a key path is not simulated")
    }
  }

  private static func sum(of values: [Any]) -> NSNumber {
    let numbers = values.compactMap { ManagedValue.converted($0, to: NSNumber.self) }
    if numbers.contains(where: { $0 is NSDecimalNumber }) {
      return numbers.reduce(NSDecimalNumber.zero) {
        $0.adding(NSDecimalNumber(decimal: $1.decimalValue))
      }
    }
    if numbers.allSatisfy(\.isWhole) {
      return NSNumber(value: numbers.reduce(Int64(0)) { $0 &+ $1.int64Value })
    }
    return NSNumber(value: numbers.reduce(0.0) { $0 + $1.doubleValue })
  }

  /// Returns the value at a key path of a collection: the result of an operator, or the values of
  /// all members.
  static func value(of members: [NSManagedObject], _ path: String, isOrdered: Bool) -> Any? {
    if path.hasPrefix("@") { return value(of: members, withOperator: path) }
    let values = values(of: members, path[...])
    return isOrdered ? NSOrderedSet(array: values) : NSSet(array: values)
  }

  /// Returns the result of `@count`, or of an operator with the path that it applies to.
  static func value(of members: [Any], withOperator path: String) -> Any? {
    if path == "@count" { return NSNumber(value: members.count) }
    let parts = path.dropFirst().split(separator: ".", maxSplits: 1)
    guard parts.count == 2 else { misuse("the operator '\(path)' of a key path requires a key") }
    return value(of: values(of: members, parts[1]), String(parts[0]))
  }

  /// Returns the values of all members at a path, without `nil`, in the order of the members.
  static func values(of members: [Any], _ path: Substring) -> [Any] {
    let keys = path.split(separator: ".").map(String.init)
    if path.contains("@") {
      return members.compactMap { ($0 as? NSManagedObject)?.value(forKeyPath: String(path)) }
    }
    return members.flatMap { member in
      keys == ["self"]
        ? [member] : PredicateFormat.Operand.path(keys).content(of: member, [:]).values
    }.compactMap { $0 }
  }
}

extension NSDictionary {
  /// Returns the value at a key path through dictionaries and the objects in them.
  public func value(forKeyPath path: String) -> Any? {
    PredicateFormat.Operand.path(path.split(separator: ".").map(String.init)).value(of: self, [:])
  }
}

extension NSArray {
  /// Returns the values of a property of all members, which are managed objects or dictionaries. A
  /// missing value is `NSNull`.
  public func value(forKey key: String) -> Any? {
    map { PredicateFormat.Operand.path([key]).value(of: $0, [:]) ?? NSNull() }
  }

  /// Returns the values of all members at a key path, or the result of an operator such as
  /// `@sum.age`.
  public func value(forKeyPath path: String) -> Any? {
    if path.hasPrefix("@") { return KeyValueOperator.value(of: map { $0 }, withOperator: path) }
    let keys = path.split(separator: ".").map(String.init)
    return map { PredicateFormat.Operand.path(keys).value(of: $0, [:]) ?? NSNull() }
  }
}

extension NSSet {
  /// Returns the values of a property of all members, which are managed objects.
  public func value(forKey key: String) -> Any? { value(forKeyPath: key) }

  /// Returns the values of all members at a key path, or the result of an operator such as
  /// `@sum.age`.
  public func value(forKeyPath path: String) -> Any? {
    KeyValueOperator.value(of: NSManagedObject.members(of: self), path, isOrdered: false)
  }
}

extension NSOrderedSet {
  /// Returns the values of a property of all members, which are managed objects.
  public func value(forKey key: String) -> Any? { value(forKeyPath: key) }

  /// Returns the values of all members at a key path, or the result of an operator such as
  /// `@sum.age`.
  public func value(forKeyPath path: String) -> Any? {
    KeyValueOperator.value(of: NSManagedObject.members(of: self), path, isOrdered: true)
  }
}
