package import Failures
package import ObjectModel
package import Vocabulary

/// What must hold after a scenario has run, or between two of its steps. Written by people, never
/// recorded.
package struct Claim: Sendable {
  /// In how many of the runs that `interleave` asks for; without one, in every run.
  package enum Quantifier: String, CaseIterable, Sendable {
    case always, sometimes
  }

  package var quantifier: Quantifier?
  package var condition: Condition
  /// Index of the item after which it must hold, before the next one begins; nil is the end.
  package var place: Int?
  /// Where the claim stands in its file; 0 if it was not read. Not part of the claim's identity.
  package var line = 0

  package init(_ condition: Condition, _ quantifier: Quantifier? = nil, after place: Int? = nil) {
    self.condition = condition
    self.quantifier = quantifier
    self.place = place
  }

  package enum Condition: Hashable, Sendable {
    /// `event` happened this often to the object, in any context.
    case count(WatchedEvent, of: ObjectName, Amount)
    /// The context posted `event` this often.
    case countPosted(WatchedEvent, by: ContextID, Amount)
    /// The coordinator wrote, or posted `event`, this often.
    case countCoordinated(WatchedEvent, by: CoordinatorID, Amount)
    /// This many steps failed like this.
    case countFailed(FailureName, Amount)
    /// The instance has these values; others are not looked at.
    case instance(HeldInstance, has: [Expectation])
    /// The object's row has these values.
    case row(of: ObjectName, has: [Expectation])
    /// The rows of an entity and its subentities, in all stores, in ID order.
    case rows(EntityID, are: [Designation])
    case state(InstanceState, of: HeldInstance)
    /// Both names stand for one instance.
    case same(HeldInstance, HeldInstance)
    case distinct(HeldInstance, HeldInstance)
    /// The context `hasChanges`.
    case changed(ContextID)
    case clean(ContextID)
    /// Some step got this answer there, as the transcript has it behind the lane.
    case answered(ContextID, String)
    /// The context or the coordinator of this name posted this, word for word as the transcript has
    /// it: what a notification held.
    case posted(String, String)
    /// Some step failed like this.
    case failed(FailureName)
    /// No step failed.
    case succeeded
    case deadlock
    /// A violation of the kind that campaigns count under this name, such as `lost update`.
    case shows(FailureKind)
    case showsNo(FailureKind)
  }

  /// A number, and how a count compares with it.
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

    /// `>= 2`
    package var text: String { "\(relation.rawValue) \(number)" }
  }

  package enum InstanceState: String, CaseIterable, Sendable {
    case temporary, permanent
    case fault, realised
    case inserted, updated, deleted
    /// Registered, and `isDeleted` is false.
    case undeleted
    /// Not, or no longer, in its context.
    case unregistered
  }

  /// An object in an expected value.
  package enum Designation: Hashable, Sendable {
    case named(ObjectName)
    /// `Note/p3`: a row without a name, by its key.
    case permanent(EntityID, key: Int)
    /// `Note/t5`: an object without a name and without a row, by its serial.
    case temporary(EntityID, serial: Int)
  }

  package enum ExpectedValue: Hashable, Sendable {
    /// Of an attribute, or `null` of a to-one relationship.
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
  /// As its scenario prints it.
  package func text(in scenario: Scenario) -> String { Spelling(scenario).line(self) }
}
