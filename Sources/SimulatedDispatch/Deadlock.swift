/// A cycle of the wait-for graph: lanes that wait for each other, or one that waits for itself.
@usableFromInline package struct Deadlock: Hashable, Sendable {
  /// A lane with the queue that it waits for.
  @usableFromInline package struct Link: Hashable, Sendable {
    package let lane: LaneID
    package let waitsFor: QueueID

    package init(lane: LaneID, waitsFor: QueueID) {
      self.lane = lane
      self.waitsFor = waitsFor
    }
  }

  /// First the lane whose wait closed the cycle. Each waits for a queue that the next one owns,
  /// the last for a queue that the first owns. For a group, the next one is to leave it; a wait for
  /// a group that nothing leaves is alone.
  package let links: [Link]
  /// Of a wait for a group that is alone: the group for which the block waits that would leave it,
  /// the group for which the block waits that would leave that one, and so on. Nothing leaves the
  /// last, unless it has occurred before.
  package let groupsBehind: [QueueID]

  /// Of a lane that waits for itself: the queue on whose thread its block runs, while the thread
  /// that owns the queue waits for that block.
  package let through: QueueID?

  package init(links: [Link], groupsBehind: [QueueID] = [], through: QueueID? = nil) {
    precondition(!links.isEmpty, "no lane waits in a deadlock")
    precondition(groupsBehind.isEmpty || links.count == 1, "a cycle of lanes ends nowhere")
    precondition(through == nil || links.count == 1, "a lane that waits for itself is alone")
    self.links = links
    self.groupsBehind = groupsBehind
    self.through = through
  }

  /// The queues that are waited for, in the order of the cycle.
  package var queues: [QueueID] { (through.map { [$0] } ?? []) + links.map(\.waitsFor) }

  /// As in "main owns view and waits for edit; edit's block owns edit and waits for view". Nothing
  /// owns a group: a lane is to leave it.
  package func description(
    lane: (LaneID) -> String, queue: (QueueID) -> String,
    isGroup: (QueueID) -> Bool = { _ in false }
  ) -> String {
    if links.count == 1, isGroup(links[0].waitsFor) {
      return "\(lane(links[0].lane)) waits for \(queue(links[0].waitsFor)), "
        + reason(queue)
    }
    if let through {
      let owned = queue(links[0].waitsFor)
      return "\(lane(links[0].lane)) owns \(owned) and waits for a block on \(queue(through)), "
        + "which waits for \(owned)"
    }
    var text = ""
    var owned = links[links.count - 1].waitsFor
    for link in links {
      if !text.isEmpty { text += "; " }
      let verb = isGroup(owned) ? "is to leave" : "owns"
      text += "\(lane(link.lane)) \(verb) \(queue(owned)) and waits for \(queue(link.waitsFor))"
      owned = link.waitsFor
    }
    return text
  }
}

extension Deadlock {
  /// Why a group is never empty, as a clause: "which nothing leaves", or "which a block is to leave
  /// that waits for group first, which nothing leaves".
  package func reason(_ queue: (QueueID) -> String) -> String {
    var clauses = groupsBehind.map { "which a block is to leave that waits for \(queue($0))" }
    let groups = [links[0].waitsFor] + groupsBehind
    let isRing = groups.dropLast().contains(groups[groups.count - 1])
    if !isRing { clauses.append("which nothing leaves") }
    return clauses.joined(separator: ", ")
  }
}

/// What became of a request for a queue.
@usableFromInline package enum Acquisition: Hashable, Sendable {
  /// The queue was free and is the lane's now.
  case granted
  /// The lane owned the queue already; it owes one more release.
  case reentrant
  /// The lane stands in line. When it can run again, it owns the queue.
  case waiting
  /// The wait closed a cycle, so it never ends.
  case deadlock(Deadlock)
}
