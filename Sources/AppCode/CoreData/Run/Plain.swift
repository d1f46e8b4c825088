import Foundation
import LiveCode
import ObjectModel

/// Converts attribute values between Swift code and the engine.
enum Plain {
  /// Returns the engine's value. If an attribute of `type` does not accept the value, this method
  /// traps, where Core Data raises an exception.
  static func value(
    of any: Any, _ type: AttributeType, _ symbol: (String) -> Symbol
  ) -> Value {
    guard let value = acceptableValue(of: any, type, symbol) else {
      misuse("unacceptable type of value for an attribute of type \(type): \(any)")
    }
    return value
  }

  /// Returns the engine's value, or nil if an attribute of `type` does not accept the value.
  static func acceptableValue(
    of any: Any, _ type: AttributeType, _ symbol: (String) -> Symbol
  ) -> Value? {
    if any is NSNull { return .null }
    switch type {
    case .integer16, .integer32, .integer64:
      if let number = integer(any) { return .integer(number) }
    case .boolean:
      if let flag = any as? Bool { return .boolean(flag) }
      if let number = integer(any) { return .boolean(number != 0) }
    case .double, .float:
      if let number = number(any) { return .number(number) }
    case .decimal:
      if let decimal = any as? Decimal { return value(of: decimal) }
      if let number = any as? NSDecimalNumber { return value(of: number.decimalValue) }
      // Converts the shortest decimal text of the number, so that 0.1 becomes exactly a tenth.
      if let number = any as? Float, Int64(exactly: number) == nil { return fraction("\(number)") }
      if !(any is any BinaryInteger), let number = number(any), Int64(exactly: number) == nil {
        return fraction("\(number)")
      }
      return integer(any).map { .decimal(significand: $0, exponent: 0) }
    case .string:
      if let text = any as? String { return .string(symbol(text)) }
    case .date:
      // A scalar property provides seconds.
      if let seconds = (any as? Date)?.timeIntervalSinceReferenceDate ?? number(any) {
        // Model files have whole seconds. A fraction is kept as a number, which sorts apart from
        // whole seconds.
        return Int64(exactly: seconds).map { .date($0) } ?? .number(seconds)
      }
    case .uuid:
      if let uuid = any as? UUID {
        let bytes = unsafe withUnsafeBytes(of: uuid.uuid) { unsafe Array($0) }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
          bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
        return .uuid(word(bytes[..<8]), word(bytes[8...]))
      }
    case .binaryData:
      if let data = any as? Data { return .opaque(symbol(data.base64EncodedString())) }
    case .uri:
      if let url = any as? URL { return .opaque(symbol(url.absoluteString)) }
    case .transformable: return .opaque(symbol(RunState.current.transformables.key(of: any)))
    }
    return nil
  }

  /// Returns the value that code reads, or nil for null. Numbers are `NSNumber` values, which cast
  /// to any number type that can represent them.
  static func value(_ value: Value, of type: AttributeType, _ text: (Symbol) -> String) -> Any? {
    switch (value, type) {
    case (.null, _): nil
    case (.boolean(let flag), _): NSNumber(value: flag)
    case (.integer(let number), .integer16):
      NSNumber(value: Int16(truncatingIfNeeded: number))
    case (.integer(let number), .integer32):
      NSNumber(value: Int32(truncatingIfNeeded: number))
    case (.integer(let number), _): NSNumber(value: number)
    case (.number(let seconds), .date): Date(timeIntervalSinceReferenceDate: seconds)
    case (.number(let number), .float): NSNumber(value: Float(number))
    case (.number(let number), _): NSNumber(value: number)
    case (.decimal(let significand, let exponent), _):
      NSDecimalNumber(
        mantissa: significand.magnitude, exponent: Int16(exponent), isNegative: significand < 0)
    case (.string(let symbol), _): text(symbol)
    case (.date(let seconds), _): Date(timeIntervalSinceReferenceDate: Double(seconds))
    case (.uuid(let high, let low), _): uuid(high, low)
    case (.opaque(let symbol), .binaryData): Data(base64Encoded: text(symbol))
    case (.opaque(let symbol), .uri): URL(string: text(symbol))
    case (.opaque(let symbol), _): RunState.current.transformables.value(of: text(symbol))
    case (.object, _): preconditionFailure("an attribute holds an object")
    }
  }

  /// Returns nil if the number has more than 18 digits before the decimal point.
  private static func fraction(_ text: String) -> Value? {
    guard let decimal = Decimal(string: text), abs(decimal) < 1_000_000_000_000_000_000 else {
      return nil
    }
    return value(of: decimal)
  }

  private static func integer(_ any: Any) -> Int64? {
    if let number = any as? any BinaryInteger { return Int64(exactly: number) }
    if let number = any as? NSNumber { return number.int64Value }
    return nil
  }

  private static func number(_ any: Any) -> Double? {
    switch any {
    case let number as Double: number
    case let number as Float: Double(number)
    case let number as NSNumber: number.doubleValue
    default: integer(any).map { Double($0) }
    }
  }

  private static func value(of decimal: Decimal) -> Value {
    guard decimal.isFinite, abs(decimal) < 1_000_000_000_000_000_000 else {
      misuse("a decimal with more than 18 digits before the point is not simulated: \(decimal)")
    }
    var (significand, exponent) = (rounded(decimal), 0)
    while significand != Decimal(NSDecimalNumber(decimal: significand).int64Value) {
      significand *= 10
      exponent -= 1
    }
    return .decimal(
      significand: NSDecimalNumber(decimal: significand).int64Value, exponent: Int8(exponent))
  }

  /// Rounds to 18 digits, which is more than SQLite keeps of a decimal.
  private static func rounded(_ decimal: Decimal) -> Decimal {
    let surplus = "\(decimal.significand)".count - 18
    guard surplus > 0 else { return decimal }
    let behavior = NSDecimalNumberHandler(
      roundingMode: .plain, scale: Int16(-decimal.exponent - surplus), raiseOnExactness: false,
      raiseOnOverflow: false, raiseOnUnderflow: false, raiseOnDivideByZero: false)
    return NSDecimalNumber(decimal: decimal).rounding(accordingToBehavior: behavior).decimalValue
  }

  private static func uuid(_ high: UInt64, _ low: UInt64) -> UUID {
    var digits = ""
    for word in [high, low] {
      let hex = String(word, radix: 16, uppercase: true)
      digits += String(repeating: "0", count: 16 - hex.count) + hex
    }
    for offset in [20, 16, 12, 8] {
      digits.insert("-", at: digits.index(digits.startIndex, offsetBy: offset))
    }
    return UUID(uuidString: digits) ?? UUID()
  }
}

/// The transformable values of a run, kept as they are. Objects that are not `Hashable` are
/// distinguished by identity.
final class Transformables {
  private var values: [Any] = []
  private var keys: [AnyHashable: Int] = [:]

  func key(of any: Any) -> String {
    let key =
      (any as? [String: Any]).map { AnyHashable(NSDictionary(dictionary: $0)) }
      ?? (any as? AnyHashable)
      ?? (type(of: any) is AnyClass ? AnyHashable(ObjectIdentifier(any as AnyObject)) : nil)
    if let key, let number = keys[key] { return "value \(number)" }
    if let key { keys[key] = values.count }
    values.append(any)
    return "value \(values.count - 1)"
  }

  func value(of key: String) -> Any? {
    guard let number = Int(key.dropFirst("value ".count)) else { return nil }
    return values.indices.contains(number) ? values[number] : nil
  }
}
