/// A set of property numbers of one entity, as one word.
struct PropertySet: Hashable {
  private var bits: UInt64 = 0

  var isEmpty: Bool { bits == 0 }

  func contains(_ property: Int) -> Bool { bits & (1 << UInt64(property)) != 0 }

  mutating func insert(_ property: Int) { bits |= 1 << UInt64(property) }

  mutating func remove(_ property: Int) { bits &= ~(1 << UInt64(property)) }

  mutating func removeAll() { bits = 0 }
}
