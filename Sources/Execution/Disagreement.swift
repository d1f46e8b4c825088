package import ObjectModel
package import Vocabulary

/// Engine and reference differ on what Core Data does: a bug of ours, under every profile.
package struct Disagreement: Hashable {
  package enum Kind: Hashable {
    case events(expected: [Event], actual: [Event])
    case views(ContextID, expected: [InstanceView], actual: [InstanceView])
    case rows(StoreID, expected: [RowView], actual: [RowView])
    /// A context that merges automatically never merged this DidSave.
    case missingMerge(ContextID, Int)
  }

  /// After which action; nil at the end of the run.
  package var action: Action?
  package var stepNumber: Int
  package var kind: Kind

  /// What a campaign counts it under.
  package var identity: String {
    let where_: String =
      switch action {
      case nil: "at the end"
      case .merge?: "merge"
      case .mergeRemote?: "remote merge"
      case .wrongQueue?: "wrong queue"
      case .endOfEvent?: "end of event"
      case .step(let step, let phase)?: "\(step.step.verb)\(phase == .whole ? "" : " \(phase)")"
      }
    return switch kind {
    case .events: "disagreement on events: \(where_)"
    case .views: "disagreement on a context: \(where_)"
    case .rows: "disagreement on a store: \(where_)"
    case .missingMerge: "disagreement: an automatic merge never came"
    }
  }
}
