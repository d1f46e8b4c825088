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
  /// the last for a queue that the first owns.
  package let links: [Link]

  package init(links: [Link]) {
    precondition(!links.isEmpty, "no lane waits in a deadlock")
    self.links = links
  }

  /// The queues that are waited for, in the order of the cycle.
  package var queues: [QueueID] { links.map(\.waitsFor) }

  /// As in "main owns view and waits for edit; edit's block owns edit and waits for view".
  package func description(lane: (LaneID) -> String, queue: (QueueID) -> String) -> String {
    var text = ""
    var owned = links[links.count - 1].waitsFor
    for link in links {
      if !text.isEmpty { text += "; " }
      text += "\(lane(link.lane)) owns \(queue(owned)) and waits for \(queue(link.waitsFor))"
      owned = link.waitsFor
    }
    return text
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
