import ObjectModel
import Vocabulary

/// How many objects of each entity one run has inserted: with `insert`, in a hook, or as rows of a
/// batch.
struct InsertionTally {
  /// By entity.
  private(set) var counts: [Int]
  /// By serial of a temporary ID: whether its object is counted. A parent awakens again what its
  /// child has inserted.
  private var isCounted: [Bool] = []

  init(entityCount: Int) { counts = Array(repeating: 0, count: entityCount) }

  /// `events` are what could be observed of one action.
  mutating func note(_ events: [Event]) {
    for event in events {
      switch event {
      case .awakeFromInsert(_, let id, _): count(id)
      case .batched(let sets, _): for id in sets.inserted { counts[id.entity.index] += 1 }
      default: break
      }
    }
  }

  private mutating func count(_ id: ObjectID) {
    // What was saved, deleted and inserted again is the same object.
    guard id.isTemporaryID else { return }
    while isCounted.count <= id.number { isCounted.append(false) }
    if isCounted[id.number] { return }
    isCounted[id.number] = true
    counts[id.entity.index] += 1
  }
}
