import ObjectModel
import Vocabulary

/// Computations of predicates and dictionary requests.
extension Aggregate.Function {
  /// Computes an aggregate of the values that are not nil. §aggregate
  func value(of all: [Value], _ order: ValueOrder) -> Value {
    let values = all.filter { !$0.isNull }
    switch self {
    case .count: return .integer(Int64(values.count))
    case .min: return values.min { order.precedes($0, $1) } ?? .null
    case .max: return values.max { order.precedes($0, $1) } ?? .null
    case .sum: return values.reduce(Value.integer(0)) { $0.plus($1) }
    case .average:
      if values.isEmpty { return .null }
      let sum = values.reduce(Value.integer(0)) { $0.plus($1) }
      return .number(sum.amount / Double(values.count))
    }
  }
}

extension PredicateTree.Operation {
  /// Computes an operation. The result is null if an operand is null or has an unsupported type.
  /// §term-values.8
  func value(of operands: [Value], _ order: ValueOrder) -> Value {
    if self == .length {
      guard case .string(let symbol)? = operands.first else { return .null }
      return .integer(Int64(order.symbols.text(of: symbol).utf16.count))
    }
    guard operands.count == 2, let a = operands[0].term, let b = operands[1].term else {
      return .null
    }
    switch (self, a, b) {
    case (.plus, _, _): return a.plus(b)
    case (.minus, .integer(let x), .integer(let y)): return .integer(x &- y)
    case (.minus, _, _): return .number(a.amount - b.amount)
    case (.times, .integer(let x), .integer(let y)): return .integer(x &* y)
    default: return .number(a.amount * b.amount)
    }
  }
}

extension Value {
  /// The value as an operand of arithmetic, or `nil` if the value is not a number.
  fileprivate var term: Value? {
    switch self {
    case .integer, .number: self
    case .decimal: .number(amount)
    case .date(let seconds): .number(Double(seconds))
    default: nil
    }
  }

  /// Returns the sum of two numbers. Sums of integers and of decimals are exact unless they
  /// overflow.
  fileprivate func plus(_ other: Value) -> Value {
    switch (self, other) {
    case (.integer(let a), .integer(let b)):
      let (sum, overflow) = a.addingReportingOverflow(b)
      return overflow ? .number(Double(a) + Double(b)) : .integer(sum)
    case (.integer(0), .decimal): return other
    case (.decimal(let a, let i), .decimal(let b, let j)):
      let exponent = Swift.min(i, j)
      guard let first = Value.scaled(a, by: Int(i) - Int(exponent)),
        let second = Value.scaled(b, by: Int(j) - Int(exponent))
      else { return .number(amount + other.amount) }
      let (sum, overflow) = first.addingReportingOverflow(second)
      return overflow
        ? .number(amount + other.amount) : .decimal(significand: sum, exponent: exponent)
    default: return .number(amount + other.amount)
    }
  }

  private static func scaled(_ significand: Int64, by places: Int) -> Int64? {
    var result = significand
    for _ in 0..<places {
      let (next, overflow) = result.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      result = next
    }
    return result
  }

  /// The number as a fraction. Zero for Booleans, dates, and values that are not numbers.
  var amount: Double {
    switch self {
    case .integer(let number): return Double(number)
    case .number(let number): return number
    case .decimal(let significand, let exponent):
      var power = 1.0
      for _ in 0..<abs(Int(exponent)) { power *= 10 }
      return exponent < 0 ? Double(significand) / power : Double(significand) * power
    default: return 0
    }
  }
}
