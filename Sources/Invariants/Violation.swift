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
  case WaitForGraphIsAcyclic
  case EveryStepTerminates

  // What a design can do wrong while every part of it does what it says: asked where somebody wrote
  // the stack down.
  case ReadsAreRepeatable
  case MergedUpdatesAreNotLost
  case SavesDoNotCross
  case ListsShowTheStores
  case ContextsKeepToTheirQueues
  case MainQueueKeepsWithinItsBudget
  case MainQueueAsksNoStore
  case AcknowledgedSavesOutliveAKill
  case ContextsTakeNothingWithThem
  case KillsLeaveWhatWasCommitted

  /// Whether it is asked only of stacks that somebody wrote down.
  package var judgesDesign: Bool {
    switch self {
    case .ReadsAreRepeatable, .MergedUpdatesAreNotLost, .SavesDoNotCross, .ListsShowTheStores,
      .ContextsKeepToTheirQueues, .MainQueueKeepsWithinItsBudget, .MainQueueAsksNoStore,
      .AcknowledgedSavesOutliveAKill,
      .ContextsTakeNothingWithThem, .KillsLeaveWhatWasCommitted:
      true
    default: false
    }
  }

  /// What a report says was broken.
  package var sentence: String {
    switch self {
    case .NoTemporaryIDOutlivesItsSave: "no temporary ID outlives the save of its object"
    case .ObjectsAwakenOnce: "an object is awakened from insert once"
    case .OneRowOneInstance: "a context has one instance for a row"
    case .InverseRelationshipsAgree: "inverse relationships agree"
    case .UnsavedChangesStayPrivate: "unsaved changes are invisible to ancestors and siblings"
    case .SavedChangesAreInTheStore: "what a root save reported is in the store"
    case .RolledBackValuesAreNotLoaded: "nobody has a value from above that was rolled back"
    case .SavedUpdatesAreNotLost: "no update is overwritten by somebody who has not seen it"
    case .SavesAreNotIgnored: "what was set and saved arrives one level up"
    case .LoadsShowTheNewest: "a load shows the newest value above it"
    case .EveryBlockRuns: "every enqueued block runs"
    case .WaitForGraphIsAcyclic: "no queue waits for itself by way of others"
    case .EveryStepTerminates: "what a step sets off comes to rest"
    case .ReadsAreRepeatable: "what a context shows twice between two saves is the same"
    case .MergedUpdatesAreNotLost:
      "no update that a merge brings is overwritten by an edit from before it"
    case .SavesDoNotCross: "of two overlapping units of work one has seen what the other did"
    case .ListsShowTheStores: "a list at rest shows what the stores have"
    case .ContextsKeepToTheirQueues: "whoever uses a context is on its queue"
    case .MainQueueKeepsWithinItsBudget: "nobody has the main queue for longer than its budget"
    case .MainQueueAsksNoStore: "who has the main queue asks no store"
    case .AcknowledgedSavesOutliveAKill: "what a save reported as saved outlives a kill"
    case .ContextsTakeNothingWithThem:
      "a context that is given up, or that an observer resets, has nothing unsaved"
    case .KillsLeaveWhatWasCommitted:
      "the stores have the completed root saves, each whole, after a kill as before"
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
    case .WaitForGraphIsAcyclic: "deadlock"
    case .EveryStepTerminates: "endless reaction"
    case .ReadsAreRepeatable: "non-repeatable read"
    case .MergedUpdatesAreNotLost: "lost update through a merge"
    case .SavesDoNotCross: "write skew"
    case .ListsShowTheStores: "stale list"
    case .ContextsKeepToTheirQueues: "wrong-queue access"
    case .MainQueueKeepsWithinItsBudget: "main queue blocked"
    case .MainQueueAsksNoStore: "store access on the main queue"
    case .AcknowledgedSavesOutliveAKill: "acknowledged save gone"
    case .ContextsTakeNothingWithThem: "unsaved changes discarded"
    case .KillsLeaveWhatWasCommitted: "torn store"
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
  /// The values that prove it, in the order of `Invariant`'s check: what was there or expected,
  /// then what came instead.
  package var values: [Value] = []
  /// In words, where ids do not say enough: the cycle of a deadlock.
  package var detail: String?
  /// The other context that has to do with it.
  package var otherContext: ContextID?
  /// The step that it is about, where no value is.
  package var step: AddressedStep?
  /// Who saw and did what, in order, if that was asked for.
  package var proof: [ProofLine] = []
  /// What the program calls the objects that this mentions; set by the session.
  package var names: [NamedObject] = []
  package var site = Site.program
  /// How many steps had been performed; set by the session.
  package var stepNumber = 0
  /// Whether it was looked for when everything had come to rest, and no step says more of it.
  package var isFoundAtEnd = false

  package struct NamedObject: Hashable, Sendable {
    package let object: ObjectID
    package let name: ObjectName

    package init(object: ObjectID, name: ObjectName) {
      self.object = object
      self.name = name
    }
  }

  /// Where it happened, if that makes it another finding.
  package enum Site: Hashable, Sendable {
    /// Between contexts, or in steps of the program.
    case program
    /// Where a root meets its store.
    case store
    /// In steps that are written down in the stack: an observer's, or an entry point's.
    case stack
  }

  /// Every object that its report has to name.
  package var objects: [ObjectID] {
    (object.map { [$0] } ?? []) + values.compactMap(\.objectID) + proof.flatMap(\.objects)
  }

  /// Where in the run it was found. What no step was performed before has come to its end by then.
  package var place: String {
    isFoundAtEnd || stepNumber == 0 ? "at the end" : "after step \(stepNumber)"
  }

  /// What a campaign counts it under: anomalies of one name between contexts and in the store have
  /// different causes.
  package var kind: String {
    switch (invariant, site) {
    case (_, .program): invariant.anomaly
    case (.LoadsShowTheNewest, .store): Violation.staleRowCache
    case (_, .store): invariant.anomaly + " in the store"
    case (_, .stack): invariant.anomaly + " by the stack"
    }
  }

  /// All that a campaign can count, in the order of the invariants, and what each is about.
  static let countable: [(kind: String, invariant: Invariant, site: Site)] =
    Invariant.allCases.flatMap { invariant in
      invariant.sites.map { site in
        var violation = Violation(invariant)
        violation.site = site
        return (violation.kind, invariant, site)
      }
    }

  package static var kinds: [String] { countable.map(\.kind) }

  package static let staleRowCache = "stale read through the row cache"

  package init(
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

extension Invariant {
  /// The sites at which its violations are counted apart.
  fileprivate var sites: [Violation.Site] {
    switch self {
    case .SavedUpdatesAreNotLost, .SavesAreNotIgnored, .LoadsShowTheNewest,
      .MergedUpdatesAreNotLost, .SavesDoNotCross:
      [.program, .store]
    // What a program does to itself says little about its stack.
    case .WaitForGraphIsAcyclic, .ContextsKeepToTheirQueues, .ContextsTakeNothingWithThem:
      [.program, .stack]
    default: [.program]
    }
  }

  /// The invariant that failures of this kind violate; nil for a disagreement. Costs a walk over
  /// all kinds.
  package static func of(_ kind: String) -> Invariant? {
    Violation.countable.first { $0.kind == kind }?.invariant
  }
}

extension Violation.Site {
  /// Nil for a disagreement.
  package static func of(_ kind: String) -> Violation.Site? {
    Violation.countable.first { $0.kind == kind }?.site
  }
}
