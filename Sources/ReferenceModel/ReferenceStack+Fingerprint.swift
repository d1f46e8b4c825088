/// For searches among states.
extension ReferenceStack {
  /// Feeds all that its predictions depend on. For membership within a process only.
  ///
  /// - Parameter tellsHistory: Whether a step may still ask for an old DidSave or batch result.
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
