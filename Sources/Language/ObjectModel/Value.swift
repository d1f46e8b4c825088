/// A text, represented by a number: a literal of a model or scenario, or a token of a generated
/// program.
///
/// Values thus need no heap storage, and generated texts cost nothing until they are printed.
@usableFromInline package struct Symbol: Hashable, Sendable {
  /// An index into `SymbolTable` if not negative. Otherwise, the negated number of a token `s1`,
  /// `s2`, ….
  @usableFromInline package let raw: Int32

  package init(literal index: Int) { raw = Int32(index) }
  /// Creates the token that is printed as `s` and `number`. Numbers start at 1.
  package init(token number: Int) { raw = -Int32(number) }

  @inlinable package static func == (a: Symbol, b: Symbol) -> Bool { a.raw == b.raw }

  package var token: Int? { raw < 0 ? Int(-raw) : nil }
}

/// The texts of literal symbols. The table grows only while a model or a scenario is read.
package struct SymbolTable: Hashable, Sendable {
  package private(set) var texts: [String] = []

  package init() {}

  /// Returns the symbol of `text`. A text such as `s12` is a token. Other texts are literals, which
  /// are added if they are new.
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

/// The value of an attribute or a to-one relationship.
@usableFromInline package enum Value: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A float or double.
  case number(Double)
  /// `significand` · 10^`exponent`.
  case decimal(significand: Int64, exponent: Int8)
  case string(Symbol)
  /// The seconds since the reference date, 2001-01-01 00:00:00 UTC.
  case date(Int64)
  case uuid(UInt64, UInt64)
  /// Binary data, a URI or a transformable object, which is only compared for equality.
  case opaque(Symbol)
  /// The destination of a to-one relationship.
  case object(ObjectID)

  // Written out and inlined, because a synthesized `==` is called through a table from other
  // modules. No operation is more frequent than comparing values.

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
  /// Compares like `==`, which other modules call through a table for each element.
  @inlinable package func isSame(as other: [Value]) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}

/// The order of values for sorting and `<`: nil first, then by kind, then by size. The order is
/// total within each kind.
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
    // A date with a fraction of a second is a number.
    case (.date(let a), .number(let b)): Double(a) < b
    case (.number(let a), .date(let b)): a < Double(b)
    case (.uuid(let a, let b), .uuid(let c, let d)): a == c ? b < d : a < c
    case (.object(let a), .object(let b)): a < b
    default: rank(a) < rank(b)
    }
  }

  /// Compares literals by their texts, and tokens, which follow literals, by their numbers.
  /// Generated texts are not rendered.
  private func precedes(_ a: Symbol, _ b: Symbol) -> Bool {
    switch (a.token, b.token) {
    case (nil, nil): symbols.text(of: a) < symbols.text(of: b)
    case (let a?, let b?): a < b
    case (nil, _?): true
    case (_?, nil): false
    }
  }

  private func precedes(_ a: Int64, _ i: Int8, _ b: Int64, _ j: Int8) -> Bool {
    // Scale both to the smaller exponent. A number that overflows is the larger one.
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
