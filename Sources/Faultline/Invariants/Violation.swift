package import ObjectModel
package import Vocabulary

/// What must hold in every run, each as a sentence.
package enum Invariant: String, CaseIterable, Sendable {
  case NoTemporaryIDOutlivesItsSave
  case ObjectsAwakenOnce
  case OneRowOneInstance
  case InverseRelationshipsAgree
  case UnsavedChangesStayPrivate
  case SavedChangesAreInTheStore
  case RolledBackValuesAreNotLoaded
  case SavedUpdatesAreNotLost
  case SavesAreNotIgnored
  case LoadsShowTheNewest
  case EveryBlockRuns
  case NobodyWaitsForHimself
  case EveryStepComesToRest

  /// What a report says was broken.
  package var sentence: String {
    switch self {
    case .NoTemporaryIDOutlivesItsSave: "no temporary ID outlives the save of its object"
    case .ObjectsAwakenOnce: "an object is awakened from insert once"
    case .OneRowOneInstance: "a context has one instance for a row"
    case .InverseRelationshipsAgree: "inverse relationships agree"
    case .UnsavedChangesStayPrivate: "unsaved changes are invisible to ancestors and siblings"
    case .SavedChangesAreInTheStore: "what a root save reported is in the store"
    case .RolledBackValuesAreNotLoaded: "no load returns a value that was rolled back"
    case .SavedUpdatesAreNotLost: "no update is overwritten by somebody who has not seen it"
    case .SavesAreNotIgnored: "what was set and saved arrives one level up"
    case .LoadsShowTheNewest: "a load shows the newest value above it"
    case .EveryBlockRuns: "every enqueued block runs"
    case .NobodyWaitsForHimself: "no queue waits for itself by way of others"
    case .EveryStepComesToRest: "what a step sets off comes to rest"
    }
  }

  /// The name that the literature or the reports give to its violation.
  package var anomaly: String {
    switch self {
    case .NoTemporaryIDOutlivesItsSave: "temporary ID leak"
    case .ObjectsAwakenOnce: "duplicate awakeFromInsert"
    case .OneRowOneInstance: "two instances for one row"
    case .InverseRelationshipsAgree: "broken inverse"
    case .UnsavedChangesStayPrivate: "dirty read"
    case .SavedChangesAreInTheStore: "lost save"
    case .RolledBackValuesAreNotLoaded: "aborted read"
    case .SavedUpdatesAreNotLost: "lost update"
    case .SavesAreNotIgnored: "silently ignored save"
    case .LoadsShowTheNewest: "stale read through a cached ancestor"
    case .EveryBlockRuns: "lost block"
    case .NobodyWaitsForHimself: "deadlock"
    case .EveryStepComesToRest: "endless reaction"
    }
  }
}

/// An invariant that did not hold: a finding about a stack, never a defect of ours by itself.
package struct Violation: Hashable, Sendable {
  package var invariant: Invariant
  /// Where it showed.
  package var context: ContextID?
  package var object: ObjectID?
  package var property: PropertyID?
  /// The values that prove it, in the order of `Invariant`'s check: what was there or expected, then
  /// what came instead.
  package var values: [Value] = []
  /// In words, where ids do not say enough: the cycle of a deadlock.
  package var detail: String?
  /// What the program calls the object; set by the session.
  package var name: ObjectName?
  /// Whether it happened where a root meets its store, and not between two contexts.
  package var isInStore = false
  /// How many steps had been performed; set by the session.
  package var stepNumber = 0

  /// What a campaign counts it under: anomalies of one name between contexts and in the store have
  /// different causes.
  package var kind: String {
    switch (invariant, isInStore) {
    case (_, false): invariant.anomaly
    case (.LoadsShowTheNewest, true): Violation.staleRowCache
    case (_, true): invariant.anomaly + " in the store"
    }
  }

  static let staleRowCache = "stale read through the row cache"

  init(
    _ invariant: Invariant, in context: ContextID? = nil, object: ObjectID? = nil,
    property: PropertyID? = nil, values: [Value] = [], detail: String? = nil
  ) {
    self.invariant = invariant
    self.context = context
    self.object = object
    self.property = property
    self.values = values
    self.detail = detail
  }
}
