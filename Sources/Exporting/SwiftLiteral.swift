import ObjectModel

/// Values of a scenario as Swift source.
struct SwiftLiteral {
  let symbols: SymbolTable

  /// A text as a string literal.
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

  /// The value of an attribute; `nil` for null.
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
  /// The type to which a program casts what key-value coding answers.
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

  /// Its case of `NSAttributeType`.
  var constant: String {
    switch self {
    case .uuid: "UUIDAttributeType"
    case .uri: "URIAttributeType"
    default: "\(self)AttributeType"
    }
  }
}
