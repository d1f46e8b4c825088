/// A number for each of many digests, as `LookupTable` has an element for each key. A digest needs
/// no hashing: its last bits say where it stands.
///
/// Open addressing, at most half full. It cannot be walked, so that its order can decide nothing.
package struct DigestTable: Sendable {
  private struct Place {
    var digest: UInt64 = 0
    /// Below 0 in a place that is free.
    var number = -1
  }

  /// As many as a power of two, or none.
  private var places: [Place] = []
  package private(set) var count = 0

  private let leastPlaceCount: Int

  /// Has place for so many at the first.
  package init(expecting count: Int = 32) {
    leastPlaceCount = 2 << (Int.bitWidth - max(1, count - 1).leadingZeroBitCount)
  }

  /// Nil if none was put there.
  package func number(of digest: UInt64) -> Int? {
    if places.isEmpty { return nil }
    let number = places[place(of: digest)].number
    return number < 0 ? nil : number
  }

  package mutating func put(_ number: Int, for digest: UInt64) {
    precondition(number >= 0, "\(number) is put into a table")
    if 2 * (count + 1) > places.count { grow() }
    let place = place(of: digest)
    if places[place].number < 0 { count += 1 }
    places[place] = Place(digest: digest, number: number)
  }

  /// Where the digest stands, or is to stand.
  private func place(of digest: UInt64) -> Int {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: digest) & mask
    while places[place].number >= 0, places[place].digest != digest { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    let old = places
    places = Array(repeating: Place(), count: max(leastPlaceCount, 2 * old.count))
    for entry in old where entry.number >= 0 { places[place(of: entry.digest)] = entry }
  }
}
