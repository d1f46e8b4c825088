/// Differences between two states of one dispatcher, which show the effect of a turn on any lane.
extension Dispatcher {
  /// Returns the queues whose owner, line, hold count or suspension count differs from `earlier`.
  package func changedQueues(since earlier: Dispatcher) -> [QueueID] {
    queues.indices.filter { queues[$0] != earlier.queues[$0] }.map { QueueID(index: $0) }
  }

  /// Returns the lanes that changed their frames, or began or ended a wait or a sleep, since
  /// `earlier`.
  package func changedLanes(since earlier: Dispatcher) -> [LaneID] {
    lanes.indices.filter { lanes[$0] != earlier.lanes[$0] }.map { LaneID(index: $0) }
  }

  /// Returns a Boolean value that indicates whether a lane has joined a line since `earlier`.
  package func hasNewWaits(since earlier: Dispatcher) -> Bool {
    lanes.indices.contains {
      lanes[$0].waitsFor != nil && lanes[$0].waitsFor != earlier.lanes[$0].waitsFor
    }
  }

  package func hasNewDeadlines(since earlier: Dispatcher) -> Bool {
    deadlines != earlier.deadlines
  }
}
