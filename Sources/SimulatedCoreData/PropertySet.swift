/// A set of property numbers of one entity, as one word.
struct PropertySet: Hashable {
  private var bits: UInt64 = 0

  var isEmpty: Bool { bits == 0 }

  func contains(_ property: Int) -> Bool {
    assert(0..<64 ~= property, "property \(property) is beyond a set's 64")
    return bits & (1 << UInt64(property)) != 0
  }

  mutating func insert(_ property: Int) {
    assert(0..<64 ~= property, "property \(property) is beyond a set's 64")
    bits |= 1 << UInt64(property)
  }

  mutating func remove(_ property: Int) {
    assert(0..<64 ~= property, "property \(property) is beyond a set's 64")
    bits &= ~(1 << UInt64(property))
  }

  mutating func removeAll() { bits = 0 }
}
