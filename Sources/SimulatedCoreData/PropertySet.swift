/// A set of property numbers of one entity, as two words.
struct PropertySet: Hashable {
  /// The largest number of properties that an entity may have.
  static let capacity = 128

  private var low: UInt64 = 0
  private var high: UInt64 = 0

  var isEmpty: Bool { low == 0 && high == 0 }

  func contains(_ property: Int) -> Bool {
    property < 64 ? low & (1 << UInt64(property)) != 0 : high & (1 << UInt64(property - 64)) != 0
  }

  mutating func insert(_ property: Int) {
    if property < 64 { low |= 1 << UInt64(property) } else { high |= 1 << UInt64(property - 64) }
  }

  mutating func removeAll() { self = PropertySet() }
}
