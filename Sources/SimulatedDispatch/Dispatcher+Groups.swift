/// Counterpart of `DispatchGroup`: a queue that is suspended as often as the group was entered and
/// not left, and that nothing ever owns. Lanes and blocks stand in its line until it is empty.
extension Dispatcher {
  /// Has `lane` wait until the group is empty, which it is not now. §wait-for-group.3
  @inlinable package mutating func await(_ group: QueueID, by lane: LaneID) {
    precondition(isSuspended(group), "lane \(lane.index) waits for a group that is empty")
    precondition(lanes[lane.index].waitsFor == nil, "lane \(lane.index) waits already")
    queues[group.index].line.append(.waiter(lane))
    lanes[lane.index].waitsFor = group
    updateReady(lane)
  }

  /// Takes back one `suspend`. After the last, every lane in line goes on, and the blocks in line
  /// are returned in their order. §leave-group.3
  @inlinable package mutating func leave(_ group: QueueID) -> [Frame] {
    precondition(isSuspended(group), "a group is left that is empty")
    queues[group.index].suspensionCount -= 1
    suspensionCount -= 1
    var blocks: [Frame] = []
    if isSuspended(group) { return blocks }
    while let turn = queues[group.index].line.popFirst() {
      switch turn {
      case .block(let frame): blocks.append(frame)
      case .waiter(let lane):
        lanes[lane.index].waitsFor = nil
        updateReady(lane)
      }
    }
    return blocks
  }

  /// Notes that the lanes of `deadlock` can never run again, which no wait of theirs has shown.
  package mutating func noteDeadlock(_ deadlock: Deadlock) {
    let first = deadlock.links[0].lane
    precondition(waits(of: first) != nil, "lane \(first.index) waits for nothing")
    lanes[first.index].isStuck = true
    deadlocks.append(deadlock)
  }
}
