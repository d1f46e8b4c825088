package import Failures
package import ObjectModel
package import Vocabulary

/// A condition that must hold after a scenario has run, or between two of its steps. People write
/// claims, and no command records them.
package struct Claim: Sendable {
  /// The share of the runs under `interleave` in which the claim must hold. A claim without a
  /// quantifier must hold in every run.
  package enum Quantifier: String, CaseIterable, Sendable {
    case always, sometimes
  }

  package var quantifier: Quantifier?
  package var condition: Condition
  /// The index of the item after which the claim must hold, before the next item begins. If `nil`,
  /// the claim must hold at the end.
  package var place: Int?
  /// The line of the claim in its file, or 0 if it was not parsed. Equality ignores the line.
  package var line = 0

  package init(_ condition: Condition, _ quantifier: Quantifier? = nil, after place: Int? = nil) {
    self.condition = condition
    self.quantifier = quantifier
    self.place = place
  }

  package enum Condition: Hashable, Sendable {
    /// The number of times that `event` happened to the object, in all contexts, is the given
    /// amount.
    case count(WatchedEvent, of: ObjectName, Amount)
    /// The number of times that the context posted `event` is the given amount.
    case countPosted(WatchedEvent, by: ContextID, Amount)
    /// The number of times that the coordinator posted `event`, or was asked to write if it is
    /// `saveRequest`, is the given amount.
    case countCoordinated(WatchedEvent, by: CoordinatorID, Amount)
    /// The number of steps that failed with this failure is the given amount.
    case countFailed(FailureName, Amount)
    /// The instance has these values. Other properties are ignored.
    case instance(HeldInstance, has: [Expectation])
    /// The object's row has these values.
    case row(of: ObjectName, has: [Expectation])
    /// The rows of an entity and its subentities, in all stores, in ID order.
    case rows(EntityID, are: [Designation])
    /// The claim about data holds in each of the places. `text` is the claim without its places.
    case data(DataClaim, in: [DataClaim.Place], text: String)
    case state(InstanceState, of: HeldInstance)
    /// Both names stand for the same instance.
    case same(HeldInstance, HeldInstance)
    case distinct(HeldInstance, HeldInstance)
    /// The context's `hasChanges` is true.
    case changed(ContextID)
    case clean(ContextID)
    /// A step in the context had this result, in the words of the transcript without the lane.
    case answered(ContextID, String)
    /// The context or coordinator with the given name posted this notification, in the exact words
    /// of the transcript.
    case posted(String, String)
    /// At least one step failed with this failure.
    case failed(FailureName)
    /// No step failed.
    case succeeded
    case deadlock
    /// The run shows a violation of this kind, such as `lost update`.
    case shows(FailureKind)
    case showsNo(FailureKind)
  }

  /// A relation between a count and a number.
  package struct Amount: Hashable, Sendable, ExpressibleByIntegerLiteral {
    package enum Relation: String, CaseIterable, Sendable {
      case equal = "=="
      case atLeast = ">="
      case atMost = "<="
    }

    package var relation: Relation
    package var number: Int

    package init(_ number: Int, _ relation: Relation = .equal) {
      self.number = number
      self.relation = relation
    }

    package init(integerLiteral number: Int) { self.init(number) }

    package func includes(_ count: Int) -> Bool {
      switch relation {
      case .equal: count == number
      case .atLeast: count >= number
      case .atMost: count <= number
      }
    }

    /// The amount in a claim's text, such as `>= 2`.
    package var text: String { "\(relation.rawValue) \(number)" }
  }

  package enum InstanceState: String, CaseIterable, Sendable {
    case temporary, permanent
    case fault, realised
    case inserted, updated, deleted
    /// The instance is registered, and `isDeleted` is false.
    case undeleted
    /// The instance is not, or no longer, in its context.
    case unregistered
  }

  /// An object in an expected value.
  package enum Designation: Hashable, Sendable {
    case named(ObjectName)
    /// A row without a name, designated by its key, such as `Note/p3`.
    case permanent(EntityID, key: Int)
    /// An object without a name and without a row, designated by its serial number, such as
    /// `Note/t5`.
    case temporary(EntityID, serial: Int)
  }

  package enum ExpectedValue: Hashable, Sendable {
    /// The value of an attribute, or `null` for a to-one relationship.
    case value(Value)
    case object(Designation)
    case collection([Designation])
  }

  package struct Expectation: Hashable, Sendable {
    package var property: PropertyID
    package var value: ExpectedValue

    package init(_ property: PropertyID, _ value: ExpectedValue) {
      self.property = property
      self.value = value
    }
  }
}

extension Claim: Hashable {
  package static func == (a: Self, b: Self) -> Bool {
    a.quantifier == b.quantifier && a.condition == b.condition && a.place == b.place
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(quantifier)
    hasher.combine(condition)
    hasher.combine(place)
  }
}

extension Claim {
  /// Returns the line of the claim in the text of its scenario.
  package func text(in scenario: Scenario) -> String { Spelling(scenario).line(self) }
}
