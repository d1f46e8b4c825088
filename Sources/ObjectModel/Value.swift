/// Text by number: a literal of the model or scenario, or a token of a generated program.
///
/// Values stay free of heap storage this way, and generated text costs nothing until it is printed.
@usableFromInline package struct Symbol: Hashable, Sendable {
  /// Zero and above: an index into `SymbolTable`. Below zero: token `s1`, `s2`, ….
  @usableFromInline package let raw: Int32

  package init(literal index: Int) { raw = Int32(index) }
  /// The token printed as `s` and `number`; numbers start at 1.
  package init(token number: Int) { raw = -Int32(number) }

  @inlinable package static func == (a: Symbol, b: Symbol) -> Bool { a.raw == b.raw }

  package var token: Int? { raw < 0 ? Int(-raw) : nil }
}

/// The literals behind symbols. Grows only while a model or a scenario is read.
package struct SymbolTable: Hashable, Sendable {
  package private(set) var texts: [String] = []

  package init() {}

  /// The symbol of `text`: a token if it reads like one (`s12`), else its literal, added if new.
  package mutating func symbol(for text: String) -> Symbol {
    if text.first == "s", let number = Int32(text.dropFirst()).map({ Int($0) }), number > 0,
      text == "s\(number)"
    {
      return Symbol(token: number)
    }
    if let index = texts.firstIndex(of: text) { return Symbol(literal: index) }
    texts.append(text)
    return Symbol(literal: texts.count - 1)
  }

  package func text(of symbol: Symbol) -> String {
    if let token = symbol.token { return "s\(token)" }
    return texts[Int(symbol.raw)]
  }
}

/// What an attribute or a to-one relationship holds.
@usableFromInline package enum Value: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A float or double.
  case number(Double)
  /// `significand` · 10^`exponent`.
  case decimal(significand: Int64, exponent: Int8)
  case string(Symbol)
  /// Seconds since the reference date, 2001-01-01 00:00:00 UTC.
  case date(Int64)
  case uuid(UInt64, UInt64)
  /// Binary data, a URI or a transformable object: compared for equality and never looked into.
  case opaque(Symbol)
  /// The destination of a to-one relationship.
  case object(ObjectID)

  // Written out and inlined: other modules would ask for `==` by way of a table, and values are
  // compared more often than anything else.

  @inlinable package static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.decimal(let a, let i), .decimal(let b, let j)): a == b && i == j
    case (.string(let a), .string(let b)), (.opaque(let a), .opaque(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.uuid(let a, let b), .uuid(let c, let d)): a == c && b == d
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  @inlinable package static func != (a: Value, b: Value) -> Bool { !(a == b) }

  @inlinable package var isNull: Bool { if case .null = self { true } else { false } }

  @inlinable package var objectID: ObjectID? {
    if case .object(let id) = self { return id }
    return nil
  }
}

extension [Value] {
  /// As `==`, which other modules ask for each element by way of a table.
  @inlinable package func isSame(as other: [Value]) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}

/// Orders values for sorting and `<`: nil first, then by kind, then by size. Total for each kind.
package struct ValueOrder: Sendable {
  package let symbols: SymbolTable

  package init(symbols: SymbolTable) { self.symbols = symbols }

  package func precedes(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.boolean(let a), .boolean(let b)): !a && b
    case (.integer(let a), .integer(let b)): a < b
    case (.number(let a), .number(let b)): a < b
    case (.decimal(let a, let i), .decimal(let b, let j)): precedes(a, i, b, j)
    case (.string(let a), .string(let b)), (.opaque(let a), .opaque(let b)): precedes(a, b)
    case (.date(let a), .date(let b)): a < b
    // A moment that is no whole second.
    case (.date(let a), .number(let b)): Double(a) < b
    case (.number(let a), .date(let b)): a < Double(b)
    case (.uuid(let a, let b), .uuid(let c, let d)): a == c ? b < d : a < c
    case (.object(let a), .object(let b)): a < b
    default: rank(a) < rank(b)
    }
  }

  /// Literals by their text, then tokens by their number: a generated text needs no rendering.
  private func precedes(_ a: Symbol, _ b: Symbol) -> Bool {
    switch (a.token, b.token) {
    case (nil, nil): symbols.text(of: a) < symbols.text(of: b)
    case (let a?, let b?): a < b
    case (nil, _?): true
    case (_?, nil): false
    }
  }

  private func precedes(_ a: Int64, _ i: Int8, _ b: Int64, _ j: Int8) -> Bool {
    // Brings both to the smaller exponent; what overflows is larger than anything that does not.
    func scaled(_ significand: Int64, by places: Int) -> (Int64, overflow: Bool) {
      var result = significand
      for _ in 0..<places {
        let (next, overflow) = result.multipliedReportingOverflow(by: 10)
        if overflow { return (significand, true) }
        result = next
      }
      return (result, false)
    }
    let (left, leftOverflows) = scaled(a, by: Int(i) - Int(min(i, j)))
    let (right, rightOverflows) = scaled(b, by: Int(j) - Int(min(i, j)))
    if leftOverflows { return a < 0 }
    if rightOverflows { return b > 0 }
    return left < right
  }

  private func rank(_ value: Value) -> Int {
    switch value {
    case .null: 0
    case .boolean: 1
    case .integer: 2
    case .number: 3
    case .decimal: 4
    case .string: 5
    case .date: 6
    case .uuid: 7
    case .opaque: 8
    case .object: 9
    }
  }
}
