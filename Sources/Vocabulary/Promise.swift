package import ObjectModel

/// A statement about data that a design promises to keep, whatever its users and queues do.
package struct Promise: Hashable, Sendable {
  package enum Statement: Hashable, Sendable {
    /// No two objects agree in these properties. Objects with a nil value agree with none.
    case unique([PropertyID])
    /// The predicate holds for every object.
    case every(PredicateTree)
    /// The number of objects compares so with a number.
    case count(Relation, Int)
    /// The sum of an attribute over all objects compares so with a value; nil values add nothing.
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

  /// When the statement has to hold.
  package enum Occasion: String, CaseIterable, Sendable {
    /// After each save to the place. To a context: of the context, of a child, or merged into it.
    case afterSaves
    /// After each action that may change the place.
    case always
    /// When every lane has come to rest.
    case atRest
  }

  /// The entity, and those that inherit from it, whose objects count.
  package var entity: EntityID
  /// The objects for which the predicate holds count; nil counts all.
  package var condition: PredicateTree?
  package var statement: Statement
  /// Not empty.
  package var places: [Place]
  package var occasion: Occasion
  /// The statement, its entity and its condition in the words of the design. Names the promise.
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

  /// The properties of the entity by which objects are told apart, or that are added up.
  package var properties: [PropertyID] {
    switch statement {
    case .unique(let properties): properties
    case .sum(let property, _, _): [property]
    case .every, .count: []
    }
  }

  /// The promise without a context; nil if it holds in no other place.
  package func without(_ removed: ContextID) -> Promise? {
    var promise = self
    promise.places.removeAll { $0 == .context(removed) }
    return promise.places.isEmpty ? nil : promise
  }

  /// The promise with every context replaced.
  package func mapContexts(_ context: (ContextID) -> ContextID) -> Promise {
    var promise = self
    promise.places = places.map { place in
      if case .context(let old) = place { .context(context(old)) } else { place }
    }
    return promise
  }
}

extension Promise.Relation {
  /// Decides whether the relation holds between two values, of which `isLess` and `isEqual` say how
  /// they compare.
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
