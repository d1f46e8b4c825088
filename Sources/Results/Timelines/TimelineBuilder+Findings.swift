import Execution
import Failures
import Invariants
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// The violations of the run, and the moments that prove them.
extension TimelineBuilder {
  consuming func finished() -> Timeline {
    if let last = timeline.moments.indices.last { addCacheChanges(to: last) }
    for deadlock in world.dispatcher.deadlocks {
      // The lane that closed the cycle waits permanently. Its earlier waits ended.
      if let moment = waits[deadlock.links[0].lane.index] {
        timeline.moments[moment].kind = .deadlock
      }
    }
    addDisagreement()
    var cycles = world.dispatcher.deadlocks.map(cycle)[...]
    for (index, violation) in outcome.violations.enumerated() {
      let moment = index < discoveries.count ? discoveries[index] : self.moment(of: violation)
      let cycle =
        violation.invariant == .WaitForGraphIsAcyclic ? cycles.popFirst() ?? [] : []
      if let moment { timeline.moments[moment].violations.append(timeline.findings.count) }
      timeline.findings.append(finding(violation, at: moment, cycle))
    }
    return timeline
  }

  private mutating func addDisagreement() {
    guard let disagreement = outcome.disagreement else { return }
    let lines = disagreement.report(in: outcome.program).split(separator: "\n").map(String.init)
    let proof = lines.dropFirst().map { line in
      Timeline.ProofStep(step: 0, text: String(line.drop { $0 == " " }))
    }
    timeline.findings.append(
      .init(
        kind: disagreement.failureKind, step: disagreement.stepNumber,
        place: "after step \(disagreement.stepNumber)",
        sentence: "Engine and reference model disagree.", proof: proof))
    timeline.moments.indices.last.map { timeline.moments[$0].violations.append(0) }
  }

  private func finding(
    _ violation: Violation, at moment: Int?, _ cycle: [Timeline.CycleLink]
  ) -> Timeline.Finding {
    let text = ViolationText(violation, in: outcome.program)
    let words = text.proof
    let proof = violation.proof.map { line in
      Timeline.ProofStep(
        step: line.step, text: words.sentence(line),
        moment: self.moment(of: line, in: cycle, orElse: moment))
    }
    return .init(
      kind: violation.kind, step: violation.stepNumber, place: violation.place,
      sentence: text.sentence,
      proof: cycle.isEmpty ? proof : inOrderOfTime(proof),
      context: violation.context,
      object: violation.object.flatMap { objects.firstIndex(of: world.lifelongID($0)) },
      entity: violation.object.map { outcome.program.model[$0.entity].name },
      attribute: text.attribute, cycle: cycle)
  }

  // MARK: Proofs

  /// Returns the proof of a deadlock in order of time, for numbering in the picture. The original
  /// proof is ordered by lane.
  private func inOrderOfTime(_ proof: [Timeline.ProofStep]) -> [Timeline.ProofStep] {
    proof.enumerated().sorted { a, b in
      (a.element.moment ?? .max, a.offset) < (b.element.moment ?? .max, b.offset)
    }.map(\.element)
  }

  /// Returns the moment to which a line of a proof belongs. `last` is the moment that revealed the
  /// violation.
  private func moment(
    of line: ProofLine, in cycle: [Timeline.CycleLink], orElse last: Int?
  ) -> Int? {
    switch line.operation {
    case .takes(let lane, let queue, _):
      return cycle.first { $0.lane == lane && $0.holds == plainName(queue) }?.taken
    case .waits(let lane, let queue, _, _):
      return cycle.first { $0.lane == lane && $0.waitsFor == plainName(queue) }?.wait
    case .savesInVain, .savesTooLate: return last
    case .isStored, .shows, .hasStored: return nil
    default: break
    }
    guard line.step > 0 else {
      return last.flatMap { timeline.moments[$0].context == line.context ? $0 : nil }
    }
    let candidates = timeline.moments.indices.filter { index in
      let moment = timeline.moments[index]
      return moment.kind == .action && moment.performedCount == line.step
        && (moment.step > 0 || !moment.arrows.isEmpty)
    }
    let here = candidates.filter { timeline.moments[$0].context == line.context }
    return here.last ?? candidates.first
  }

  /// Returns the moment at which a violation shows. For a violation found at the end, this is a
  /// moment at rest in the column of its context.
  private mutating func moment(of violation: Violation) -> Int? {
    let last = timeline.moments.indices.last
    guard violation.isFoundAtEnd else {
      return timeline.moments.lastIndex { $0.step == violation.stepNumber } ?? last
    }
    guard
      let latest = timeline.moments.last(where: { $0.context == violation.context })
        ?? timeline.moments.last
    else { return nil }
    let own = violation.context.flatMap { columns[world.queue(of: $0).index] }
    let known = timeline.moments.lastIndex {
      $0.kind == .rest && $0.context == violation.context
    }
    if let known { return known }
    var rest = Timeline.Moment(
      kind: .rest, turn: timeline.turnCount - 1,
      time: timeline.moments.last?.time ?? latest.time, column: own ?? latest.column, step: 0,
      context: violation.context, text: "at rest", origin: .program)
    rest.lane = latest.lane
    rest.performedCount = timeline.moments.last?.performedCount ?? 0
    timeline.moments.append(rest)
    return timeline.moments.count - 1
  }

  // MARK: Deadlocks

  /// Records the queues that a lane holds. Call this after each turn.
  mutating func noteHolds(_ turn: Recorder.Turn, _ number: Int) {
    let queues = heldQueues(turn)
    var held = holds[turn.lane.index].filter { queues.contains($0.queue) }
    for queue in queues where !held.contains(where: { $0.queue == queue }) {
      held.append((queue, number))
    }
    holds[turn.lane.index] = held
  }

  private func cycle(of deadlock: Deadlock) -> [Timeline.CycleLink] {
    var owned = deadlock.links[deadlock.links.count - 1].waitsFor
    let isAlone = deadlock.links.count == 1
    if let through = deadlock.through, let link = deadlock.links.first {
      return cycle(of: link, through: through)
    }
    return deadlock.links.compactMap { link in
      defer { owned = link.waitsFor }
      // A block that waits for a group has no lane yet.
      if waits[link.lane.index] == nil, world.isGroup(link.waitsFor) { return nil }
      let verb = world.isGroup(owned) ? "is to leave" : "holds"
      let turn = holds[link.lane.index].first { $0.queue == owned }?.turn
      return .init(
        lane: world.name(of: link.lane), holds: plainName(world.name(of: owned)),
        claim: isAlone && world.isGroup(owned)
          ? nil : "\(verb) \(plainName(world.name(of: owned)))",
        waitsFor: plainName(world.name(of: link.waitsFor)),
        heldColumn: columns[owned.index], awaitedColumn: columns[link.waitsFor.index],
        taken: turn.flatMap { moment(at: $0, of: link.lane.index, taking: owned) },
        wait: waits[link.lane.index])
    }
  }

  /// Returns the cycle of a lane that waits for itself by way of another queue. While it holds its
  /// own queue it waits for the other queue, and the reverse.
  private func cycle(of link: Deadlock.Link, through: QueueID) -> [Timeline.CycleLink] {
    func taken(_ queue: QueueID) -> Int? {
      let turn = holds[link.lane.index].first { $0.queue == queue }?.turn
      return turn.flatMap { moment(at: $0, of: link.lane.index, taking: queue) }
    }
    func part(_ held: QueueID, _ awaited: QueueID, wait: Int?) -> Timeline.CycleLink {
      .init(
        lane: world.name(of: link.lane), holds: plainName(world.name(of: held)),
        claim: "holds \(plainName(world.name(of: held)))",
        waitsFor: plainName(world.name(of: awaited)), heldColumn: columns[held.index],
        awaitedColumn: columns[awaited.index], taken: taken(held), wait: wait)
    }
    return [
      part(link.waitsFor, through, wait: taken(through)),
      part(through, link.waitsFor, wait: waits[link.lane.index]),
    ]
  }

  /// Returns the moment at which a lane took a queue that it has held since a turn. This is the
  /// call that waited for the queue, or else the first action that used it.
  private func moment(at turn: Int, of lane: Int, taking queue: QueueID) -> Int? {
    let own = timeline.moments.indices.filter { timeline.moments[$0].lane == lane }
    let call = own.last { index in
      let moment = timeline.moments[index]
      return moment.kind == .call && moment.turn <= turn
        && waitingCalls.contains { $0.turn == moment.turn && $0.queue == queue }
    }
    return call ?? own.first { timeline.moments[$0].turn >= turn }
  }

  /// Returns a queue's name without its article, such as `main queue` for `the main queue`.
  func plainName(_ queue: String) -> String {
    queue.hasPrefix("the ") ? String(queue.dropFirst(4)) : queue
  }
}
