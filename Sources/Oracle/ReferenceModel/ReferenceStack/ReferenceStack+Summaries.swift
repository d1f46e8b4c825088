import ObjectModel
import Vocabulary

/// Dictionaries that a store computes from its rows (FE-04).
extension ReferenceStack {
  /// Summarizes rows, with one result for each group. Without groups, aggregates have one result
  /// for all rows. Other requests have one result for each row. §summarize
  func summary(of rows: [Row], _ request: FetchRequest) -> Event {
    let properties = propertiesToFetch(request)
    func values(_ wanted: [PropertyID], _ row: Row) -> [Value] {
      wanted.map { row.snapshot.values[shape(of: $0.index, of: row.id).slot] }
    }
    var parts: [[Row]] = []
    if request.propertiesToGroupBy.isEmpty {
      parts = request.aggregates.isEmpty ? rows.map { [$0] } : [rows]
    } else {
      for row in rows {
        let key = values(request.propertiesToGroupBy, row)
        let same = parts.firstIndex { values(request.propertiesToGroupBy, $0[0]) == key }
        if let same { parts[same].append(row) } else { parts.append([row]) }
      }
    }
    var results: [[Value]] = []
    for part in parts {
      let own = part.first.map { values(properties, $0) } ?? []
      let result =
        own
        + request.aggregates.map { aggregate in
          let operands = aggregate.property.map { property in
            part.flatMap { values([property], $0) }.filter { !$0.isNull }
          }
          return computed(aggregate.function, operands, rowCount: part.count)
        }
      if !request.returnsDistinctResults || !results.contains(result) { results.append(result) }
    }
    let end = request.fetchLimit > 0 ? request.fetchOffset + request.fetchLimit : results.count
    let first = min(request.fetchOffset, results.count)
    results = Array(results[first..<max(first, min(end, results.count))])
    guard request.aggregates.isEmpty else {
      return .summaries(request.entity, properties, request.aggregates, results)
    }
    return .dictionaries(
      request.entity,
      results.map { row in properties.indices.map { PropertyValue(properties[$0], row[$0]) } })
  }

  /// Computes an aggregate of operands other than null, or of rows if no operands are given.
  /// §aggregate
  func computed(
    _ function: Aggregate.Function, _ operands: [Value]?, rowCount: Int
  ) -> Value {
    guard let operands else { return .integer(Int64(rowCount)) }
    switch function {
    case .count: return .integer(Int64(operands.count))
    case .min: return extreme(operands) { order.precedes($0, $1) }
    case .max: return extreme(operands) { order.precedes($1, $0) }
    case .sum: return Total(operands).value
    case .average:
      return operands.isEmpty ? .null : .number(Total(operands).asDouble / Double(operands.count))
    }
  }

  /// Returns the first or last of `values` in their order. §aggregate.4
  private func extreme(_ values: [Value], _ isBetter: (Value, Value) -> Bool) -> Value {
    guard var best = values.first else { return .null }
    for value in values where isBetter(value, best) { best = value }
    return best
  }
}

/// A sum that is exact as long as its decimal digits fit, and a fraction otherwise. §aggregate.7
struct Total {
  private var units: Int64? = 0
  private var exponent = 0
  private var isDecimal = false
  private(set) var fractions = 0.0

  init(_ values: [Value]) {
    for value in values { add(value) }
  }

  var value: Value {
    guard let units else { return .number(fractions) }
    return isDecimal ? .decimal(significand: units, exponent: Int8(exponent)) : .integer(units)
  }

  var asDouble: Double {
    guard let units else { return fractions }
    return Total.amount(units, exponent)
  }

  private mutating func add(_ value: Value) {
    let before = asDouble
    switch value {
    case .integer(let number): add(number, 0)
    case .decimal(let significand, let power):
      if !isDecimal { (isDecimal, exponent) = (true, Int(power)) }
      add(significand, Int(power))
    case .number(let number):
      units = nil
      fractions = before + number
    default: break
    }
  }

  private mutating func add(_ significand: Int64, _ power: Int) {
    let before = asDouble
    let smaller = min(exponent, power)
    if let units, let old = Total.scaled(units, exponent - smaller),
      let new = Total.scaled(significand, power - smaller)
    {
      let sum = old.addingReportingOverflow(new)
      if !sum.overflow {
        (self.units, exponent) = (sum.partialValue, smaller)
        return
      }
    }
    fractions = before + Total.amount(significand, power)
    units = nil
  }

  private static func scaled(_ number: Int64, _ places: Int) -> Int64? {
    (0..<places).reduce(number) { result, _ in
      guard let result, result.magnitude <= UInt64(Int64.max) / 10 else { return nil }
      return result * 10
    }
  }

  private static func amount(_ significand: Int64, _ power: Int) -> Double {
    let factor = (0..<abs(power)).reduce(1.0) { product, _ in product * 10 }
    return power < 0 ? Double(significand) / factor : Double(significand) * factor
  }
}
