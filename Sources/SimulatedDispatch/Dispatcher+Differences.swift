/// What has changed between two states of one dispatcher: what a turn did, on whatever lane.
extension Dispatcher {
  /// The queues that have another owner, line or debt than in `earlier`.
  package func changedQueues(since earlier: Dispatcher) -> [QueueID] {
    queues.indices.filter { queues[$0] != earlier.queues[$0] }.map { QueueID(index: $0) }
  }

  /// The lanes that have other frames, or stopped or began to wait or to sleep.
  package func changedLanes(since earlier: Dispatcher) -> [LaneID] {
    lanes.indices.filter { lanes[$0] != earlier.lanes[$0] }.map { LaneID(index: $0) }
  }

  /// Whether a lane has joined a line since `earlier`.
  package func hasNewWaits(since earlier: Dispatcher) -> Bool {
    lanes.indices.contains {
      lanes[$0].waitsFor != nil && lanes[$0].waitsFor != earlier.lanes[$0].waitsFor
    }
  }

  package func hasNewDeadlines(since earlier: Dispatcher) -> Bool {
    deadlines != earlier.deadlines
  }
}
