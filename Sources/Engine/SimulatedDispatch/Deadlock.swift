/// A cycle of the wait-for graph. Its lanes wait for each other, or a single lane waits for itself.
@usableFromInline package struct Deadlock: Hashable, Sendable {
  /// A lane and the queue for which it waits.
  @usableFromInline package struct Link: Hashable, Sendable {
    package let lane: LaneID
    package let waitsFor: QueueID

    package init(lane: LaneID, waitsFor: QueueID) {
      self.lane = lane
      self.waitsFor = waitsFor
    }
  }

  /// The lanes of the cycle, beginning with the lane whose wait closed it. Each lane waits for a
  /// queue that the next lane owns, and the last waits for a queue of the first.
  ///
  /// If a lane waits for a group, the next lane is expected to leave that group. A wait for a group
  /// that no lane leaves is the only link.
  package let links: [Link]
  /// The groups that the awaited group depends on, if the only link is a wait for a group. A block
  /// that would leave the awaited group waits for the first of these groups. A block that would
  /// leave the first waits for the second, and so on. No block leaves the last group, unless the
  /// list repeats it.
  package let groupsBehind: [QueueID]

  /// The queue on whose thread the block of a self-waiting lane runs. The thread that owns the
  /// awaited queue waits for that block.
  package let through: QueueID?

  package init(links: [Link], groupsBehind: [QueueID] = [], through: QueueID? = nil) {
    precondition(!links.isEmpty, "no lane waits in a deadlock")
    precondition(groupsBehind.isEmpty || links.count == 1, "a cycle of lanes ends nowhere")
    precondition(through == nil || links.count == 1, "a lane that waits for itself is alone")
    self.links = links
    self.groupsBehind = groupsBehind
    self.through = through
  }

  /// The awaited queues, in the order of the cycle.
  package var queues: [QueueID] { (through.map { [$0] } ?? []) + links.map(\.waitsFor) }

  /// Returns a text such as "main owns view and waits for edit; edit's block owns edit and waits
  /// for view". A group has no owner, so its lane "is to leave" the group.
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
  /// Returns a clause that says why a group never becomes empty. Examples are "which nothing
  /// leaves" and "which a block is to leave that waits for group first, which nothing leaves".
  package func reason(_ queue: (QueueID) -> String) -> String {
    var clauses = groupsBehind.map { "which a block is to leave that waits for \(queue($0))" }
    let groups = [links[0].waitsFor] + groupsBehind
    let isRing = groups.dropLast().contains(groups[groups.count - 1])
    if !isRing { clauses.append("which nothing leaves") }
    return clauses.joined(separator: ", ")
  }
}

/// The result of a request for a queue.
@usableFromInline package enum Acquisition: Hashable, Sendable {
  /// The queue was free and now belongs to the lane.
  case granted
  /// The lane already owned the queue, and must release the queue once more.
  case reentrant
  /// The lane waits in line. When the lane can run again, it owns the queue.
  case waiting
  /// The wait closed a cycle and never ends.
  case deadlock(Deadlock)
}
