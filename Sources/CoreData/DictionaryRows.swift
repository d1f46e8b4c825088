import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// The dictionaries of a request that asks for more than properties: values that are computed from
/// rows, groups, and each row once. The engine fetches the properties that this takes; what is
/// computed from them is no state of the store.
struct DictionaryRows {
  private let columns: [Column]
  private let groups: [String]?
  private let isDistinct: Bool
  private let limit: Int
  private let offset: Int

  private enum Column {
    case property(String)
    case aggregate(name: String, Aggregate, of: String?, as: NSAttributeType)
  }

  private enum Aggregate: String {
    case count, sum, min, max, average
  }

  /// Nil if the request asks for properties alone.
  init?<Result>(_ request: NSFetchRequest<Result>) {
    guard request.resultType == .dictionaryResultType else { return nil }
    let fetched = request.propertiesToFetch ?? []
    let isComputed = fetched.contains { $0 is NSExpressionDescription }
    guard isComputed || request.propertiesToGroupBy != nil || request.returnsDistinctResults else {
      return nil
    }
    if request.havingPredicate != nil { misuse("havingPredicate is not simulated") }
    columns = fetched.map { DictionaryRows.column($0) }
    groups = request.propertiesToGroupBy?.map { DictionaryRows.name(of: $0) }
    isDistinct = request.returnsDistinctResults
    (limit, offset) = (request.fetchLimit, request.fetchOffset)
  }

  private static func name(of item: Any) -> String {
    (item as? String) ?? (item as? NSPropertyDescription)?.name ?? "\(item)"
  }

  private static func column(_ item: Any) -> Column {
    guard let description = item as? NSExpressionDescription else {
      return .property(name(of: item))
    }
    guard let expression = description.expression else {
      misuse("the value '\(description.name)' has no expression")
    }
    switch expression.kind {
    case .side(.path(let keys)) where keys.count == 1: return .property(keys[0])
    case .function(let name, let arguments):
      guard let aggregate = Aggregate(rawValue: String(name.dropLast())), name.hasSuffix(":"),
        arguments.count == 1, case .side(.path(let keys)) = arguments[0].kind, keys.count < 2
      else { break }
      // To count rows, no property is needed.
      let isOfRows = keys.isEmpty || keys == ["objectID"]
      guard aggregate == .count || !isOfRows else { break }
      return .aggregate(
        name: description.name, aggregate, of: isOfRows ? nil : keys[0],
        as: description.expressionResultType)
    default: break
    }
    misuse(
      "the value '\(description.name)' is not simulated: an expression is a property, or count:, "
        + "sum:, min:, max: or average: of one")
  }

  /// The names of the properties to fetch; with none, all attributes.
  var properties: [String] {
    let named = columns.compactMap { column in
      switch column {
      case .property(let name): name
      case .aggregate(_, _, let name, _): name
      }
    }
    var distinct: [String] = []
    for name in named + (groups ?? []) where !distinct.contains(name) { distinct.append(name) }
    return distinct
  }

  /// The answer, given the rows in their order.
  func answer(_ rows: [[String: Any]]) -> [[String: Any]] {
    var answer: [[String: Any]]
    let isAggregate = columns.contains { if case .aggregate = $0 { true } else { false } }
    if let groups {
      answer = grouped(rows, by: groups).map { values(of: $0) }
    } else if isAggregate {
      answer = [values(of: rows)]
    } else {
      answer = rows
    }
    if isDistinct { answer = grouped(answer, by: nil).map { $0[0] } }
    answer = Array(answer.dropFirst(offset))
    return limit > 0 ? Array(answer.prefix(limit)) : answer
  }

  /// Rows that agree on `keys`, or on everything, in the order of the first of them.
  private func grouped(_ rows: [[String: Any]], by keys: [String]?) -> [[[String: Any]]] {
    var places: [NSDictionary: Int] = [:]
    var groups: [[[String: Any]]] = []
    for row in rows {
      let key = row.filter { keys?.contains($0.key) ?? true } as NSDictionary
      if let place = places[key] {
        groups[place].append(row)
      } else {
        places[key] = groups.count
        groups.append([row])
      }
    }
    return groups
  }

  private func values(of rows: [[String: Any]]) -> [String: Any] {
    var values: [String: Any] = [:]
    for column in columns {
      switch column {
      case .property(let name):
        guard let groups, groups.contains(name) else {
          misuse("'\(name)' stands beside an aggregate, and is not grouped by")
        }
        values[name] = rows.first?[name]
      case .aggregate(let name, let aggregate, let property, let type):
        let operands = property.map { property in rows.compactMap { $0[property] } } ?? rows
        values[name] = computed(aggregate, operands).map { DictionaryRows.convert($0, to: type) }
      }
    }
    return values
  }

  private func computed(_ aggregate: Aggregate, _ values: [Any]) -> Any? {
    switch aggregate {
    case .count: return values.count
    case .min, .max:
      return values.min { a, b in
        let order = Format.order(a, b, Format.Options()) ?? 0
        return aggregate == .min ? order < 0 : order > 0
      }
    case .sum, .average:
      if let decimals = values as? [Decimal], !values.isEmpty, values.allSatisfy(isDecimal) {
        let sum = decimals.reduce(0, +)
        return NSDecimalNumber(decimal: aggregate == .sum ? sum : sum / Decimal(values.count))
      }
      let numbers = values.compactMap { Format.number($0) }
      let sum = numbers.reduce(0, +)
      if aggregate == .average { return numbers.isEmpty ? nil : sum / Double(numbers.count) }
      let isWhole = values.allSatisfy { $0 is any BinaryInteger }
      return isWhole ? Int64(sum) : sum
    }
  }

  private func isDecimal(_ any: Any) -> Bool {
    any is NSDecimalNumber || type(of: any) is Decimal.Type
  }

  /// A number as the description of an expression wants it.
  private static func convert(_ any: Any, to type: NSAttributeType) -> Any {
    guard let number = any as? NSNumber else { return any }
    switch type {
    case .integer16AttributeType: return NSNumber(value: number.int16Value)
    case .integer32AttributeType: return NSNumber(value: number.int32Value)
    case .integer64AttributeType: return NSNumber(value: number.int64Value)
    case .doubleAttributeType: return NSNumber(value: number.doubleValue)
    case .floatAttributeType: return NSNumber(value: number.floatValue)
    case .decimalAttributeType:
      // Of a whole number without a detour over a fraction.
      return number is NSDecimalNumber ? number : NSDecimalNumber(string: number.stringValue)
    default: return any
    }
  }
}
