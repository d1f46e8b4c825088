import ObjectModel
import Vocabulary

/// Dictionaries computed from rows: aggregates, groups and distinct results.
extension ObjectGraph {
  /// Summarizes rows in their given order. Groups come in the order of their first rows. §summarize
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

  /// Groups rows that agree in all slots. §summarize.2
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

  /// Computes an aggregate of a group. §aggregate
  private func value(_ aggregate: Aggregate, _ rows: [Row], _ request: FetchRequest) -> Value {
    guard let property = aggregate.property else { return .integer(Int64(rows.count)) }
    let slot = slot(of: property, request)
    return aggregate.function.value(of: rows.map { $0.values[slot] }, valueOrder)
  }
}
