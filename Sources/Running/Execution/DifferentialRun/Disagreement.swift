package import Failures
package import ObjectModel
package import ReferenceDispatch
package import Vocabulary

/// A difference between engine and reference model on what Core Data does, which is a defect of
/// Faultline, whatever the quirks.
package struct Disagreement: Hashable {
  package enum Kind: Hashable {
    case events(expected: [Event], actual: [Event])
    case views(ContextID, expected: [InstanceView], actual: [InstanceView])
    case rows(StoreID, expected: [RowView], actual: [RowView])
    /// A context that merges automatically never merged this DidSave notification.
    case missingMerge(ContextID, Int)
    /// A turn of a lane, identified by its name, differs from the prediction.
    case turn(String, expected: ReferenceLanes.Turn, actual: ReferenceLanes.Turn)
    /// A lane has work left although the run is over.
    case unfinished(String)
  }

  /// The action that revealed the difference, or `nil` at the end of the run.
  package var action: Action?
  package var stepNumber: Int
  package var kind: Kind

  /// The kind of failure under which campaigns count the disagreement.
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
  /// Creates the occasion of an action. `nil` stands for the end of the run.
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
