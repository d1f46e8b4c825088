package import ObjectModel

/// Counterpart of `NSBatchUpdateRequest`, `NSBatchDeleteRequest` and `NSBatchInsertRequest`.
///
/// The store executes the request, and no context is notified (FE-17).
package struct BatchRequest: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case update([PropertyValue])
    case delete
    /// Inserts one row for each element. Properties without a value get their defaults.
    case insert([[PropertyValue]])
  }

  package var entity: EntityID
  package var kind: Kind
  /// Comparisons with stored values that all must hold. Unused by `insert`.
  package var predicate: [Comparison]
  /// A further condition, for predicates that comparisons cannot express.
  package var tree: PredicateTree?
  /// The part of the matching rows to change. Unused by `insert`, and set only by live code, never
  /// by generated programs.
  package var selection = Selection()

  /// Attributes that an update sets to computed values. Set only by live code.
  package var computed: [ComputedValue] = []

  /// The stores that the request affects, or `nil` for all stores. Set only by live code.
  package var affectedStores: [StoreID]?

  /// An attribute that an update sets to the value of a term, evaluated on the row before the
  /// update.
  package struct ComputedValue: Hashable, Sendable {
    package var property: PropertyID
    package var term: PredicateTree.Term

    package init(_ property: PropertyID, _ term: PredicateTree.Term) {
      (self.property, self.term) = (property, term)
    }
  }

  /// The part of the rows matching its predicate that a batch request affects.
  package struct Selection: Hashable, Sendable {
    package var includesSubentities = true
    /// The order of rows to which `offset` and `limit` apply.
    package var sortDescriptors: [FetchRequest.SortDescriptor] = []
    package var offset = 0
    /// The maximum number of rows. 0 means no limit.
    package var limit = 0

    package init() {}
  }

  package var isInsertion: Bool {
    if case .insert = kind { true } else { false }
  }

  package init(entity: EntityID, kind: Kind, predicate: [Comparison] = []) {
    self.entity = entity
    self.kind = kind
    self.predicate = predicate
  }
}

extension Step {
  /// A Boolean value that indicates whether a scenario can express the step. Live code can make
  /// requests that scenarios cannot express.
  package var hasWords: Bool {
    switch self {
    case .fetch(let request, as: _), .count(let request): request.tree?.hasWords ?? true
    case .batch(let request):
      request.selection == BatchRequest.Selection() && request.computed.isEmpty
        && request.affectedStores == nil && request.tree?.hasWords ?? true
    default: true
    }
  }
}
