import ObjectModel

/// Writes values of a scenario as Swift source.
struct SwiftLiteral {
  let symbols: SymbolTable

  /// Returns a string literal.
  static func text(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\t": literal += "\\t"
      case "\r": literal += "\\r"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// Returns the value of an attribute, or `nil` for null.
  func text(_ value: Value, _ type: AttributeType) -> String {
    switch value {
    case .null: "nil"
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .decimal(let significand, let exponent):
      "NSDecimalNumber(string: \"\(significand)e\(exponent)\")"
    case .string(let symbol): SwiftLiteral.text(symbols.text(of: symbol))
    case .date(let seconds): "Date(timeIntervalSinceReferenceDate: \(seconds))"
    case .uuid(let high, let low): "UUID(uuidString: \"\(SwiftLiteral.uuid(high, low))\")!"
    case .opaque(let symbol): opaque(SwiftLiteral.text(symbols.text(of: symbol)), type)
    case .object: preconditionFailure("an attribute holds an object")
    }
  }

  private func opaque(_ literal: String, _ type: AttributeType) -> String {
    switch type {
    case .binaryData: "Data(\(literal).utf8)"
    case .uri: "URL(string: \(literal))!"
    default: literal
    }
  }

  private static func uuid(_ high: UInt64, _ low: UInt64) -> String {
    let digits = [high, low].map { word in
      let digits = String(word, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { group in
      String(digits.dropFirst(group.lowerBound).prefix(group.count))
    }
    return groups.joined(separator: "-")
  }
}

extension AttributeType {
  /// The type to which a program casts a result of key-value coding.
  var swiftType: String {
    switch self {
    case .integer16, .integer32, .integer64: "Int"
    case .decimal: "NSDecimalNumber"
    case .double, .float: "Double"
    case .string, .transformable: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .binaryData: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    }
  }

  /// The matching case of `NSAttributeType`.
  var constant: String {
    switch self {
    case .uuid: "UUIDAttributeType"
    case .uri: "URIAttributeType"
    default: "\(self)AttributeType"
    }
  }
}
