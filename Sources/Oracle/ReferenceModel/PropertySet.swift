import ObjectModel

/// A set of properties of one entity, by index, or of its to-many relationships, by slot.
///
/// The first 64 properties are the bits of one number. Only larger entities have more numbers.
struct PropertySet: Hashable, Sendable {
  private var bits: UInt64 = 0
  /// The bits of the properties 64 to 127, 128 to 191, and so on. The list has no zero at its end
  /// and is nil rather than empty, so that equal sets have equal parts.
  private var more: [UInt64]?

  var isEmpty: Bool { bits == 0 && more == nil }

  func contains(_ property: Int) -> Bool {
    assert(0..<Entity.propertyLimit ~= property, "property \(property) is beyond any entity's")
    if property >= 64 { return word(property / 64) & (1 << UInt64(property % 64)) != 0 }
    return bits & (1 << UInt64(property)) != 0
  }

  mutating func insert(_ property: Int) {
    assert(0..<Entity.propertyLimit ~= property, "property \(property) is beyond any entity's")
    if property >= 64 { return set(property / 64) { $0 | 1 << UInt64(property % 64) } }
    bits |= 1 << UInt64(property)
  }

  mutating func remove(_ property: Int) {
    assert(0..<Entity.propertyLimit ~= property, "property \(property) is beyond any entity's")
    if property >= 64 { return set(property / 64) { $0 & ~(1 << UInt64(property % 64)) } }
    bits &= ~(1 << UInt64(property))
  }

  mutating func removeAll() {
    bits = 0
    more = nil
  }

  // MARK: Properties from 64 on

  /// Returns the bits of 64 properties. Number 1 has the properties 64 to 127.
  private func word(_ number: Int) -> UInt64 {
    guard let more, number <= more.count else { return 0 }
    return more[number - 1]
  }

  private mutating func set(_ number: Int, to change: (UInt64) -> UInt64) {
    let count = max(number, more?.count ?? 0)
    var words = (1...count).map { $0 == number ? change(word($0)) : word($0) }
    while words.last == 0 { words.removeLast() }
    more = words.isEmpty ? nil : words
  }
}
