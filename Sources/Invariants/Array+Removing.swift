extension Array {
  /// As `removeAll(where:)`, and leaves a list alone that has none of them: most have none, after
  /// most actions.
  @inline(__always) mutating func removeAny(where isToGo: (Element) -> Bool) {
    for index in indices where isToGo(self[index]) { return removeAll(where: isToGo) }
  }
}
