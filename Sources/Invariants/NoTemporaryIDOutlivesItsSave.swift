import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// After a root's save no context below may still know by its temporary ID what was inserted,
/// whether this save made the ID permanent or an ancestor obtained it earlier (ID-08).
struct TemporaryIDs: InvariantCheck {
  static let invariants: [Invariant] = [.NoTemporaryIDOutlivesItsSave]
  static let signs = EventSigns.rootCommits

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let root = moment.context
    for event in world.graph.result.events {
      guard case .saveRequest(_, let sets) = event else { continue }
      for row in sets.inserted {
        guard let temporary = world.graph.originalTemporaryID(of: row) else { continue }
        for index in 0..<world.graph.contextCount {
          let context = ContextID(index)
          guard world.graph.isRegistered(exactly: temporary, in: context),
            world.graph.isAtOrBelow(root, context)
          else { continue }
          found.append(Violation(.NoTemporaryIDOutlivesItsSave, in: context, object: temporary))
        }
      }
    }
  }
}
