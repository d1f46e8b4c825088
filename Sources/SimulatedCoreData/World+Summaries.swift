import ObjectModel
import Vocabulary

/// Dictionaries that are computed from rows: aggregates, groups, and each dictionary once.
extension World {
  /// Given the rows in their order. Groups come in the order of their first rows.
  func summaries(of rows: [Row], for request: FetchRequest) -> Event {
    let properties = fetchedProperties(of: request)
    let slots = properties.map { slot(of: $0, request) }
    var results: [[Value]] = []
    if !request.propertiesToGroupBy.isEmpty {
      let keys = request.propertiesToGroupBy.map { slot(of: $0, request) }
      for group in groups(of: rows, by: keys) {
        results.append(
          slots.map { group[0].values[$0] } + request.aggregates.map { value($0, group, request) })
      }
    } else if !request.aggregates.isEmpty {
      results = [request.aggregates.map { value($0, rows, request) }]
    } else {
      results = rows.map { row in slots.map { row.values[$0] } }
    }
    if request.returnsDistinctResults {
      var seen: Set<[Value]> = []
      results = results.filter { seen.insert($0).inserted }
    }
    results = Array(results.dropFirst(request.fetchOffset))
    if request.fetchLimit > 0 { results = Array(results.prefix(request.fetchLimit)) }
    if request.aggregates.isEmpty {
      return .dictionaries(
        request.entity, results.map { zip(properties, $0).map { PropertyValue($0, $1) } })
    }
    return .summaries(request.entity, properties, request.aggregates, results)
  }

  private func slot(of property: PropertyID, _ request: FetchRequest) -> Int {
    shapes[request.entity.index][property.index].slot
  }

  private func groups(of rows: [Row], by slots: [Int]) -> [[Row]] {
    var places: [[Value]: Int] = [:]
    var groups: [[Row]] = []
    for row in rows {
      let key = slots.map { row.values[$0] }
      if let place = places[key] {
        groups[place].append(row)
      } else {
        places[key] = groups.count
        groups.append([row])
      }
    }
    return groups
  }

  private func value(_ aggregate: Aggregate, _ rows: [Row], _ request: FetchRequest) -> Value {
    guard let property = aggregate.property else { return .integer(Int64(rows.count)) }
    let slot = slot(of: property, request)
    let values = rows.map { $0.values[slot] }.filter { !$0.isNull }
    let order = valueOrder
    switch aggregate.function {
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

extension Value {
  /// The sum of two numbers: whole, or exact, as long as it fits.
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

  fileprivate var amount: Double {
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
