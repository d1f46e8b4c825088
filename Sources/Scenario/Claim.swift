package import Failures
package import ObjectModel
package import Vocabulary

/// What must hold after a scenario has run. Written by people, never recorded.
package struct Claim: Hashable, Sendable {
  /// In how many of the runs that `interleave` asks for; without one, in every run.
  package enum Quantifier: String, CaseIterable, Sendable {
    case always, sometimes
  }

  package var quantifier: Quantifier?
  package var condition: Condition

  package init(_ condition: Condition, _ quantifier: Quantifier? = nil) {
    self.condition = condition
    self.quantifier = quantifier
  }

  package enum Condition: Hashable, Sendable {
    /// `event` happened this often to the object, in any context.
    case count(WatchedEvent, of: ObjectName, Int)
    /// The context posted `event` this often.
    case countPosted(WatchedEvent, by: ContextID, Int)
    /// The coordinator wrote, or posted `event`, this often.
    case countCoordinated(WatchedEvent, by: CoordinatorID, Int)
    /// This many steps failed like this.
    case countFailed(FailureName, Int)
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
    /// Some step failed like this.
    case failed(FailureName)
    /// No step failed.
    case succeeded
    case deadlock
    /// A violation of the kind that campaigns count under this name, such as `lost update`.
    case shows(FailureKind)
    case showsNo(FailureKind)
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

extension Claim {
  /// As its scenario prints it.
  package func text(in scenario: Scenario) -> String { Spelling(scenario).line(self) }
}
