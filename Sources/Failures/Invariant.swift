/// What must hold in every run, each as a sentence.
///
/// A case is only a name. What is known of an invariant is its `InvariantDefinition`, in a file of
/// its name in `Definitions`; how a run is checked for it, a file of its name in `Invariants`.
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

  // What a design can do wrong while every part of it does what it says.
  case ReadsAreRepeatable
  case MergedUpdatesAreNotLost
  case SavesDoNotCross
  case ListsShowTheStores
  case ContextsKeepToTheirQueues
  case MainQueueKeepsWithinItsBudget
  case MainQueueAsksNoStore
  case AcknowledgedSavesOutliveAKill
  case SavesReachAStore
  case ContextsTakeNothingWithThem
  case KillsLeaveWhatWasCommitted
  case SavesMeetNoConflict
  case ContextsCanSaveAgain
  case FailedSavesLeaveNothing
  case StepsFindTheirObjects
  case CopiesAtRestAreCurrent
  case FollowersReadWhatWasSaved
  case StoredReferencesLeadToRows
  case ReadsDeleteNothing
  case GivenUpWorkIsNotSaved
  case SavesAreMergedOnce
  case PromisesAreKept
  case CallsKeepTheirPromises

  /// All that is known of it.
  package var definition: InvariantDefinition {
    switch self {
    case .NoTemporaryIDOutlivesItsSave: .noTemporaryIDOutlivesItsSave
    case .ObjectsAwakenOnce: .objectsAwakenOnce
    case .OneRowOneInstance: .oneRowOneInstance
    case .InverseRelationshipsAgree: .inverseRelationshipsAgree
    case .UnsavedChangesStayPrivate: .unsavedChangesStayPrivate
    case .SavedChangesAreInTheStore: .savedChangesAreInTheStore
    case .RolledBackValuesAreNotLoaded: .rolledBackValuesAreNotLoaded
    case .SavedUpdatesAreNotLost: .savedUpdatesAreNotLost
    case .SavesAreNotIgnored: .savesAreNotIgnored
    case .LoadsShowTheNewest: .loadsShowTheNewest
    case .EveryBlockRuns: .everyBlockRuns
    case .WaitForGraphIsAcyclic: .waitForGraphIsAcyclic
    case .EveryStepTerminates: .everyStepTerminates
    case .ReadsAreRepeatable: .readsAreRepeatable
    case .MergedUpdatesAreNotLost: .mergedUpdatesAreNotLost
    case .SavesDoNotCross: .savesDoNotCross
    case .ListsShowTheStores: .listsShowTheStores
    case .ContextsKeepToTheirQueues: .contextsKeepToTheirQueues
    case .MainQueueKeepsWithinItsBudget: .mainQueueKeepsWithinItsBudget
    case .MainQueueAsksNoStore: .mainQueueAsksNoStore
    case .AcknowledgedSavesOutliveAKill: .acknowledgedSavesOutliveAKill
    case .SavesReachAStore: .savesReachAStore
    case .ContextsTakeNothingWithThem: .contextsTakeNothingWithThem
    case .KillsLeaveWhatWasCommitted: .killsLeaveWhatWasCommitted
    case .SavesMeetNoConflict: .savesMeetNoConflict
    case .ContextsCanSaveAgain: .contextsCanSaveAgain
    case .FailedSavesLeaveNothing: .failedSavesLeaveNothing
    case .StepsFindTheirObjects: .stepsFindTheirObjects
    case .CopiesAtRestAreCurrent: .copiesAtRestAreCurrent
    case .FollowersReadWhatWasSaved: .followersReadWhatWasSaved
    case .StoredReferencesLeadToRows: .storedReferencesLeadToRows
    case .ReadsDeleteNothing: .readsDeleteNothing
    case .GivenUpWorkIsNotSaved: .givenUpWorkIsNotSaved
    case .SavesAreMergedOnce: .savesAreMergedOnce
    case .PromisesAreKept: .promisesAreKept
    case .CallsKeepTheirPromises: .callsKeepTheirPromises
    }
  }

  /// What a report says is violated.
  package var sentence: String { definition.sentence }

  package var severity: Severity { definition.severity }

  /// Whether it is checked only for stacks that were designed, not for generated ones.
  package var judgesDesign: Bool { definition.scope == .designs }
}

extension Invariant {
  /// Whether it is about how long, and with what, the main queue is held up.
  package var isAboutMainQueue: Bool {
    self == .MainQueueAsksNoStore || self == .MainQueueKeepsWithinItsBudget
  }
}
