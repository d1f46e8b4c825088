/// The statements that must hold in every run.
///
/// A case is only a name. Its `InvariantDefinition` is in a file of the same name in `Definitions`,
/// and its check in a file of the same name in `Invariants`.
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

  // Invariants that a design can violate although each of its parts works as intended.
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
  case CallsReadWhatTheySave
  case PromisesAreKept
  case CallsKeepTheirPromises
  case ContextsKeepTheirPromises

  /// The definition of the invariant, with everything but its check.
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
    case .CallsReadWhatTheySave: .callsReadWhatTheySave
    case .PromisesAreKept: .promisesAreKept
    case .CallsKeepTheirPromises: .callsKeepTheirPromises
    case .ContextsKeepTheirPromises: .contextsKeepTheirPromises
    }
  }

  /// The statement that a report shows as violated.
  package var sentence: String { definition.sentence }

  package var severity: Severity { definition.severity }

  /// A Boolean value that indicates whether the invariant is checked only for designed stacks.
  package var judgesDesign: Bool { definition.scope == .designs }
}

extension Invariant {
  /// A Boolean value that indicates whether the invariant limits the time or the operations that
  /// block the main queue.
  package var isAboutMainQueue: Bool {
    self == .MainQueueAsksNoStore || self == .MainQueueKeepsWithinItsBudget
  }
}
