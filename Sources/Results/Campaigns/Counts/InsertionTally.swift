import ObjectModel
import Vocabulary

/// The number of objects of each entity that a run inserted, by `insert`, in a hook, or in a batch.
struct InsertionTally {
  /// The number of inserted objects, indexed by entity.
  private(set) var counts: [Int]
  /// A Boolean value for each temporary ID that indicates whether its object is counted. An object
  /// awakens again in the parent when a child saves it.
  private var isCounted: [Bool] = []

  init(entityCount: Int) { counts = Array(repeating: 0, count: entityCount) }

  /// Counts the insertions among the observable events of an action.
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
    // An object with a permanent ID that is deleted and inserted again is not a new object.
    guard id.isTemporaryID else { return }
    while isCounted.count <= id.number { isCounted.append(false) }
    if isCounted[id.number] { return }
    isCounted[id.number] = true
    counts[id.entity.index] += 1
  }
}
