package import Determinism

/// Selective uniform random walk (Zhao et al., ASPLOS 2025). Every order of the turns on one queue,
/// drawn for each schedule, is equally likely. All other turns are placed at random between these
/// turns. If the queue is the lock of a coordinator, the order is that of saves, fetches and
/// merges.
///
/// The strategy first draws the lane that takes the next turn on the queue, in proportion to the
/// turns that lanes have left there. Other lanes stop before their turns on the queue until the
/// drawn lane has taken its turn.
package struct SelectiveWalk: SchedulingStrategy {
  /// The selected queue, or `nil` before the first decision.
  private var queues: QueueSet?
  private var intended: LaneID?
  /// The driver's turns so far, and the number of them on the selected queue.
  private var driverTurns = (all: 0, selected: 0)

  /// Creates a strategy for `queue`, or for a random queue if `queue` is `nil`.
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
      // The intended lane waits for a lane that has stopped for it.
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

  /// Returns one of the lanes that may run, with equal probability, or `nil` if none may.
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
