extension Array {
  /// Removes elements as `removeAll(where:)` does, but leaves the array alone if no element
  /// matches. After most actions, most arrays have no match.
  @inline(__always) mutating func removeAny(where isToGo: (Element) -> Bool) {
    for index in indices where isToGo(self[index]) { return removeAll(where: isToGo) }
  }
}
