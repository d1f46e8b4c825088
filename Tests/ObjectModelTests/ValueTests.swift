import ObjectModel
import Testing

@Suite struct `A symbol` {
  @Test func `a symbol is a token or a literal, never both`() {
    #expect(Symbol(token: 1).token == 1 && Symbol(token: 12).token == 12)
    #expect(Symbol(literal: 0).token == nil && Symbol(literal: 12).token == nil)
    #expect(Symbol(literal: 1) != Symbol(token: 1))
  }
}

@Suite struct `A symbol table` {
  private var table = SymbolTable()

  @Test(arguments: [("s1", 1), ("s12", 12), ("s2147483647", 2_147_483_647)])
  mutating func `a symbol table reads a token where one is written`(text: String, number: Int) {
    let symbol = table.symbol(for: text)
    #expect(symbol == Symbol(token: number))
    #expect(table.text(of: symbol) == text && table.texts.isEmpty)
  }

  @Test(arguments: [
    "", "s", "s0", "s01", "s-1", "s+1", "s1 ", "S1", "s1x", "1", "s2147483648",
    "s99999999999999999999",
  ])
  mutating func `a symbol table takes for a literal what only looks like a token`(text: String) {
    let symbol = table.symbol(for: text)
    #expect(symbol == Symbol(literal: 0) && table.text(of: symbol) == text)
  }

  @Test mutating func `a symbol table has one symbol for one text, in order of arrival`() {
    let symbols = ["b", "a", "b", "s3", "c", "a"].map { table.symbol(for: $0) }
    let (b, a, c) = (Symbol(literal: 0), Symbol(literal: 1), Symbol(literal: 2))
    #expect(symbols == [b, a, b, Symbol(token: 3), c, a])
    #expect(table.texts == ["b", "a", "c"])
  }
}

@Suite struct `The order of values` {
  /// Checks values in ascending order. The values of each inner list are equal in the order.
  private func check(_ ascending: [[Value]], _ order: ValueOrder) {
    for (i, equals) in ascending.enumerated() {
      for (j, others) in ascending.enumerated() {
        for a in equals {
          for b in others { #expect(order.precedes(a, b) == (i < j), "\(a) and \(b)") }
        }
      }
    }
  }

  @Test func `values are ordered by kind, nil first, then by size`() {
    var symbols = SymbolTable()
    // The later literal sorts first, because only the text counts.
    let (pear, apple) = (symbols.symbol(for: "pear"), symbols.symbol(for: "apple"))
    let (s2, s10) = (Symbol(token: 2), Symbol(token: 10))
    let row = ObjectID.permanent(EntityID(0), key: 9, in: StoreID(0))
    check(
      [
        [.null], [.boolean(false)], [.boolean(true)],
        [.integer(.min)], [.integer(-1)], [.integer(0)], [.integer(.max)],
        [.number(-.infinity)], [.number(-0.0), .number(0)], [.number(0.5)], [.number(.infinity)],
        [.decimal(significand: 0, exponent: 0)], [.decimal(significand: 1, exponent: 0)],
        [.string(apple)], [.string(pear)], [.string(s2)], [.string(s10)],
        [.uuid(0, .max)], [.uuid(1, 0)], [.uuid(1, 1)], [.uuid(.max, 0)],
        [.opaque(apple)], [.opaque(pear)], [.opaque(s2)], [.opaque(s10)],
        [.object(row)], [.object(.temporary(EntityID(0), serial: 1))],
      ], ValueOrder(symbols: symbols))
  }

  /// A moment that is not a whole second is stored as a number.
  @Test func `moments are ordered by time, whole seconds or not`() {
    check(
      [
        [.number(-1.5)], [.date(-1)], [.date(1), .number(1)], [.number(1.5)], [.date(2)],
      ], ValueOrder(symbols: SymbolTable()))
  }

  @Test func `decimals are ordered by their worth, however large`() {
    func decimal(_ significand: Int64, _ exponent: Int8) -> Value {
      .decimal(significand: significand, exponent: exponent)
    }
    check(
      [
        [decimal(-1, 127)], [decimal(-1, 19)], [decimal(.min, 0)],
        [decimal(-2, 1), decimal(-20, 0)],
        [decimal(-1, 0), decimal(-10, -1)], [decimal(-1, -128)],
        [decimal(0, 0), decimal(0, 127), decimal(0, -128)],
        [decimal(1, -128)], [decimal(.max, -128)], [decimal(14, -1)],
        [decimal(15, -1), decimal(150, -2)], [decimal(2, 0)],
        [decimal(1, 18), decimal(1_000_000_000_000_000_000, 0)],
        [decimal(.max, 0)], [decimal(1, 19), decimal(10, 18)], [decimal(.max, 1)],
        [decimal(1, 127)], [decimal(2, 127)],
      ], ValueOrder(symbols: SymbolTable()))
  }
}

@Suite struct `A value` {
  @Test func `a value tells whether it is nil and where it leads`() {
    let id = ObjectID.temporary(EntityID(0), serial: 1)
    #expect(Value.null.isNull && !Value.boolean(false).isNull)
    #expect(Value.object(id).objectID == id && Value.integer(1).objectID == nil)
  }

  @Test(arguments: AttributeType.allCases)
  func `numbered values of a type differ from number to number`(type: AttributeType) {
    let attribute = Attribute(type: type)
    let values = (1...50).map { attribute.value(numbered: $0) }
    #expect(Set(values).count == (type == .boolean ? 2 : 50))
    #expect(!values.contains(.null) && values == (1...50).map { attribute.value(numbered: $0) })
    // Ascending numbers give ascending values, so that sorting by the values tests something.
    if type == .boolean { return }
    let order = ValueOrder(symbols: SymbolTable())
    for (a, b) in zip(values, values.dropFirst()) { #expect(order.precedes(a, b), "\(a), \(b)") }
  }
}
