package import SimulatedDispatch
package import Vocabulary

/// Dispatch groups of the app. A group is a queue that nothing ever owns. Entering a group suspends
/// it, and lanes and blocks stand in its line until it has been left as often.
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

  /// Leaves a group. An empty group stays empty; Dispatch would crash. §leave-group
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

  /// Whether it stands for a group of the app.
  package func isGroup(_ queue: QueueID) -> Bool { queues.ofGroups.contains(queue) }

  /// Whether a block stands in the line of a group.
  package var hasPendingNotifications: Bool {
    queues.ofGroups.contains { queue in
      var isFound = false
      dispatcher.forEachBlock(awaiting: dispatcher.worker(of: queue)) { _ in isFound = true }
      return isFound
    }
  }

  /// The group of the first wait that was found to be for good.
  package var groupAwaitedInVain: GroupID? {
    let queue = dispatcher.deadlocks.first?.links.first?.waitsFor
    return queue.flatMap { queues.ofGroups.firstIndex(of: $0) }.map { GroupID($0) }
  }

  /// Detects a deadlock of groups, where nothing can happen any more; returns whether a lane waits
  /// for a group. A queue that is suspended may yet be resumed. §group-deadlock
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

  /// Follows the waits: from a lane to the group, to the lane that would leave it, and so on until
  /// a lane comes again. If nothing would leave a group, the last wait is alone. §group-deadlock.3
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
        // A block in line stands there for the worker of that line: it has no lane yet.
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
    // It begins with a lane that stands in line itself.
    let stuck =
      circle.firstIndex { isGroup($0.waitsFor) && dispatcher.waits(of: $0.lane) == $0.waitsFor }
      ?? 0
    return Deadlock(links: Array(circle[stuck...] + circle[..<stuck]))
  }

  /// The lane that is to leave a group, and the queues and groups in whose lines blocks stand that
  /// come before. Without a lane, the lines end at a group that nothing leaves, or that came
  /// before. §group-deadlock.3.5
  private func way(to group: QueueID) -> (behind: [QueueID], lane: LaneID?) {
    var behind: [QueueID] = []
    var group = group
    var groups = [group]
    while true {
      if let lane = laneThatLeaves(group) { return (behind, lane) }
      guard let line = lineThatLeaves(group) else { return (behind, nil) }
      behind.append(line)
      // The lane that has a queue may run another block, that waits for more.
      guard isGroup(line) else { return (behind, dispatcher.owner(of: line)) }
      if groups.contains(line) { return (behind, nil) }
      groups.append(line)
      group = line
    }
  }

  /// The last wait of a lane for a group, with the lines `behind` the group. §group-deadlock.4
  private func inVain(_ links: [Deadlock.Link], behind: [QueueID] = []) -> Deadlock {
    let last = links.last {
      isGroup($0.waitsFor) && dispatcher.waits(of: $0.lane) == $0.waitsFor
    }
    guard let last else { preconditionFailure("no lane waits for a group") }
    return Deadlock(links: [last], groupsBehind: behind.filter(isGroup))
  }

  /// The first lane in whose blocks there is a step still to come that leaves the group.
  private func laneThatLeaves(_ group: QueueID) -> LaneID? {
    (0..<dispatcher.laneCount).map { LaneID(index: $0) }.first { lane in
      dispatcher.frames(of: lane).contains { leaves(group, $0) }
    }
  }

  /// The first queue in whose line there is a block that leaves the group.
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
