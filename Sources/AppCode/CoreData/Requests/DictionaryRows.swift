import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// The parts of a dictionary request other than plain properties: computed values, groups, and
/// distinct results. The engine computes the values and this type names them.
struct DictionaryRows {
  let columns: [Column]
  private let isSortedByMethod: Bool
  let groups: [String]
  /// The condition that a group must meet to be returned. Aggregates in it are replaced by values
  /// of the group.
  let having: PredicateFormat?
  /// The aggregates in `having`, under names that no property has. These values are not part of the
  /// results.
  let askedOfGroups: [Column]

  enum Column {
    case property(String, called: String)
    /// An attribute at the end of a path over to-one relationships.
    case path([String], called: String)
    case objectID(called: String)
    case aggregate(name: String, Aggregate.Function, of: String?, as: NSAttributeType)
  }

  /// Creates the description of a dictionary request. Returns `nil` if the request has plain
  /// properties only.
  init?<Result>(_ request: NSFetchRequest<Result>) {
    guard request.resultType == .dictionaryResultType else { return nil }
    let fetched = request.propertiesToFetch ?? []
    let isComputed = fetched.contains {
      let name = DictionaryRows.name(of: $0)
      return $0 is NSExpressionDescription || name.contains(".") || name == "objectID"
    }
    isSortedByMethod = (request.sortDescriptors ?? []).contains { $0.isBeyondStores }
    guard
      isComputed || request.propertiesToGroupBy != nil || request.returnsDistinctResults
        || isSortedByMethod
    else { return nil }
    var asked: [Column] = []
    having = request.havingPredicate.map { predicate in
      PredicateFormat.of(predicate).mapping { side in
        guard let (function, key) = DictionaryRows.aggregate(side) else { return nil }
        let name = "having \(asked.count)"
        asked.append(.aggregate(name: name, function, of: key, as: .undefinedAttributeType))
        return .path([name])
      }
    }
    askedOfGroups = asked
    if having != nil, request.propertiesToGroupBy?.isEmpty ?? true {
      misuse("a request has a havingPredicate but no propertiesToGroupBy")
    }
    columns = fetched.map { DictionaryRows.column($0) }
    groups = (request.propertiesToGroupBy ?? []).map { DictionaryRows.name(of: $0) }
  }

  private static func name(of item: Any) -> String {
    (item as? String) ?? (item as? NSPropertyDescription)?.name ?? "\(item)"
  }

  private static func column(_ item: Any) -> Column {
    guard let description = item as? NSExpressionDescription else {
      let name = name(of: item)
      if name == "objectID" { return .objectID(called: name) }
      let keys = name.split(separator: ".").map(String.init)
      return keys.count > 1 ? .path(keys, called: name) : .property(name, called: name)
    }
    guard let expression = description.expression else {
      misuse("the value '\(description.name)' has no expression")
    }
    switch expression.side {
    case .path(let keys) where keys.isEmpty || keys == ["objectID"]:
      return .objectID(called: description.name)
    case .path(let keys) where keys.count == 1:
      return .property(keys[0], called: description.name)
    case .path(let keys): return .path(keys, called: description.name)
    case let side:
      if let (function, key) = aggregate(side) {
        return .aggregate(
          name: description.name, function, of: key, as: description.expressionResultType)
      }
    }
    misuse(
      "the value '\(description.name)' is not simulated: only a property, a key path over to-one relationships, the object, and count:, "
        + "sum:, min:, max: or average: of one of these are simulated")
  }

  /// Returns the aggregate function and the property that a side of a comparison applies to the
  /// rows of a group. The property is `nil` for a count of rows. Returns `nil` for any other
  /// expression.
  private static func aggregate(_ side: PredicateFormat.Operand) -> (
    Aggregate.Function, of: String?
  )? {
    switch side {
    case .count(let keys) where keys.isEmpty: return (.count, nil)
    // An aggregate of the rows, such as `@sum.views`.
    case .aggregate(let name, let keys) where keys.count == 1:
      return Aggregate.Function(rawValue: name == "avg" ? "average" : name).map { ($0, keys[0]) }
    case .function(let name, let arguments):
      guard let function = Aggregate.Function(rawValue: String(name.dropLast())),
        name.hasSuffix(":"), arguments.count == 1, case .path(let keys) = arguments[0],
        keys.count < 2
      else { return nil }
      // Counting rows needs no property.
      let isOfRows = keys.isEmpty || keys == ["objectID"]
      guard function == .count || !isOfRows else { return nil }
      return (function, isOfRows ? nil : keys[0])
    default: return nil
    }
  }

  /// The names of the properties to fetch, without duplicates. An empty array, without aggregates,
  /// means all attributes.
  var properties: [String] {
    var distinct: [String] = []
    for case .property(let name, _) in columns where !distinct.contains(name) {
      distinct.append(name)
    }
    return distinct
  }

  /// The aggregate functions and the names of their properties, without duplicates.
  var aggregates: [(Aggregate.Function, of: String?)] {
    var distinct: [(Aggregate.Function, of: String?)] = []
    for case .aggregate(_, let function, let name, _) in columns + askedOfGroups
    where !distinct.contains(where: { $0.0 == function && $0.of == name }) {
      distinct.append((function, of: name))
    }
    return distinct
  }

  /// Returns the dictionaries that the engine does not create, or `nil` if the engine creates them.
  /// Requests for key paths or IDs, and requests that are sorted by a method, are not passed to the
  /// engine. The dictionaries contain stored values (FE-04).
  func storedRows<Result>(
    of request: NSFetchRequest<Result>, in context: NSManagedObjectContext
  ) throws -> [[String: Any]]? {
    let isBeyondEngine = columns.contains { column in
      switch column {
      case .path, .objectID: true
      default: false
      }
    }
    guard isBeyondEngine || isSortedByMethod || groups.contains(where: { $0.contains(".") })
    else { return nil }
    let found = try context.foundIDs(request, withPending: false, isSorted: !isSortedByMethod)
    let ids = context.sorted(
      found, by: request.sortDescriptors ?? [], beyond: \.isBeyondStores, asStored: true)
    var rows: [[String: Any]]
    if groups.isEmpty, aggregates.isEmpty {
      rows = ids.map { row(of: $0, in: context) }
    } else {
      rows = grouped(ids, in: context).map { summary(of: $0, in: context) }
    }
    if having != nil { return window(rows, of: request) }
    if request.returnsDistinctResults { rows = distinct(rows) }
    let rest = rows.dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
  }

  private func row(of id: ObjectID, in context: NSManagedObjectContext) -> [String: Any] {
    var row: [String: Any] = [:]
    var columns = columns
    if columns.isEmpty {
      let attributes = context.run.model[id.entity].properties.filter {
        $0.attribute.map { !$0.isTransient } ?? false
      }
      columns = attributes.map { .property($0.name, called: $0.name) }
    }
    for column in columns {
      switch column {
      case .property(let key, let name): row[name] = context.storedValue(at: [key], of: id)
      case .path(let keys, let name): row[name] = context.storedValue(at: keys[...], of: id)
      case .objectID(let name): row[name] = NSManagedObjectID(id, context.state)
      case .aggregate: break
      }
    }
    return row
  }

  /// Returns the rows that meet the `having` predicate, limited by the offset and limit of the
  /// request. Returns all rows if there is no such predicate.
  func window<Result>(_ rows: [[String: Any]], of request: NSFetchRequest<Result>)
    -> [[String: Any]]
  {
    guard let having else { return rows }
    let asked = askedOfGroups.compactMap { column -> String? in
      if case .aggregate(let name, _, _, _) = column { name } else { nil }
    }
    var held = rows.filter { having.evaluate(with: $0, $0) }
      .map { row in row.filter { !asked.contains($0.key) } }
    // Rows may differ only in aggregates of `having`, which were just removed.
    if request.returnsDistinctResults { held = distinct(held) }
    let rest = held.dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
  }

  private func distinct(_ rows: [[String: Any]]) -> [[String: Any]] {
    var known: Set<NSDictionary> = []
    return rows.filter { known.insert(NSDictionary(dictionary: $0)).inserted }
  }

  /// Renames the properties as the property descriptions of the request specify.
  func renamed(_ rows: [[String: Any]]) -> [[String: Any]] {
    columns.isEmpty ? rows : rows.map(named)
  }

  private func named(_ row: [String: Any]) -> [String: Any] {
    var result: [String: Any] = [:]
    for case .property(let name, let called) in columns { result[called] = row[name] }
    return result
  }

  /// Returns one dictionary, made of the fetched properties and the computed aggregates.
  func answer(
    _ own: [String: Any], _ aggregates: [Aggregate], _ values: ArraySlice<Value>,
    _ context: NSManagedObjectContext, _ entity: EntityID
  ) -> [String: Any] {
    var result = named(own)
    let model = context.run.model[entity]
    for case .aggregate(let name, let function, let key, let type) in columns + askedOfGroups {
      let property = key.flatMap { model.property(named: $0) }
      for (aggregate, value) in zip(aggregates, values)
      where aggregate == Aggregate(function, of: property) {
        result[name] = DictionaryRows.plain(value, of: property.map { model[$0] }, context)
          .map { DictionaryRows.convert($0, to: type) }
      }
    }
    return result
  }

  private static func plain(
    _ value: Value, of property: Property?, _ context: NSManagedObjectContext
  ) -> Any? {
    switch value {
    case .null: nil
    case .integer(let number): number
    case .number(let number): number
    case .decimal(let significand, let exponent):
      NSDecimalNumber(
        decimal: Decimal(
          sign: significand < 0 ? .minus : .plus, exponent: Int(exponent),
          significand: Decimal(significand.magnitude)))
    default: property.flatMap { context.plain(value, $0) }
    }
  }

  /// Converts a number to the result type of an expression description.
  static func convert(_ any: Any, to type: NSAttributeType) -> Any {
    guard let number = any as? NSNumber else { return any }
    switch type {
    case .integer16AttributeType: return NSNumber(value: number.int16Value)
    case .integer32AttributeType: return NSNumber(value: number.int32Value)
    case .integer64AttributeType: return NSNumber(value: number.int64Value)
    case .doubleAttributeType: return NSNumber(value: number.doubleValue)
    case .floatAttributeType: return NSNumber(value: number.floatValue)
    case .decimalAttributeType:
      // Avoid the conversion of a whole number to floating point.
      return number is NSDecimalNumber ? number : NSDecimalNumber(string: number.stringValue)
    default: return any
    }
  }
}
