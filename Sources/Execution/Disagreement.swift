package import Failures
package import ObjectModel
package import ReferenceDispatch
package import Vocabulary

/// Engine and reference differ on what Core Data does: a bug of ours, under every profile.
package struct Disagreement: Hashable {
  package enum Kind: Hashable {
    case events(expected: [Event], actual: [Event])
    case views(ContextID, expected: [InstanceView], actual: [InstanceView])
    case rows(StoreID, expected: [RowView], actual: [RowView])
    /// A context that merges automatically never merged this DidSave.
    case missingMerge(ContextID, Int)
    /// What a turn of a lane should have come to, by the lane's name.
    case turn(String, expected: ReferenceLanes.Turn, actual: ReferenceLanes.Turn)
    /// A lane has something left to do, and the run is over.
    case unfinished(String)
  }

  /// After which action; nil at the end of the run.
  package var action: Action?
  package var stepNumber: Int
  package var kind: Kind

  /// What a campaign counts it under.
  package var failureKind: FailureKind {
    let occasion = FailureKind.Occasion(action)
    return switch kind {
    case .events: .disagreement(.events(after: occasion))
    case .views: .disagreement(.context(after: occasion))
    case .rows: .disagreement(.store(after: occasion))
    case .missingMerge: .disagreement(.missingMerge)
    case .turn: .disagreement(.turn)
    case .unfinished: .disagreement(.unfinished)
    }
  }
}

extension FailureKind.Occasion {
  /// The kind of an action; nil is the end of the run.
  package init(_ action: Action?) {
    self =
      switch action {
      case nil: .endOfRun
      case .merge?: .merge
      case .mergeRemote?: .remoteMerge
      case .wrongQueue?: .wrongQueue
      case .endOfEvent?: .endOfEvent
      case .endOfDelivery?: .endOfDelivery
      case .step(let step, let phase)?: .step(step.step.kind, phase)
      }
  }
}
