package import ObjectModel

/// A statement about the objects of an entity, as promises and claims of scenarios make it.
package struct DataClaim: Hashable, Sendable {
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

    package var context: ContextID? {
      if case .context(let context) = self { context } else { nil }
    }

    package func mapContext(_ context: (ContextID) -> ContextID) -> Place {
      if case .context(let old) = self { .context(context(old)) } else { self }
    }
  }

  /// The entity whose objects count, subentities included.
  package var entity: EntityID
  /// A predicate that restricts the objects that count, or `nil` to count all.
  package var condition: PredicateTree?
  package var statement: Statement

  package init(entity: EntityID, condition: PredicateTree? = nil, _ statement: Statement) {
    self.entity = entity
    self.condition = condition
    self.statement = statement
  }

  /// The properties that must be unique or that are added up.
  package var properties: [PropertyID] {
    switch statement {
    case .unique(let properties): properties
    case .sum(let property, _, _): [property]
    case .every, .count: []
    }
  }
}

extension DataClaim.Relation {
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
