package import ObjectModel

/// Counterpart of `NSBatchUpdateRequest`, `NSBatchDeleteRequest` and `NSBatchInsertRequest`:
/// carried out in the store, behind the back of every context (FE-17).
package struct BatchRequest: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case update([PropertyValue])
    case delete
    /// Each a row: these values, and defaults for the rest.
    case insert([[PropertyValue]])
  }

  package var entity: EntityID
  package var kind: Kind
  /// All must hold, by stored values; not for `insert`.
  package var predicate: [Comparison]
  /// Must hold, too: what comparisons cannot say.
  package var tree: PredicateTree?
  /// Which of these rows; not for `insert`. Code asks so; no generated program does.
  package var selection = Selection()

  /// What an update sets besides its values. Code asks so; no generated program does.
  package var computed: [ComputedValue] = []

  /// The only stores that the request concerns, or `nil` for all. Code asks so; no generated
  /// program does.
  package var affectedStores: [StoreID]?

  /// An attribute that an update sets to what a term is of the row as it was.
  package struct ComputedValue: Hashable, Sendable {
    package var property: PropertyID
    package var term: PredicateTree.Term

    package init(_ property: PropertyID, _ term: PredicateTree.Term) {
      (self.property, self.term) = (property, term)
    }
  }

  /// What a batch request takes of the rows that its predicate finds.
  package struct Selection: Hashable, Sendable {
    package var includesSubentities = true
    /// The order in which they are counted.
    package var sortDescriptors: [FetchRequest.SortDescriptor] = []
    package var offset = 0
    /// 0 is no limit.
    package var limit = 0

    package init() {}
  }

  package init(entity: EntityID, kind: Kind, predicate: [Comparison] = []) {
    self.entity = entity
    self.kind = kind
    self.predicate = predicate
  }
}

extension Step {
  /// Whether scenarios have words for it; code may ask more of a request than they can say.
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
