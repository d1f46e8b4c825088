import SimulatedDispatch

/// What the future of a world depends on, and nothing of how it came about: two programs that lead
/// to equal fingerprints can be continued alike. Finer than it need be (equal futures may have
/// unequal fingerprints), never coarser.
extension World {
  /// Feeds the state to `hasher`. The values are not stable between processes: for membership only.
  ///
  /// - Parameter tellsHistory: Whether a step may still ask for an old DidSave or batch result.
  package func hashState(into hasher: inout Hasher, tellsHistory: Bool) {
    graph.hashState(into: &hasher, tellsHistory: tellsHistory)
    hasher.combine(flags)
    hasher.combine(unfinishedBlockCount)
    // The past of lanes that have nothing to do any more decides nothing.
    if !dispatcher.isIdle { hasher.combine(dispatcher) }
  }
}
