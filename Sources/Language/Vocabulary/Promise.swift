package import ObjectModel

/// A statement about data that a design promises to keep for all users and all schedules.
package struct Promise: Hashable, Sendable {
  package enum Statement: Hashable, Sendable {
    /// No two objects have equal values in all of these properties. A nil value equals no other
    /// value.
    case unique([PropertyID])
    /// The predicate holds for every object.
    case every(PredicateTree)
    /// The number of objects has the given relation to a number.
    case count(Relation, Int)
    /// The sum of an attribute over all objects has the given relation to a value. Nil values are
    /// skipped.
    case sum(PropertyID, Relation, Value)
  }

  package enum Relation: String, CaseIterable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
  }

  /// The data that the statement is about.
  package enum Place: Hashable, Sendable {
    /// The rows of all stores together.
    case stores
    /// The objects that a context has inserted or loaded, and not deleted.
    case context(ContextID)
  }

  /// The moments at which the statement must hold.
  package enum Occasion: String, CaseIterable, Sendable {
    /// After each save that reaches the place. A context is reached by its own saves, by saves of
    /// its children and by merges.
    case afterSaves
    /// After each action that may change the place.
    case always
    /// When all lanes are idle.
    case atRest
  }

  /// The entity whose objects count, subentities included.
  package var entity: EntityID
  /// A predicate that restricts the objects that count, or `nil` to count all.
  package var condition: PredicateTree?
  package var statement: Statement
  /// The places in which the statement must hold. Not empty.
  package var places: [Place]
  package var occasion: Occasion
  /// The statement, its entity and its condition in the words of the design. The text also
  /// identifies the promise.
  package var text: String

  package init(
    entity: EntityID, condition: PredicateTree? = nil, _ statement: Statement,
    in places: [Place] = [.stores], _ occasion: Occasion = .afterSaves, text: String
  ) {
    assert(!places.isEmpty, "a promise that holds nowhere: \(text)")
    self.entity = entity
    self.condition = condition
    self.statement = statement
    self.places = places
    self.occasion = occasion
    self.text = text
  }

  /// The properties that must be unique or that are added up.
  package var properties: [PropertyID] {
    switch statement {
    case .unique(let properties): properties
    case .sum(let property, _, _): [property]
    case .every, .count: []
    }
  }

  /// The contexts among the places.
  package var contexts: [ContextID] {
    places.compactMap { if case .context(let context) = $0 { context } else { nil } }
  }

  /// Returns the promise without `removed`, or `nil` if the promise holds in no other place.
  package func without(_ removed: ContextID) -> Promise? {
    var promise = self
    promise.places.removeAll { $0 == .context(removed) }
    return promise.places.isEmpty ? nil : promise
  }

  /// Returns the promise with every context replaced.
  package func mapContexts(_ context: (ContextID) -> ContextID) -> Promise {
    var promise = self
    promise.places = places.map { place in
      if case .context(let old) = place { .context(context(old)) } else { place }
    }
    return promise
  }
}

extension Promise.Relation {
  /// Returns a Boolean value that indicates whether two values have the relation.
  ///
  /// - Parameters:
  ///   - isLess: Whether the first value is less than the second.
  ///   - isEqual: Whether the values are equal.
  package func holds(isLess: Bool, isEqual: Bool) -> Bool {
    switch self {
    case .equal: isEqual
    case .notEqual: !isEqual
    case .lessOrEqual: isLess || isEqual
    case .greaterOrEqual: !isLess
    case .less: isLess && !isEqual
    case .greater: !isLess && !isEqual
    }
  }
}
