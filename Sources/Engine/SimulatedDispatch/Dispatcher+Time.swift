/// Virtual time, which does not advance while any lane can run.
extension Dispatcher {
  /// Enqueues `frame` as a block after `milliseconds`. Blocks due at the same time are enqueued in
  /// the order of the calls. A delay of zero is the same as `async`.
  @inlinable package mutating func asyncAfter(
    _ milliseconds: Int, _ frame: Frame, on queue: QueueID
  ) {
    if milliseconds == 0 {
      async(frame, on: queue)
    } else {
      schedule(.enqueue(frame, queue), after: milliseconds)
    }
  }

  /// Prevents `lane` from running until `milliseconds` have passed. Zero changes nothing. §sleep
  @inlinable package mutating func sleep(_ lane: LaneID, milliseconds: Int) {
    precondition(lanes[lane.index].waitsFor == nil, "lane \(lane.index) waits and cannot sleep")
    precondition(!lanes[lane.index].isAsleep, "lane \(lane.index) sleeps already")
    if milliseconds == 0 { return }
    schedule(.wake(lane), after: milliseconds)
    lanes[lane.index].isAsleep = true
    updateReady(lane)
  }

  /// Moves the clock to the earliest deadline and performs all events due then, if no lane can run.
  /// Returns `false` if a lane can run or no deadline exists.
  @inlinable package mutating func advanceTime() -> Bool {
    guard ready.count == 0, let next = deadlines.last else { return false }
    now = next.instant
    while let due = deadlines.last, due.instant == now {
      deadlines.removeLast()
      switch due.event {
      case .wake(let lane):
        lanes[lane.index].isAsleep = false
        updateReady(lane)
      case .enqueue(let frame, let queue):
        async(frame, on: queue)
      }
    }
    return true
  }

  @inlinable mutating func schedule(_ event: Event, after milliseconds: Int) {
    precondition(milliseconds > 0, "a deadline \(milliseconds) milliseconds ahead")
    let instant = Instant(milliseconds: now.milliseconds + milliseconds)
    var low = 0
    var high = deadlines.count
    while low < high {
      let middle = (low + high) / 2
      if deadlines[middle].instant > instant { low = middle + 1 } else { high = middle }
    }
    deadlines.insert(Deadline(instant: instant, event: event), at: low)
  }
}
