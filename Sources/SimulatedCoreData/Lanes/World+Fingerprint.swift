import SimulatedDispatch

/// The state that the future of a world depends on, without its history.
///
/// Two programs that lead to equal fingerprints can be continued alike. Equal futures may have
/// unequal fingerprints.
extension World {
  /// Feeds the state to `hasher`. The values are not stable between processes: for membership only.
  ///
  /// - Parameter tellsHistory: Whether a step may still ask for an old DidSave or batch result.
  package func hashState(into hasher: inout Hasher, tellsHistory: Bool) {
    graph.hashState(into: &hasher, tellsHistory: tellsHistory)
    hasher.combine(flags)
    hasher.combine(lanesThatFound)
    hasher.combine(unfinishedBlockCount)
    // The past of lanes that have nothing to do any more decides nothing.
    if !dispatcher.isIdle { hasher.combine(dispatcher) }
  }
}
