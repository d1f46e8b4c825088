package import Determinism

/// Selective uniform random walk (Zhao et al., ASPLOS 2025): uniform over the order of the turns on
/// one queue, which is drawn per schedule; all other turns go at random between them. The lock of a
/// coordinator is one of the queues: then it is the order of saves, fetches and merges.
///
/// The lane whose turn on the queue comes next is intended ahead of time, in proportion to the
/// turns that lanes have left there; until it has taken it, other lanes stop before theirs.
package struct SelectiveWalk: SchedulingStrategy {
  /// Nil before the first decision.
  private var queues: QueueSet?
  private var intended: LaneID?
  /// Of the driver's turns so far: how many there were, and how many on the queue.
  private var driverTurns = (all: 0, selected: 0)

  /// `queue` is drawn if it is nil.
  package init(queue: QueueID? = nil) { queues = queue.map { QueueSet($0) } }

  package mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) -> Int {
    let queues =
      queues ?? QueueSet(QueueID(index: generator.next(below: max(1, outlook.queueCount))))
    self.queues = queues
    if intended == nil { intend(decision, queues, in: outlook, &generator) }
    var choice = pick(decision, queues, in: outlook, &generator)
    if choice == nil {
      // The one that is intended waits for a lane that stops for it.
      intend(decision, queues, in: outlook, &generator)
      choice = pick(decision, queues, in: outlook, &generator)
    }
    let index = choice ?? generator.next(below: decision.count)
    note(decision[index], decision.driver, queues, in: outlook)
    return index
  }

  package mutating func follow(_ lane: LaneID, in outlook: some SchedulingOutlook) {
    if lane == intended { follow(lane, on: outlook.nextTurn(of: lane)) }
  }

  package mutating func follow(_ lane: LaneID, on turns: QueueSet) {
    if lane == intended, let queues, turns.meets(queues) { intended = nil }
  }

  /// One of those that may go, each equally likely.
  private func pick(
    _ decision: SchedulingDecision, _ queues: QueueSet, in outlook: some SchedulingOutlook,
    _ generator: inout Generator
  ) -> Int? {
    decision.pick(&generator) { lane in
      lane == intended || !outlook.nextTurn(of: lane).meets(queues) ? 1 : 0
    }
  }

  private mutating func intend(
    _ decision: SchedulingDecision, _ queues: QueueSet, in outlook: some SchedulingOutlook,
    _ generator: inout Generator
  ) {
    let turns = driverTurns
    let choice = decision.pick(&generator) { lane in
      let toCome =
        lane == decision.driver
        ? decision.turnsToCome * (turns.selected + 1) / (turns.all + 4) : 0
      return outlook.turnsLeft(of: lane, on: queues) + toCome
    }
    intended = choice.map { decision[$0] }
  }

  private mutating func note(
    _ lane: LaneID, _ driver: LaneID, _ queues: QueueSet, in outlook: some SchedulingOutlook
  ) {
    let isSelected = outlook.nextTurn(of: lane).meets(queues)
    if isSelected, lane == intended { intended = nil }
    if lane == driver {
      driverTurns.all += 1
      if isSelected { driverTurns.selected += 1 }
    }
  }
}
