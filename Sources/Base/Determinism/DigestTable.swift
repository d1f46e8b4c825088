/// A table of numbers by digest, like a `LookupTable` with digests as keys. A digest needs no
/// hashing, because its last bits are its place.
///
/// Uses open addressing and is at most half full. The table cannot be iterated, so its order cannot
/// affect a run.
@usableFromInline package struct DigestTable: Sendable {
  @usableFromInline struct Place: Sendable {
    @usableFromInline var digest: UInt64
    /// The number for the digest, or a negative number if the place is free.
    @usableFromInline var number: Int

    @inlinable init(digest: UInt64 = 0, number: Int = -1) {
      (self.digest, self.number) = (digest, number)
    }
  }

  /// The places. Their count is zero or a power of two.
  @usableFromInline var places: [Place] = []
  @usableFromInline package internal(set) var count = 0

  @usableFromInline let leastPlaceCount: Int

  /// Creates an empty table that first allocates memory for at least `count` digests.
  package init(expecting count: Int = 32) {
    leastPlaceCount = 2 << (Int.bitWidth - max(1, count - 1).leadingZeroBitCount)
  }

  /// Returns the number for `digest`, or `nil` if the table has none.
  @inlinable package func number(of digest: UInt64) -> Int? {
    if places.isEmpty { return nil }
    let number = places[place(of: digest)].number
    return number < 0 ? nil : number
  }

  @inlinable package mutating func put(_ number: Int, for digest: UInt64) {
    precondition(number >= 0, "\(number) is put into a table")
    if 2 * (count + 1) > places.count { grow() }
    let place = place(of: digest)
    if places[place].number < 0 { count += 1 }
    places[place] = Place(digest: digest, number: number)
  }

  /// Adds `number` unless the table has a number for `digest`. Returns `true` if it was added.
  @inlinable package mutating func putFirst(_ number: Int, for digest: UInt64) -> Bool {
    precondition(number >= 0, "\(number) is put into a table")
    if 2 * (count + 1) > places.count { grow() }
    let place = place(of: digest)
    if places[place].number >= 0 { return false }
    count += 1
    places[place] = Place(digest: digest, number: number)
    return true
  }

  /// Returns the place of the digest, or the free place where it belongs.
  @inlinable func place(of digest: UInt64) -> Int {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: digest) & mask
    while places[place].number >= 0, places[place].digest != digest { place = (place + 1) & mask }
    return place
  }

  @usableFromInline mutating func grow() {
    let old = places
    places = Array(repeating: Place(), count: max(leastPlaceCount, 2 * old.count))
    for entry in old where entry.number >= 0 { places[place(of: entry.digest)] = entry }
  }
}
