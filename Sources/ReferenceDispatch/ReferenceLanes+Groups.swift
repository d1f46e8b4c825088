import Vocabulary

/// Groups: a queue without a block of its own, suspended as often as the group was entered and not
/// left. Lanes that wait and blocks that are to follow stand in its line.
extension ReferenceLanes {
  mutating func enter(_ group: GroupID) { queues[queue(of: group)].suspensionCount += 1 }

  /// Dispatch would crash if the group is empty; here it stays so.
  mutating func leave(_ group: GroupID) {
    let queue = queue(of: group)
    if queues[queue].suspensionCount == 0 { return }
    queues[queue].suspensionCount -= 1
    if queues[queue].suspensionCount > 0 { return }
    let line = queues[queue].line
    queues[queue].line = []
    for case .lane(let lane) in line { lanes[lane].awaited = nil }
    for case .block(let deed, queue: let next) in line { enqueue(deed, on: next) }
  }

  mutating func wait(for group: GroupID, _ lane: Int) {
    let queue = queue(of: group)
    if queues[queue].suspensionCount == 0 { return }
    push(.rest, lane)
    lanes[lane].awaited = queue
    queues[queue].line.append(.lane(lane))
  }

  /// A block that is enqueued when the group is empty.
  mutating func notify(_ group: GroupID, _ steps: [AddressedStep], _ inner: Place) {
    guard let context = inner.context else { return }
    let deed = Deed.block(Block(steps, inner, .event))
    let waiting = queue(of: group)
    if queues[waiting].suspensionCount == 0 {
      enqueue(deed, on: queue(of: context))
    } else {
      queues[waiting].line.append(.block(deed, queue: queue(of: context)))
    }
  }
}
