package import SimulatedDispatch
package import Vocabulary

/// Dispatch groups. A group is a queue without an owner. Entering a group suspends the queue. Lanes
/// and blocks wait in its line until the group has been left equally often.
extension World {
  mutating func startStepOfGroup(
    _ step: AddressedStep, on lane: LaneID, within block: Frame.Block?
  ) {
    switch step.step {
    case .enter(let group): enter(group)
    case .leave(let group): leave(group)
    case .wait(let group): wait(for: group, on: lane)
    case .notify(let group, let steps):
      notify(group, plan(of: step.context, steps, isEvent: true, within: block))
    default: preconditionFailure("\(step) is about no group")
    }
  }

  /// Enters a group. §enter-group
  private mutating func enter(_ group: GroupID) { dispatcher.suspend(queue(of: group)) }

  /// Leaves a group. An empty group stays empty, where Dispatch would crash. §leave-group
  private mutating func leave(_ group: GroupID) {
    let queue = queue(of: group)
    guard dispatcher.isSuspended(queue) else { return }
    for frame in dispatcher.leave(queue) {
      guard case .block(let block) = frame else {
        preconditionFailure("what waits for group \(group.index) is no block")
      }
      put(frame, on: block.queue)
    }
  }

  /// Waits for a group. §wait-for-group
  private mutating func wait(for group: GroupID, on lane: LaneID) {
    guard dispatcher.isSuspended(queue(of: group)) else { return }
    // An empty frame keeps the lane busy until the group is empty.
    dispatcher.push(.delivery(.init(calls: [])), on: lane)
    dispatcher.await(queue(of: group), by: lane)
  }

  /// Notifies after a group. §notify-group
  private mutating func notify(_ group: GroupID, _ plan: Frame.Plan) {
    let queue = queue(of: group)
    guard dispatcher.isSuspended(queue) else { return enqueue(.block(.init(plan)), on: plan.queue) }
    queues.enqueuedCount += 1
    dispatcher.async(.block(.init(plan)), on: queue)
  }

  private func queue(of group: GroupID) -> QueueID { queues.ofGroups[group.index] }

  package func isGroup(_ queue: QueueID) -> Bool { queues.ofGroups.contains(queue) }

  /// A Boolean value that indicates whether a block waits for a group.
  package var hasPendingNotifications: Bool {
    queues.ofGroups.contains { queue in
      var isFound = false
      dispatcher.forEachBlock(awaiting: dispatcher.worker(of: queue)) { _ in isFound = true }
      return isFound
    }
  }

  /// The group of the first wait that can never end.
  package var groupAwaitedInVain: GroupID? {
    let queue = dispatcher.deadlocks.first?.links.first?.waitsFor
    return queue.flatMap { queues.ofGroups.firstIndex(of: $0) }.map { GroupID($0) }
  }

  /// Detects a deadlock of groups when nothing else can happen. A suspended queue may still be
  /// resumed. Returns `true` if a lane waits for a group. §group-deadlock
  package mutating func noteWaitInVain() -> Bool {
    if queues.ofGroups.isEmpty || !dispatcher.deadlocks.isEmpty { return false }
    guard dispatcher.isQuiescent, !waitsForResume else { return false }
    for index in 0..<dispatcher.laneCount {
      let lane = LaneID(index: index)
      guard let queue = dispatcher.waits(of: lane), isGroup(queue) else { continue }
      dispatcher.noteDeadlock(circle(from: lane))
      return true
    }
    return false
  }

  /// Follows the waits from a lane to the group, to the lane that would leave it, and so on until a
  /// lane repeats. If no lane would leave a group, the result is the last wait alone.
  /// §group-deadlock.3
  private func circle(from start: LaneID) -> Deadlock {
    var links: [Deadlock.Link] = []
    var visited: [LaneID] = []
    var lane = start
    while !visited.contains(lane) {
      guard let queue = dispatcher.waits(of: lane) else { return inVain(links) }
      visited.append(lane)
      links.append(Deadlock.Link(lane: lane, waitsFor: queue))
      if isGroup(queue) {
        let (behind, last) = way(to: queue)
        // A block in line has no lane yet, so the worker of that line waits in its place.
        guard let last else { return inVain(links, behind: behind) }
        links += behind.map { Deadlock.Link(lane: dispatcher.worker(of: $0), waitsFor: $0) }
        lane = last
      } else {
        guard let owner = dispatcher.owner(of: queue) else { return inVain(links) }
        lane = owner
      }
    }
    let first =
      links.firstIndex { $0.lane == lane && $0.waitsFor == dispatcher.waits(of: lane) } ?? 0
    let circle = Array(links[first...])
    // The deadlock begins with a lane that itself waits in line.
    let stuck =
      circle.firstIndex { isGroup($0.waitsFor) && dispatcher.waits(of: $0.lane) == $0.waitsFor }
      ?? 0
    return Deadlock(links: Array(circle[stuck...] + circle[..<stuck]))
  }

  /// Returns the lane that is expected to leave a group. Also returns the queues and groups in
  /// whose lines earlier blocks wait. Without a lane, the lines end at a group that no lane leaves,
  /// or at a group visited before. §group-deadlock.3.5
  private func way(to group: QueueID) -> (behind: [QueueID], lane: LaneID?) {
    var behind: [QueueID] = []
    var group = group
    var groups = [group]
    while true {
      if let lane = laneThatLeaves(group) { return (behind, lane) }
      guard let line = lineThatLeaves(group) else { return (behind, nil) }
      behind.append(line)
      // The owner of a queue may run another block, which waits for further queues or groups.
      guard isGroup(line) else { return (behind, dispatcher.owner(of: line)) }
      if groups.contains(line) { return (behind, nil) }
      groups.append(line)
      group = line
    }
  }

  /// Returns a deadlock of the last wait for a group, with the groups `behind` it.
  /// §group-deadlock.4
  private func inVain(_ links: [Deadlock.Link], behind: [QueueID] = []) -> Deadlock {
    let last = links.last {
      isGroup($0.waitsFor) && dispatcher.waits(of: $0.lane) == $0.waitsFor
    }
    guard let last else { preconditionFailure("no lane waits for a group") }
    return Deadlock(links: [last], groupsBehind: behind.filter(isGroup))
  }

  /// Returns the first lane with a block that still has a step that leaves the group.
  private func laneThatLeaves(_ group: QueueID) -> LaneID? {
    (0..<dispatcher.laneCount).map { LaneID(index: $0) }.first { lane in
      dispatcher.frames(of: lane).contains { leaves(group, $0) }
    }
  }

  /// Returns the first queue whose line contains a block that leaves the group.
  private func lineThatLeaves(_ group: QueueID) -> QueueID? {
    dispatcher.queueIDs.first { queue in
      var isFound = false
      dispatcher.forEachBlock(awaiting: dispatcher.worker(of: queue)) {
        if leaves(group, $0) { isFound = true }
      }
      return isFound
    }
  }

  private func leaves(_ group: QueueID, _ frame: Frame) -> Bool {
    switch frame {
    case .block(let block): leaves(group, block.steps.dropFirst(block.next))
    case .delivery(let delivery):
      delivery.calls.contains { call in
        guard case .observer(let index, delivered: _) = call else { return false }
        return leaves(group, stack.observers[index].steps[...])
      }
    case .wait, .operation, .code: false
    }
  }

  private func leaves(_ group: QueueID, _ steps: ArraySlice<AddressedStep>) -> Bool {
    steps.contains { step in
      step.contains { inner in
        switch inner.step {
        case .leave(let left): queue(of: left) == group
        case .call(let entry): leaves(group, stack.entryPoints[entry.index].steps[...])
        default: false
        }
      }
    }
  }
}
