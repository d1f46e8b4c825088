import Failures
import ObjectModel
import Vocabulary

/// Between two saves, a context must show the program the same value twice, unless the program
/// itself changed, refreshed or merged it there. The literature calls the violation a
/// non-repeatable or fuzzy read (P2). An automatic merge, an observer or a child's save came
/// between.
///
/// Contexts without changes, and contexts that the design only reads, are exempt. No save relies on
/// reads of such contexts, so they should show new values.
extension Violation {
  static func unrepeatableRead(
    _ before: UnitOfWork.Read, _ now: UnitOfWork.Read, in context: ContextID, id: ObjectID,
    _ journal: Journal
  ) -> Violation {
    var violation = Violation(.ReadsAreRepeatable, in: context, object: id, property: now.property)
    if case .value(let old) = before.seen, case .value(let new) = now.seen {
      violation.values = [old, new]
    }
    let between = journal.entries[before.position..<now.position].indices.filter { position in
      let witness = journal.entries[position].witness
      guard witness.object == now.object || witness.object == nil else { return false }
      switch witness.operation {
      case .merges, .refreshes, .deletes: return witness.context == context
      case .saves(_, to: let place):
        return (place == nil || place == context) && witness.property == now.property
      case .sets:
        return witness.context == context && witness.property == now.property
      default: return false
      }
    }
    violation.proof = journal.lines([before.position, now.position] + between)
    return violation
  }
}
