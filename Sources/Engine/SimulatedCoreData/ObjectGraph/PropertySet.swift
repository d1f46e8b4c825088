import ObjectModel

/// A set of property numbers of one entity.
///
/// The set is a single word, unless an entity has more than 64 properties. Additional words contain
/// the numbers from 64 on.
struct PropertySet: Hashable {
  private var bits: UInt64 = 0
  /// The numbers from 64 on, with 64 numbers in a word. The last word is not 0, and an empty list
  /// is `nil`, so that equal sets are equal values.
  private var others: [UInt64]?

  var isEmpty: Bool { bits == 0 && others == nil }

  func isDisjoint(with other: PropertySet) -> Bool {
    if bits & other.bits != 0 { return false }
    guard let mine = others, let theirs = other.others else { return true }
    return zip(mine, theirs).allSatisfy { $0 & $1 == 0 }
  }

  func contains(_ property: Int) -> Bool {
    assert(0..<Entity.propertyLimit ~= property, "no entity has a property \(property)")
    return property < 64 ? bits & (1 << UInt64(property)) != 0 : othersContain(property)
  }

  mutating func insert(_ property: Int) {
    assert(0..<Entity.propertyLimit ~= property, "no entity has a property \(property)")
    if property < 64 { bits |= 1 << UInt64(property) } else { insertIntoOthers(property) }
  }

  mutating func remove(_ property: Int) {
    assert(0..<Entity.propertyLimit ~= property, "no entity has a property \(property)")
    if property < 64 { bits &= ~(1 << UInt64(property)) } else { removeFromOthers(property) }
  }

  mutating func removeAll() {
    bits = 0
    if others != nil { others = nil }
  }

  // MARK: Numbers from 64 on

  @inline(never) private func othersContain(_ property: Int) -> Bool {
    guard let others, property / 64 <= others.count else { return false }
    return others[property / 64 - 1] & (1 << UInt64(property % 64)) != 0
  }

  @inline(never) private mutating func insertIntoOthers(_ property: Int) {
    var words = others ?? []
    while words.count < property / 64 { words.append(0) }
    words[property / 64 - 1] |= 1 << UInt64(property % 64)
    others = words
  }

  @inline(never) private mutating func removeFromOthers(_ property: Int) {
    guard var words = others, property / 64 <= words.count else { return }
    words[property / 64 - 1] &= ~(1 << UInt64(property % 64))
    while words.last == 0 { words.removeLast() }
    others = words.isEmpty ? nil : words
  }
}
