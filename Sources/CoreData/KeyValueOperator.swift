public import Foundation

/// The collection operators of key paths: `@sum.age`, `@distinctUnionOfObjects.name`.
enum KeyValueOperator {
  /// What an operator makes of values, none of which is nil.
  static func value(of values: [Any], _ name: String) -> Any? {
    switch name {
    case "count": return NSNumber(value: values.count)
    case "sum": return sum(of: values)
    case "avg", "average":
      return values.isEmpty
        ? nil : NSNumber(value: sum(of: values).doubleValue / Double(values.count))
    case "min": return values.min { (Format.order($0, $1, Format.Options()) ?? 0) < 0 }
    case "max": return values.max { (Format.order($0, $1, Format.Options()) ?? 0) < 0 }
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

  /// The value behind a path of a collection's members: with an operator, or of each member.
  static func value(of members: [NSManagedObject], _ path: String, isOrdered: Bool) -> Any? {
    if path.hasPrefix("@") { return value(of: members, withOperator: path) }
    let values = values(of: members, path[...])
    return isOrdered ? NSOrderedSet(array: values) : NSSet(array: values)
  }

  /// `@count`, or an operator and the path that it is of.
  static func value(of members: [Any], withOperator path: String) -> Any? {
    if path == "@count" { return NSNumber(value: members.count) }
    let parts = path.dropFirst().split(separator: ".", maxSplits: 1)
    guard parts.count == 2 else { misuse("the operator '\(path)' of a key path needs a key") }
    return value(of: values(of: members, parts[1]), String(parts[0]))
  }

  /// The values that are not nil, in the order of the members.
  static func values(of members: [Any], _ path: Substring) -> [Any] {
    let keys = path.split(separator: ".").map(String.init)
    if path.contains("@") {
      return members.compactMap { ($0 as? NSManagedObject)?.value(forKeyPath: String(path)) }
    }
    return members.flatMap { member in
      keys == ["self"] ? [member] : Format.Side.path(keys).content(of: member, [:]).values
    }.compactMap { $0 }
  }
}

extension NSDictionary {
  /// The value behind keys of dictionaries, and of what these hold.
  public func value(forKeyPath path: String) -> Any? {
    Format.Side.path(path.split(separator: ".").map(String.init)).value(of: self, [:])
  }
}

extension NSArray {
  /// The values of a property of each member, which is a managed object or a dictionary; `NSNull`
  /// for nil.
  public func value(forKey key: String) -> Any? {
    map { Format.Side.path([key]).value(of: $0, [:]) ?? NSNull() }
  }

  /// Likewise behind a key path, or what an operator such as `@sum.age` makes of the values.
  public func value(forKeyPath path: String) -> Any? {
    if path.hasPrefix("@") { return KeyValueOperator.value(of: map { $0 }, withOperator: path) }
    let keys = path.split(separator: ".").map(String.init)
    return map { Format.Side.path(keys).value(of: $0, [:]) ?? NSNull() }
  }
}

extension NSSet {
  /// The values of a property of the members, which are managed objects.
  public func value(forKey key: String) -> Any? { value(forKeyPath: key) }

  /// Likewise behind a key path, or what an operator such as `@sum.age` makes of the values.
  public func value(forKeyPath path: String) -> Any? {
    KeyValueOperator.value(of: NSManagedObject.members(of: self), path, isOrdered: false)
  }
}

extension NSOrderedSet {
  /// The values of a property of the members, which are managed objects.
  public func value(forKey key: String) -> Any? { value(forKeyPath: key) }

  /// Likewise behind a key path, or what an operator such as `@sum.age` makes of the values.
  public func value(forKeyPath path: String) -> Any? {
    KeyValueOperator.value(of: NSManagedObject.members(of: self), path, isOrdered: true)
  }
}
