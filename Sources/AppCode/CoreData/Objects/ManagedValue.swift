import Foundation

/// Conversions between values of key-value coding and the types of properties.
enum ManagedValue {
  /// Converts a value to `type`. Returns `nil` if the conversion is not possible.
  static func converted<Value>(_ any: Any?, to type: Value.Type) -> Value? {
    if let type = type as? any Convertible.Type {
      return type.converted(any).flatMap { $0 as? Value }
    }
    guard let any else { return nil }
    return any as? Value
  }

  /// Converts the value or the members that an observer receives to the type of the property.
  static func observed<Value>(_ any: Any) -> Value? {
    (any as? Value) ?? converted(any, to: Value.self)
  }

  /// Converts a value to a form that the engine takes: without optionals, and with Swift types
  /// instead of Foundation classes.
  static func plain(_ any: Any) -> Any? {
    switch any {
    case let optional as any OptionalValue: optional.wrapped.flatMap { plain($0) }
    case let date as NSDate:
      Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    case let data as NSData: Data(referencing: data)
    case let text as NSString: text.description
    case let url as NSURL: url.absoluteURL
    case let uuid as NSUUID: UUID(uuidString: uuid.uuidString)
    default: any
    }
  }

  /// Returns an arbitrary value of a type. A probe returns such values, because only the keys that
  /// are read matter.
  static func placeholder<Value>(of type: Value.Type) -> Value? {
    let values: [Any] = [
      Date(timeIntervalSinceReferenceDate: 0), Data(), UUID(), URL(fileURLWithPath: "/"),
      NSNumber(value: 0), NSDecimalNumber.zero, NSDate(timeIntervalSinceReferenceDate: 0),
      NSString(string: ""),
    ]
    return values.lazy.compactMap { $0 as? Value }.first
  }

  static func indexes(_ any: Any) -> [Int] {
    switch any {
    case let index as Int: [index]
    case let set as IndexSet: Array(set)
    case let set as NSIndexSet: Array(set)
    default: misuse("a position in an ordered relationship must be an index or an index set")
    }
  }
}

private protocol OptionalValue {
  var wrapped: Any? { get }
  static var wrappedType: Any.Type { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { self }
  fileprivate static var wrappedType: Any.Type { Wrapped.self }
}

extension ManagedValue {
  /// Returns the class of the objects that a property of this type holds, or `nil` if the type is
  /// not a managed object.
  static func objectClass(of type: Any.Type) -> NSManagedObject.Type? {
    let type = (type as? any OptionalValue.Type)?.wrappedType ?? type
    return type as? NSManagedObject.Type
  }
}

/// A type that values of key-value coding are converted to.
private protocol Convertible {
  static func converted(_ any: Any?) -> Any?
}

extension Optional: Convertible {
  fileprivate static func converted(_ any: Any?) -> Any? {
    guard let any else { return Optional.none as Any }
    return ManagedValue.converted(any, to: Wrapped.self).map { Optional.some($0) as Any }
  }
}

extension FixedWidthInteger {
  /// Converts a number to this type. Returns 0 for `nil`.
  fileprivate static func integer(_ any: Any?) -> Any? {
    switch any {
    case nil: Self(0)
    case let number as any BinaryInteger: Self(truncatingIfNeeded: number)
    case let number as NSNumber: Self(truncatingIfNeeded: number.int64Value)
    default: nil
    }
  }
}

extension Int: Convertible {
  fileprivate static func converted(_ any: Any?) -> Any? { integer(any) }
}
extension Int16: Convertible {
  fileprivate static func converted(_ any: Any?) -> Any? { integer(any) }
}
extension Int32: Convertible {
  fileprivate static func converted(_ any: Any?) -> Any? { integer(any) }
}
extension Int64: Convertible {
  fileprivate static func converted(_ any: Any?) -> Any? { integer(any) }
}

extension Double: Convertible {
  fileprivate static func converted(_ any: Any?) -> Any? {
    switch any {
    case nil: 0.0
    case let number as Double: number
    case let number as Float: Double(number)
    case let date as Date: date.timeIntervalSinceReferenceDate
    case let number as NSNumber: number.doubleValue
    case let number as any BinaryInteger: Double(Int64(truncatingIfNeeded: number))
    default: nil
    }
  }
}

extension Float: Convertible {
  fileprivate static func converted(_ any: Any?) -> Any? {
    (Double.converted(any) as? Double).map { Float($0) }
  }
}

extension Bool: Convertible {
  fileprivate static func converted(_ any: Any?) -> Any? {
    switch any {
    case nil: false
    case let flag as Bool: flag
    case let number as NSNumber: number.boolValue
    default: nil
    }
  }
}

extension String: Convertible {
  fileprivate static func converted(_ any: Any?) -> Any? { any == nil ? "" : any as? String }
}

extension Decimal: Convertible {
  fileprivate static func converted(_ any: Any?) -> Any? {
    switch any {
    case nil: Decimal(0)
    case let number as NSDecimalNumber: number.decimalValue
    default: any as? Decimal
    }
  }
}

extension Set: Convertible {
  fileprivate static func converted(_ any: Any?) -> Any? {
    if let set = any as? Set<Element> { return set }
    return members(of: any)
  }

  private static func members(of any: Any?) -> Set<Element> {
    Set(NSManagedObject.members(of: any).compactMap { $0 as? Element })
  }
}

extension Array: Convertible {
  fileprivate static func converted(_ any: Any?) -> Any? {
    if let array = any as? [Element] { return array }
    return NSManagedObject.members(of: any).compactMap { $0 as? Element }
  }
}

/// Foundation classes that values are converted to.
extension NSObject: Convertible {
  fileprivate static func converted(_ any: Any?) -> Any? {
    guard let any else { return nil }
    switch self {
    case is NSNumber.Type where !(any is NSNumber): return number(any)
    case is NSDate.Type:
      return (any as? Date).map {
        NSDate(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate)
      }
    case is NSData.Type: return (any as? Data).map { NSData(data: $0) }
    case is NSString.Type: return (any as? String).map { NSString(string: $0) }
    case is NSURL.Type: return (any as? URL).map { NSURL(string: $0.absoluteString) as Any }
    case is NSUUID.Type: return (any as? UUID).map { NSUUID(uuidString: $0.uuidString) as Any }
    case is NSOrderedSet.Type where !(any is NSOrderedSet):
      return NSOrderedSet(array: NSManagedObject.members(of: any))
    case is NSSet.Type where !(any is NSSet): return NSSet(array: NSManagedObject.members(of: any))
    default: return any
    }
  }

  private static func number(_ any: Any) -> NSNumber? {
    switch any {
    case let flag as Bool: NSNumber(value: flag)
    case let number as Double: NSNumber(value: number)
    case let number as Float: NSNumber(value: number)
    case let number as any BinaryInteger: NSNumber(value: Int64(truncatingIfNeeded: number))
    default: nil
    }
  }
}
