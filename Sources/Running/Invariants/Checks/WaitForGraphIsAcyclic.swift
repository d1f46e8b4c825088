import Failures
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Reports lanes that wait for each other. The dispatcher finds them, one cycle at a time.
struct Deadlocks {
  private var reportedCount = 0

  /// Returns the deadlocks that are new since the last call.
  mutating func check(
    _ notes: RunNotes, judgesDesigns: Bool, in world: World, submitted: AddressedStep?
  ) -> [Violation] {
    assert(reportedCount <= world.dispatcher.deadlocks.count, "a deadlock has vanished")
    let new = world.dispatcher.deadlocks.dropFirst(reportedCount)
    reportedCount += new.count
    return new.map { deadlock in
      var violation = Violation(
        .WaitForGraphIsAcyclic,
        detail: deadlock.description(
          lane: { world.name(of: $0) }, queue: { world.name(of: $0) },
          isGroup: { world.isGroup($0) }))
      violation.waits = deadlock.queues.map { world.name(of: $0) }
      let author = author(of: deadlock, in: world, submitted: submitted)
      if judgesDesigns, author?.isDesign == true { violation.site = .stack }
      notes.sign(&violation, by: author ?? .program, in: world)
      if judgesDesigns, author == .program { violation.ways?.insert(.programsWaits) }
      if notes.proves { violation.proof = proof(of: deadlock, in: world, submitted: submitted) }
      return violation
    }
  }

  /// Returns the part of the design that names and awaits a queue of the cycle. In a cycle with an
  /// automatic merge, every wait of a part counts. Without such a part, returns the program, or
  /// `nil` if an automatic merge is in the cycle or no wait names a queue.
  ///
  /// A wait for a parent is Core Data's own and breaks no order. The wait in the other direction
  /// does. So does a wait for the main queue whose block needs a queue that the waiting thread
  /// owns.
  private func author(
    of deadlock: Deadlock, in world: World, submitted: AddressedStep?
  ) -> Author? {
    if let main = deadlock.through {
      return world.authorOfBlock(on: main, awaitedBy: deadlock.links[0].lane)
    }
    let reasons = deadlock.links.map {
      world.reason(ofWaitFor: $0.waitsFor, in: $0.lane, submitted: submitted)
    }
    let isMerged = reasons.contains(.automaticMerge)
    let waits = zip(deadlock.links, reasons).compactMap { link, reason in
      isMerged || reason == .named
        ? (isOnMain: world.ownsMainQueue(link.lane), author: world.authorOfWait(of: link.lane))
        : nil
    }
    // Any wait closes the cycle. The part that makes the main thread wait is blamed, because the
    // main thread should never wait.
    let design = waits.filter { $0.author.isDesign }
    if let onMain = design.first(where: \.isOnMain) { return onMain.author }
    if let first = design.map(\.author).min() { return first }
    return isMerged || waits.isEmpty ? nil : .program
  }
}

/// Returns the proof of a deadlock. The proof has, for each lane of the cycle, the step by which
/// the lane owns a queue, and the step in which the lane waits for the next queue.
private func proof(
  of deadlock: Deadlock, in world: World, submitted: AddressedStep?
) -> [ProofLine] {
  var lines: [ProofLine] = []
  var owned = deadlock.links[deadlock.links.count - 1].waitsFor
  for (index, link) in deadlock.links.enumerated() {
    let activities = world.activities(of: link.lane, submitted: submitted)
    let lane = world.name(of: link.lane)
    // No lane owns a group.
    if !world.isGroup(owned),
      let activity = activities.first(where: { $0.queues.contains(owned) })
    {
      lines.append(
        ProofLine(.takes(lane: lane, queue: world.name(of: owned), activity.subject)))
    }
    if let through = deadlock.through,
      let activity = activities.first(where: { $0.queues.last == through })
    {
      let wait = ProofLine.Operation.waits(
        lane: lane, queue: world.name(of: through), reason: "which must run this block",
        activity.subject)
      lines.append(ProofLine(wait))
    }
    if let activity = activities.last(where: { $0.queues.last == link.waitsFor }) {
      let next = deadlock.links[(index + 1) % deadlock.links.count].lane
      let holder = world.name(of: next)
      let reason =
        if deadlock.through != nil {
          "which is not released before this block ends"
        } else if !world.isGroup(link.waitsFor) {
          "which \(holder) holds"
        } else if deadlock.links.count == 1 {
          deadlock.reason { world.name(of: $0) }
        } else {
          "which \(holder) is to leave"
        }
      lines.append(
        ProofLine(
          .waits(
            lane: lane, queue: world.name(of: link.waitsFor), reason: reason, activity.subject)))
    }
    owned = link.waitsFor
  }
  return lines
}
