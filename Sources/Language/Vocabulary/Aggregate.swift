package import ObjectModel

/// A dictionary value that is computed from rows, the counterpart of an `NSExpressionDescription`
/// whose expression is a function.
package struct Aggregate: Hashable, Sendable {
  package enum Function: String, CaseIterable, Sendable {
    case count, sum, min, max, average

    /// A Boolean value that indicates whether the function adds values, which must then be numbers.
    package var addsUp: Bool { self == .sum || self == .average }

    /// The function's name after `@` in a key path, such as `avg`.
    package var ofKeyPath: String { self == .average ? "avg" : rawValue }

    /// Creates the function with the given name in a key path. Returns `nil` for any other word.
    package init?(ofKeyPath word: String) {
      guard let function = Self.allCases.first(where: { $0.ofKeyPath == word }) else { return nil }
      self = function
    }
  }

  package var function: Function
  /// The property whose non-nil values are aggregated. If `nil`, the function counts rows.
  package var property: PropertyID?

  package init(_ function: Function, of property: PropertyID?) {
    self.function = function
    self.property = property
  }
}

extension FetchRequest {
  /// A Boolean value that indicates whether the request aggregates, groups or deduplicates rows.
  package var summarizes: Bool {
    !aggregates.isEmpty || !propertiesToGroupBy.isEmpty || returnsDistinctResults
  }

  /// A Boolean value that indicates whether each fetched property has one value in each group.
  ///
  /// This requires every property to fetch to be a property to group by. A request without
  /// aggregates and groups always qualifies.
  package var groupsWhatItFetches: Bool {
    if aggregates.isEmpty, propertiesToGroupBy.isEmpty { return true }
    if aggregates.isEmpty, propertiesToFetch.isEmpty { return false }
    return propertiesToFetch.allSatisfy { propertiesToGroupBy.contains($0) }
  }
}
