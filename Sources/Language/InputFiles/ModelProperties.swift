import ObjectModel
import Prose

/// The results of reading a model other than its entities.
struct ModelReading {
  var symbols = SymbolTable()
  var errors = InputErrors()
  var notes: ModelNotes
}

extension Attribute {
  /// Creates the attribute that an element declares. Errors are added to `reading`.
  ///
  /// Like Xcode, ignores settings that remain from a former type, such as the default text of a
  /// date.
  init(_ element: ModelElement, called path: String, _ reading: inout ModelReading) {
    let isTransient = element.flag("transient", &reading.errors)
    let type = AttributeType.stated(by: element, isTransient: isTransient, &reading.errors)
    self.init(type: type ?? .transformable)
    self.isTransient = isTransient
    isOptional = element.flag("optional", &reading.errors)
    // Values of an unknown type cannot be checked.
    guard type != nil else { return }
    if element.hasNoType { reading.notes.passOver(.untypedAttribute, path) }
    let isDate = type == .date
    for key in ["defaultDateTimeInterval", "minDateTimeInterval", "maxDateTimeInterval"]
    where isDate && element[key].flatMap({ Double($0) }).map({ $0 != $0.rounded() }) == true {
      reading.notes.passOver(.fractionOfSecond, path)
    }
    let text = element["defaultValueString"] ?? ""
    if type == .uuid, isOptional, !text.isEmpty, uuid(text) == nil {
      // A published app has such a default, which remains from a former type of the attribute.
      reading.notes.passOver(.uuidDefault, path)
    } else {
      defaultValue =
        value(of: isDate ? "defaultDateTimeInterval" : "defaultValueString", in: element, &reading)
        ?? .null
    }
    minimum = limit(isDate ? "minDateTimeInterval" : "minValueString", in: element, &reading)
    maximum = limit(isDate ? "maxDateTimeInterval" : "maxValueString", in: element, &reading)
    if let minimum, let maximum, ValueOrder(symbols: reading.symbols).precedes(maximum, minimum) {
      reading.errors.add(element.error("the minimum is above the maximum; swap them"))
    }
  }

  private func limit(
    _ key: String, in element: ModelElement, _ reading: inout ModelReading
  ) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date:
      return value(of: key, in: element, &reading)
    case .string:
      guard let text = element[key], !text.isEmpty else { return nil }
      guard let length = DecimalText(text)?.integer, (0...1_000_000_000).contains(length) else {
        reading.errors.add(
          element.error(
            "\(key) is \(quoted(text)); a length is a number from 0 to 1000000000"))
        return nil
      }
      return .integer(length)
    case .boolean, .binaryData, .uuid, .uri, .transformable:
      return nil
    }
  }

  /// Returns the value of an XML attribute, or `nil` if the element does not have that attribute.
  private func value(
    of key: String, in element: ModelElement, _ reading: inout ModelReading
  ) -> Value? {
    guard let text = element[key] else { return nil }
    // Symbols number generated texts, such as `s12`, with 32 bits.
    if text.hasPrefix("s"), let number = Int(text.dropFirst()), number > Int(Int32.max) {
      reading.errors.add(
        element.error(
          "\(key) is \(quoted(text)), a generated text; these end at s\(Int32.max)"))
      return nil
    }
    if type == .string { return .string(reading.symbols.symbol(for: text)) }
    if text.isEmpty || element.hasNoType { return nil }
    let value: Value? =
      switch type {
      case .integer16: integer(text, within: Int64(Int16.min)...Int64(Int16.max))
      case .integer32: integer(text, within: Int64(Int32.min)...Int64(Int32.max))
      case .integer64: integer(text, within: .min ... .max)
      case .decimal:
        decimal(text).map { .decimal(significand: $0.significand, exponent: $0.exponent) }
      case .double: double(text).flatMap { $0.isFinite ? .number($0) : nil }
      case .float: double(text).flatMap { Float($0).isFinite ? .number($0) : nil }
      case .boolean: boolean(text)
      case .date: date(text)
      case .uuid: uuid(text)
      case .string, .binaryData, .uri, .transformable:
        .opaque(reading.symbols.symbol(for: text))
      }
    if value == nil {
      reading.errors.add(element.error("\(key) is \(quoted(text)); \(expectation)"))
    }
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
    guard let number = decimal(text)?.integer, range.contains(number) else { return nil }
    return .integer(number)
  }

  // An attribute whose type changed from or to Boolean keeps its old default text. Xcode reads YES
  // as 1 and 0.0 as NO.

  private func decimal(_ text: String) -> DecimalText? {
    switch truth(text) {
    case true?: DecimalText("1")
    case false?: DecimalText("0")
    case nil: DecimalText(text)
    }
  }

  private func double(_ text: String) -> Double? {
    truth(text).map { $0 ? 1 : 0 } ?? Double(text)
  }

  private func boolean(_ text: String) -> Value? {
    (truth(text) ?? DecimalText(text).map { $0.significand != 0 }).map { .boolean($0) }
  }

  private func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true": true
    case "no", "false": false
    default: nil
    }
  }

  /// Returns the date, rounded down to a whole second.
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
  /// Returns the type that an element states. Adds an error and returns `nil` if the type is
  /// unknown, or missing in a stored attribute.
  fileprivate static func stated(
    by element: ModelElement, isTransient: Bool, _ errors: inout InputErrors
  ) -> AttributeType? {
    switch element["attributeType"] {
    case "Integer 16": return .integer16
    case "Integer 32": return .integer32
    case "Integer 64": return .integer64
    case "Decimal": return .decimal
    case "Double": return .double
    case "Float": return .float
    case "String": return .string
    case "Boolean": return .boolean
    case "Date": return .date
    case "Binary": return .binaryData
    case "UUID": return .uuid
    case "URI": return .uri
    // A composite is set and compared as a whole, like a transformable object. So is the value of a
    // transient attribute without a type, which can be any object and is never stored.
    case "Transformable", "Composite": return .transformable
    case _ where element.hasNoType:
      if isTransient { return .transformable }
      errors.add(
        element.error(
          "a stored attribute without a type; choose a type in Xcode, or make the attribute transient"
        ))
      return nil
    default:
      let text = element["attributeType"] ?? ""
      let known = [
        "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean",
        "Date", "Binary", "UUID", "URI", "Transformable",
      ]
      errors.add(
        element.error(
          "attributeType is \(quoted(text)), which is unknown; "
            + suggestion(for: text, among: known))
      )
      return nil
    }
  }
}

extension ModelElement {
  /// A Boolean value that indicates whether the element is an attribute without a type. Xcode
  /// writes Undefined or omits the type.
  fileprivate var hasNoType: Bool {
    self["attributeType"].map { $0.isEmpty || $0 == "Undefined" } ?? true
  }
}

extension Relationship {
  /// Creates the relationship that an element declares, without its inverse. Errors are added to
  /// `errors`.
  init(_ element: ModelElement, destination: EntityID, _ errors: inout InputErrors) {
    self.init(destination: destination)
    isOptional = element.flag("optional", &errors)
    isToMany = element.flag("toMany", &errors)
    deleteRule = DeleteRule(element, &errors)
    let minimum = Relationship.count("minCount", of: element, &errors)
    let maximum = Relationship.count("maxCount", of: element, &errors)
    // A to-one relationship has maxCount="1" and needs no counts. At run time, Core Data decides by
    // that number alone (RD-A1).
    if maximum == 1 { isToMany = false }
    guard isToMany else { return }
    isOrdered = element.flag("ordered", &errors)
    minimumCount = minimum
    maximumCount = maximum
    if maximum > 0, minimum > maximum {
      errors.add(element.error("minCount is above maxCount; swap them"))
    }
  }

  private static func count(
    _ key: String, of element: ModelElement, _ errors: inout InputErrors
  ) -> Int {
    guard let text = element[key], !text.isEmpty else { return 0 }
    // The limit ensures that sums of a few counts do not overflow.
    guard let count = DecimalText(text)?.integer, (0...1_000_000_000).contains(count) else {
      errors.add(
        element.error("\(key) is \(quoted(text)); a count is a number from 0 to 1000000000"))
      return 0
    }
    return Int(count)
  }
}

extension DeleteRule {
  fileprivate init(_ element: ModelElement, _ errors: inout InputErrors) {
    switch element["deletionRule"] {
    case "No Action": self = .noAction
    case "Nullify", nil: self = .nullify
    case "Cascade": self = .cascade
    case "Deny": self = .deny
    case let text?:
      self = .nullify
      errors.add(
        element.error(
          "deletionRule is \(quoted(text)), which is unknown; "
            + suggestion(for: text, among: ["No Action", "Nullify", "Cascade", "Deny"])))
    }
  }
}
