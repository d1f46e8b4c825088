import ObjectModel
import Prose

extension AttributeType {
  /// The word for the type in texts.
  var word: String {
    switch self {
    case .integer64: "integer"
    case .binaryData: "data"
    default: rawValue
    }
  }

  /// Creates the type with the given word, which may also be Apple's name.
  init?(word: String) {
    guard let type = AttributeType.allCases.first(where: { $0.word == word || $0.rawValue == word })
    else { return nil }
    self = type
  }
}

extension LineReader {
  /// Reads a value of an attribute of type `type`, or `nil`.
  mutating func literal(_ type: AttributeType, _ symbols: inout SymbolTable) throws(TextError)
    -> Value
  {
    if takes(keyword: "nil") { return .null }
    if isAtEnd { throw missing("a value") }
    switch type {
    case .integer16: return .integer(try integer(Int64(Int16.min)...Int64(Int16.max), type))
    case .integer32: return .integer(try integer(Int64(Int32.min)...Int64(Int32.max), type))
    case .integer64: return .integer(try integer(Int64.min...Int64.max, type))
    case .decimal: return try decimal()
    case .double, .float: return .number(try number(type))
    case .boolean: return .boolean(try boolean())
    case .date: return try date()
    case .uuid: return try uuid()
    case .string: return .string(try text("\"", "\"", type, &symbols))
    case .binaryData, .uri, .transformable: return .opaque(try text("<", ">", type, &symbols))
    }
  }

  private func wrong(_ word: String, _ type: AttributeType, _ example: String) -> TextError {
    error("'\(shortened(word))' is not of type \(type.word); write \(example) or nil")
  }

  private mutating func integer(_ range: ClosedRange<Int64>, _ type: AttributeType)
    throws(TextError) -> Int64
  {
    let word = word()
    if let number = Int64(word), range.contains(number) { return number }
    let digits = word.hasPrefix("-") ? word.dropFirst() : word[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit) else {
      throw wrong(word, type, "a whole number such as 42")
    }
    throw error(
      "\(shortened(word)) does not fit \(type.word), which holds \(range.lowerBound) to "
        + "\(range.upperBound)")
  }

  private mutating func boolean() throws(TextError) -> Bool {
    switch word() {
    case "true": return true
    case "false": return false
    case let word: throw wrong(word, .boolean, "true, false")
    }
  }

  private mutating func number(_ type: AttributeType) throws(TextError) -> Double {
    let word = word()
    // `Double.init` also accepts inf, nan and hexadecimal numbers.
    let looksRight = word.utf8.allSatisfy { isDigit($0) || ".eE+-".utf8.contains($0) }
    guard looksRight, let number = Double(word) else {
      throw wrong(word, type, "a number such as 1.5")
    }
    let fits = type == .float ? Float(number).isFinite : number.isFinite
    if fits { return number }
    throw error("\(shortened(word)) does not fit \(type.word); it is too large")
  }

  private mutating func decimal() throws(TextError) -> Value {
    let word = word()
    let wrong = wrong(word, .decimal, "a number such as 12.50")
    let parts = word.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let whole = digits[0].hasPrefix("-") ? digits[0].dropFirst() : digits[0]
    let fraction = digits.count == 2 ? digits[1] : ""
    guard !whole.isEmpty, whole.utf8.allSatisfy(isDigit), fraction.utf8.allSatisfy(isDigit),
      digits.count == 1 || !fraction.isEmpty
    else { throw wrong }
    var exponent = 0
    if parts.count == 2 {
      guard let power = decimalNumber(String(parts[1])), abs(power / 2) < 1000 else { throw wrong }
      exponent = power
    }
    exponent -= fraction.utf8.count
    guard let significand = Int64(digits[0] + fraction), let exponent = Int8(exactly: exponent)
    else { throw error("\(shortened(word)) does not fit decimal; it has too many digits") }
    return .decimal(significand: significand, exponent: exponent)
  }

  private mutating func uuid() throws(TextError) -> Value {
    let word = word()
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12], !word.utf8.contains(UInt8(ascii: "+")),
      let high = UInt64(parts[0...2].joined(), radix: 16),
      let low = UInt64(parts[3...4].joined(), radix: 16)
    else { throw wrong(word, .uuid, "00000000-0000-0000-0000-000000000001") }
    return .uuid(high, low)
  }

  private mutating func text(
    _ start: String, _ end: Unicode.Scalar, _ type: AttributeType,
    _ symbols: inout SymbolTable
  ) throws(TextError) -> Symbol {
    guard takes(start) else { throw wrong(nextWord, type, "\(start)text\(end)") }
    let text = try escapedText(until: end)
    // Symbols number generated texts with 32 bits.
    if text.hasPrefix("s"), let number = Int(text.dropFirst()), number > Int(Int32.max) {
      throw error("text '\(text)' looks like a generated text; these end at s\(Int32.max)")
    }
    return symbols.symbol(for: text)
  }
}

extension Value {
  /// Returns the spelling of the value in texts.
  ///
  /// - Parameters:
  ///   - type: The type of the attribute. A number of seconds is printed as a date only with type
  ///     `date`.
  ///   - name: Returns the name of an object.
  func text(
    _ symbols: SymbolTable, of type: AttributeType? = nil, _ dates: DateStyle = .seconds,
    name: (ObjectID) -> String
  ) -> String {
    switch self {
    case .number(let seconds) where type == .date: DateStyle.calendar.text(seconds)
    case .null: "nil"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .decimal(let significand, let exponent): decimalText(significand, exponent)
    case .string(let symbol): escaped(symbols.text(of: symbol), "\"", "\"")
    case .date(let seconds): dates.text(Double(seconds))
    case .uuid(let high, let low): uuidText(high, low)
    case .opaque(let symbol): escaped(symbols.text(of: symbol), "<", ">")
    case .object(let id): name(id)
    }
  }
}

private func decimalText(_ significand: Int64, _ exponent: Int8) -> String {
  if exponent > 0 { return "\(significand)e\(exponent)" }
  if exponent == 0 { return "\(significand)" }
  let places = -Int(exponent)
  let digits = "\(significand.magnitude)"
  let padded = String(repeating: "0", count: max(0, places + 1 - digits.utf8.count)) + digits
  let sign = significand < 0 ? "-" : ""
  return "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))"
}

private func uuidText(_ high: UInt64, _ low: UInt64) -> String {
  let digits = [high, low].map { word in
    let digits = String(word, radix: 16, uppercase: true)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }.joined()
  var rest = digits[...]
  return [8, 4, 4, 4, 12].map { length in
    defer { rest = rest.dropFirst(length) }
    return String(rest.prefix(length))
  }.joined(separator: "-")
}

/// Returns the quoted spelling of a text that is not an attribute value.
func quoted(_ text: String) -> String { escaped(text, "\"", "\"") }

private func escaped(_ text: String, _ start: String, _ end: Unicode.Scalar) -> String {
  var result = start
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\\": result += "\\\\"
    case end: result += "\\\(end)"
    default: result.unicodeScalars.append(scalar)
    }
  }
  result.unicodeScalars.append(end)
  return result
}
