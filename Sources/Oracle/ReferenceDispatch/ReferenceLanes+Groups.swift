import Vocabulary

/// Groups. A group is a queue whose suspension count is the count of the group. Its line contains
/// the lanes that wait and the blocks that follow.
extension ReferenceLanes {
  /// Enters a group. §enter-group
  mutating func enter(_ group: GroupID) { queues[queue(of: group)].suspensionCount += 1 }

  /// Leaves a group. An empty group stays empty, where Dispatch would crash. §leave-group
  mutating func leave(_ group: GroupID) {
    let queue = queue(of: group)
    if queues[queue].suspensionCount == 0 { return }
    queues[queue].suspensionCount -= 1
    if queues[queue].suspensionCount > 0 { return }
    let line = queues[queue].line
    queues[queue].line = []
    for case .lane(let lane) in line { lanes[lane].awaited = nil }
    for case .block(let work, queue: let next) in line { enqueue(work, on: next) }
  }

  /// Waits for a group. §wait-for-group
  mutating func wait(for group: GroupID, _ lane: Int) {
    let queue = queue(of: group)
    if queues[queue].suspensionCount == 0 { return }
    push(.rest, lane)
    lanes[lane].awaited = queue
    queues[queue].line.append(.lane(lane))
  }

  /// Notifies after a group: enqueues a block when the group is empty. §notify-group
  mutating func notify(_ group: GroupID, _ steps: [AddressedStep], _ inner: Place) {
    guard let context = inner.context else { return }
    let work = Work.block(Block(steps, inner, .event))
    let waiting = queue(of: group)
    if queues[waiting].suspensionCount == 0 {
      enqueue(work, on: queue(of: context))
    } else {
      queues[waiting].line.append(.block(work, queue: queue(of: context)))
    }
  }
}
