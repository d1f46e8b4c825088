import SimulatedDispatch

/// The state on which the future of a world depends, without its history.
///
/// Programs that lead to equal fingerprints have the same possible continuations. Equal futures may
/// have unequal fingerprints.
extension World {
  /// Feeds the state to `hasher`. The values differ between processes, so use them only for
  /// membership tests.
  ///
  /// - Parameter tellsHistory: Whether a step may still refer to an old DidSave or batch result.
  package func hashState(into hasher: inout Hasher, tellsHistory: Bool) {
    graph.hashState(into: &hasher, tellsHistory: tellsHistory)
    hasher.combine(flags)
    hasher.combine(lanesThatFound)
    hasher.combine(unfinishedBlockCount)
    // Ignore the past of idle lanes, which affects nothing.
    if !dispatcher.isIdle { hasher.combine(dispatcher) }
  }
}
