import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Counts the calls of `awakeFromInsert` for each object, in all contexts.
struct Awakenings: InvariantCheck {
  static let invariants: [Invariant] = [.ObjectsAwakenOnce]
  static let signs = EventSigns.awakenings

  /// The counts, indexed by the serial number of the temporary ID, from 1.
  private var counts: [Int] = []

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    for event in world.graph.result.events {
      guard case .awakeFromInsert(let context, let id, _) = event,
        let serial = world.graph.originalTemporaryID(of: id)?.number
      else { continue }
      if counts.isEmpty { counts.reserveCapacity(max(16, serial)) }
      while counts.count < serial { counts.append(0) }
      counts[serial - 1] += 1
      if counts[serial - 1] == 2 {
        found.append(Violation(.ObjectsAwakenOnce, in: context, object: id))
      }
    }
  }
}
