import ObjectModel
import Prose

extension Attribute {
  /// The attribute that an element declares.
  ///
  /// Ignores, as Xcode does, what Xcode leaves behind when a type is changed, such as the default
  /// text of a date.
  init(_ element: ModelElement, symbols: inout SymbolTable) throws(InputError) {
    self.init(type: try AttributeType(element))
    isOptional = try element.flag("optional")
    isTransient = try element.flag("transient")
    let isDate = type == .date
    defaultValue =
      try value(
        of: isDate ? "defaultDateTimeInterval" : "defaultValueString", in: element, &symbols)
      ?? .null
    minimum = try limit(isDate ? "minDateTimeInterval" : "minValueString", in: element, &symbols)
    maximum = try limit(isDate ? "maxDateTimeInterval" : "maxValueString", in: element, &symbols)
    if let minimum, let maximum, ValueOrder(symbols: symbols).precedes(maximum, minimum) {
      throw element.error("the minimum is above the maximum; exchange them")
    }
  }

  private func limit(
    _ key: String, in element: ModelElement, _ symbols: inout SymbolTable
  ) throws(InputError) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date:
      return try value(of: key, in: element, &symbols)
    case .string:
      guard let text = element[key], !text.isEmpty else { return nil }
      guard let length = Number(text)?.integer, (0...1_000_000_000).contains(length)
      else {
        throw element.error(
          "\(key) is \(quoted(text)); a length is a number from 0 to 1000000000")
      }
      return .integer(length)
    case .boolean, .binaryData, .uuid, .uri, .transformable:
      return nil
    }
  }

  /// The value of this type that an XML attribute states; nil if it states none.
  private func value(
    of key: String, in element: ModelElement, _ symbols: inout SymbolTable
  ) throws(InputError) -> Value? {
    guard let text = element[key] else { return nil }
    // Symbols number their tokens, which read like `s12`, with 32 bits.
    if text.hasPrefix("s"), let number = Int(text.dropFirst()), number > Int(Int32.max) {
      throw element.error("\(key) is \(quoted(text)), a generated text; these end at s\(Int32.max)")
    }
    if type == .string { return .string(symbols.symbol(for: text)) }
    if text.isEmpty { return nil }
    let value: Value? =
      switch type {
      case .integer16: integer(text, within: Int64(Int16.min)...Int64(Int16.max))
      case .integer32: integer(text, within: Int64(Int32.min)...Int64(Int32.max))
      case .integer64: integer(text, within: .min ... .max)
      case .decimal:
        Number(text).map { .decimal(significand: $0.significand, exponent: $0.exponent) }
      case .double: Double(text).flatMap { $0.isFinite ? .number($0) : nil }
      case .float: Double(text).flatMap { Float($0).isFinite ? .number($0) : nil }
      case .boolean: boolean(text)
      case .date: date(text)
      case .uuid: uuid(text)
      case .string, .binaryData, .uri, .transformable: .opaque(symbols.symbol(for: text))
      }
    guard let value else { throw element.error("\(key) is \(quoted(text)); \(expectation)") }
    return value
  }

  private var expectation: String {
    switch type {
    case .integer16: "an Integer 16 is a whole number from -32768 to 32767"
    case .integer32: "an Integer 32 is a whole number from -2147483648 to 2147483647"
    case .integer64: "an Integer 64 is a whole number of 64 bits"
    case .decimal: "a Decimal is a number like 12.50, of 18 digits at most"
    case .double, .float: "a number like 12.5 is expected"
    case .boolean: "a Boolean is YES or NO"
    case .date: "a Date is a number of seconds since 2001"
    case .uuid: "a UUID is 32 hexadecimal digits, grouped 8-4-4-4-12"
    case .string, .binaryData, .uri, .transformable: "any text will do"
    }
  }

  private func integer(_ text: String, within range: ClosedRange<Int64>) -> Value? {
    guard let number = Number(text)?.integer, range.contains(number) else { return nil }
    return .integer(number)
  }

  /// Models whose attribute was a number once, or that a tool wrote, say 1 and 0.
  private func boolean(_ text: String) -> Value? {
    switch text {
    case "YES", "1", "true": .boolean(true)
    case "NO", "0", "false": .boolean(false)
    default: nil
    }
  }

  /// A simulated date has no fractions of a second: those that the file states are cut off.
  private func date(_ text: String) -> Value? {
    guard let seconds = Double(text), seconds.isFinite else { return nil }
    return Int64(exactly: seconds.rounded(.down)).map { .date($0) }
  }

  private func uuid(_ text: String) -> Value? {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = groups.joined()
    guard digits.allSatisfy(\.isHexDigit), let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    return .uuid(high, low)
  }
}

extension AttributeType {
  fileprivate init(_ element: ModelElement) throws(InputError) {
    switch element["attributeType"] {
    case "Integer 16": self = .integer16
    case "Integer 32": self = .integer32
    case "Integer 64": self = .integer64
    case "Decimal": self = .decimal
    case "Double": self = .double
    case "Float": self = .float
    case "String": self = .string
    case "Boolean": self = .boolean
    case "Date": self = .date
    case "Binary": self = .binaryData
    case "UUID": self = .uuid
    case "URI": self = .uri
    // A composite is set and compared as a whole, like a transformable object.
    case "Transformable", "Composite": self = .transformable
    case "Undefined", nil:
      throw element.error("an attribute of no type, which cannot be simulated; choose one in Xcode")
    case let text?:
      let known = [
        "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean",
        "Date", "Binary", "UUID", "URI", "Transformable",
      ]
      throw element.error(
        "attributeType is \(quoted(text)), which is none; " + suggestion(for: text, among: known))
    }
  }
}

extension Relationship {
  /// The relationship that an element declares, its inverse left open.
  init(_ element: ModelElement, destination: EntityID) throws(InputError) {
    self.init(destination: destination)
    isOptional = try element.flag("optional")
    isToMany = try element.flag("toMany")
    deleteRule = try DeleteRule(element)
    guard try !element.flag("transient") else {
      throw element.error("a transient relationship, which is not simulated; make it a stored one")
    }
    let minimum = try Relationship.count("minCount", of: element)
    let maximum = try Relationship.count("maxCount", of: element)
    // A to-one relationship says maxCount="1", and there is nothing to count. When the app runs,
    // that number alone decides (RD-A1).
    if maximum == 1 { isToMany = false }
    guard isToMany else { return }
    isOrdered = try element.flag("ordered")
    minimumCount = minimum
    maximumCount = maximum
    guard maximum == 0 || minimum <= maximum else {
      throw element.error("minCount is above maxCount; exchange them")
    }
  }

  private static func count(_ key: String, of element: ModelElement) throws(InputError) -> Int {
    guard let text = element[key], !text.isEmpty else { return 0 }
    // No engine has to fear sums of a few counts.
    guard let count = Number(text)?.integer, (0...1_000_000_000).contains(count) else {
      throw element.error("\(key) is \(quoted(text)); a count is a number from 0 to 1000000000")
    }
    return Int(count)
  }
}

extension DeleteRule {
  fileprivate init(_ element: ModelElement) throws(InputError) {
    switch element["deletionRule"] {
    case "No Action": self = .noAction
    case "Nullify", nil: self = .nullify
    case "Cascade": self = .cascade
    case "Deny": self = .deny
    case let text?:
      throw element.error(
        "deletionRule is \(quoted(text)), which is none; "
          + suggestion(for: text, among: ["No Action", "Nullify", "Cascade", "Deny"]))
    }
  }
}

/// A decimal number, its exponent as near to 0 as its digits allow: equal numbers are equal values.
private struct Number {
  let significand: Int64
  let exponent: Int8

  /// An integer in full; nil if it has a fraction or exceeds 64 bits.
  var integer: Int64? { exponent == 0 ? significand : nil }

  /// Reads `-12.50` and `1e6`.
  init?(_ text: String) {
    let halves = text.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    // Zeros at the end of a fraction would only use up digits.
    let digits = parts[0] + String(fraction.reversed().drop { $0 == "0" }.reversed())
    guard fraction.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int64(digits),
      let power = halves.count == 2 ? Int(halves[1]) : 0, (-100...100).contains(power)
    else { return nil }
    var significand = number
    var exponent = number == 0 ? 0 : power - (digits.count - parts[0].count)
    while exponent < 0, significand % 10 == 0 {
      significand /= 10
      exponent += 1
    }
    while exponent > 0 {
      let (next, overflows) = significand.multipliedReportingOverflow(by: 10)
      if overflows { break }
      significand = next
      exponent -= 1
    }
    guard let exponent = Int8(exactly: exponent) else { return nil }
    self.significand = significand
    self.exponent = exponent
  }
}
