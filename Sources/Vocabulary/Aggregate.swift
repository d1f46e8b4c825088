package import ObjectModel

/// A value of a dictionary that is computed from rows: counterpart of an `NSExpressionDescription`
/// whose expression is a function.
package struct Aggregate: Hashable, Sendable {
  package enum Function: String, CaseIterable, Sendable {
    case count, sum, min, max, average

    /// Whether it adds up, which only numbers do.
    package var addsUp: Bool { self == .sum || self == .average }

    /// As a key path has it behind `@`: `avg`.
    package var ofKeyPath: String { self == .average ? "avg" : rawValue }

    /// The function of which a key path has this behind `@`.
    package init?(ofKeyPath word: String) {
      guard let function = Self.allCases.first(where: { $0.ofKeyPath == word }) else { return nil }
      self = function
    }
  }

  package var function: Function
  /// The property that it is computed from, nil values left out; nil counts rows.
  package var property: PropertyID?

  package init(_ function: Function, of property: PropertyID?) {
    self.function = function
    self.property = property
  }
}

extension FetchRequest {
  /// Whether its dictionaries are not just rows.
  package var summarizes: Bool {
    !aggregates.isEmpty || !propertiesToGroupBy.isEmpty || returnsDistinctResults
  }

  /// Whether what stands beside aggregates, or in groups, is the same for all rows of a group.
  package var groupsWhatItFetches: Bool {
    if aggregates.isEmpty, propertiesToGroupBy.isEmpty { return true }
    if aggregates.isEmpty, propertiesToFetch.isEmpty { return false }
    return propertiesToFetch.allSatisfy { propertiesToGroupBy.contains($0) }
  }
}
