/// State hashes for searches among states.
extension ReferenceStack {
  /// Feeds all state on which predictions depend. Use the hash only for membership within a
  /// process.
  ///
  /// - Parameter tellsHistory: Whether a step may still refer to an old DidSave or batch result.
  package func hashState(into hasher: inout Hasher, tellsHistory: Bool) {
    hasher.combine(contexts)
    hasher.combine(stores)
    hasher.combine(coordinators)
    hasher.combine(rowCaches)
    hasher.combine(births)
    hasher.combine(nextHookValue)
    hasher.combine(lists)
    hasher.combine(awaitedMerges)
    hasher.combine(notedIDs)
    if tellsHistory { hasher.combine(announcements) }
  }
}
