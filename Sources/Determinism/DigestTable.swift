/// A number for each of many digests, as `LookupTable` has an element for each key. A digest needs
/// no hashing: its last bits say where it stands.
///
/// Open addressing, at most half full. It cannot be walked, so that its order can decide nothing.
@usableFromInline package struct DigestTable: Sendable {
  @usableFromInline struct Place: Sendable {
    @usableFromInline var digest: UInt64
    /// Below 0 in a place that is free.
    @usableFromInline var number: Int

    @inlinable init(digest: UInt64 = 0, number: Int = -1) {
      (self.digest, self.number) = (digest, number)
    }
  }

  /// As many as a power of two, or none.
  @usableFromInline var places: [Place] = []
  @usableFromInline package internal(set) var count = 0

  @usableFromInline let leastPlaceCount: Int

  /// Has place for so many at the first.
  package init(expecting count: Int = 32) {
    leastPlaceCount = 2 << (Int.bitWidth - max(1, count - 1).leadingZeroBitCount)
  }

  /// Nil if none was put there.
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

  /// Puts it there unless there is one for this digest; whether there was none.
  @inlinable package mutating func putFirst(_ number: Int, for digest: UInt64) -> Bool {
    precondition(number >= 0, "\(number) is put into a table")
    if 2 * (count + 1) > places.count { grow() }
    let place = place(of: digest)
    if places[place].number >= 0 { return false }
    count += 1
    places[place] = Place(digest: digest, number: number)
    return true
  }

  /// Where the digest stands, or is to stand.
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
