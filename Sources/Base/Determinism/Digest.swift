/// A 64-bit fingerprint of a sequence of words.
///
/// Replaces `Hasher`. The algorithm is fixed, so processes, builds and machines agree, but does not
/// protect against deliberate collisions.
@usableFromInline package struct Digest: Hashable, Sendable {
  @usableFromInline package internal(set) var value: UInt64

  @inlinable package init(seed: UInt64 = 0x6A09_E667_F3BC_C908) { value = seed }

  // Inlined into other modules too, because every action feeds dozens of words. A call would keep
  // all values alive that it might read.

  @inline(__always) @inlinable package mutating func feed(_ word: UInt64) {
    var z = (value ^ word) &* 0x9FB2_1C65_1E98_DF25
    z ^= z >> 35
    value = (z &+ word) &* 0x9E6F_0D1B_3C8A_5F27 ^ (z >> 28)
  }

  @inline(__always) @inlinable package mutating func feed(_ number: Int) {
    feed(UInt64(bitPattern: Int64(number)))
  }

  @inline(__always) @inlinable package mutating func feed(_ flag: Bool) {
    feed(flag ? 1 : 0 as UInt64)
  }

  package mutating func feed(_ text: String) {
    var word: UInt64 = 0
    var filled: UInt64 = 0
    for byte in text.utf8 {
      word = word << 8 | UInt64(byte)
      filled += 1
      if filled % 8 == 0 {
        feed(word)
        word = 0
      }
    }
    feed(word)
    feed(filled)
  }

  /// The value as sixteen hexadecimal digits.
  package var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
