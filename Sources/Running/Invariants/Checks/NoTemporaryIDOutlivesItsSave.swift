import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Checks that after a root's save no descendant knows an inserted object by its temporary ID. It
/// does not matter whether this save made the ID permanent, or an ancestor obtained it earlier
/// (ID-08).
///
/// The design must not look the object up by a remembered temporary ID in an unrelated context
/// either. Reports disagree on whether the ID finds the row there (ID-15, ID-23).
struct TemporaryIDs: InvariantCheck {
  static let invariants: [Invariant] = [.NoTemporaryIDOutlivesItsSave]
  static let signs: EventSigns = [.rootCommits, .lookups]

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    if moment.usesRememberedIDs { noteLookups(moment, in: world, &found) }
    guard moment.signs.contains(.rootCommits) else { return }
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

  /// Reports the objects that have a row and that the loop looks up by temporary IDs.
  private func noteLookups(
    _ moment: Moment, in world: World, _ found: inout [Violation]
  ) {
    guard case .forEach(.remembered(let variable), _)? = moment.whole?.step else { return }
    for id in world.graph.remembered(variable)
    where world.graph.isForeignTemporaryID(id, to: moment.context) {
      let row = world.graph.permanentID(of: id)
      guard row != id, world.graph.storedValues(of: row) != nil else { continue }
      var violation = Violation(.NoTemporaryIDOutlivesItsSave, in: moment.context, object: id)
      violation.site = .stack
      violation.step = moment.whole
      found.append(violation)
    }
  }
}
