/// Counterpart of `DispatchGroup`. A group is a queue without an owner. Its suspension count is the
/// number of calls of `enter` not yet balanced by `leave`. Lanes and blocks wait in its line until
/// the group is empty.
extension Dispatcher {
  /// Makes `lane` wait until the group is empty. The group must not be empty now. §wait-for-group.3
  @inlinable package mutating func await(_ group: QueueID, by lane: LaneID) {
    precondition(isSuspended(group), "lane \(lane.index) waits for a group that is empty")
    precondition(lanes[lane.index].waitsFor == nil, "lane \(lane.index) waits already")
    queues[group.index].line.append(.waiter(lane))
    lanes[lane.index].waitsFor = group
    updateReady(lane)
  }

  /// Reverses one `suspend`. After the last, every lane in line can run again, and the blocks in
  /// line are returned in order. §leave-group.3
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

  /// Records a deadlock that no new wait of its lanes has closed.
  package mutating func noteDeadlock(_ deadlock: Deadlock) {
    let first = deadlock.links[0].lane
    precondition(waits(of: first) != nil, "lane \(first.index) waits for nothing")
    lanes[first.index].isStuck = true
    deadlocks.append(deadlock)
  }
}
