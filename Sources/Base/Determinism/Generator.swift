/// A repeatable random number generator: xoshiro256**, seeded through SplitMix64.
///
/// Replaces `SystemRandomNumberGenerator`. The algorithms are by Blackman and Vigna. Their
/// published test vectors make every port checkable.
@usableFromInline package struct Generator: Hashable, Sendable {
  @usableFromInline var s0: UInt64
  @usableFromInline var s1: UInt64
  @usableFromInline var s2: UInt64
  @usableFromInline var s3: UInt64

  package init(seed: UInt64) {
    var state = seed
    s0 = Generator.splitMix(&state)
    s1 = Generator.splitMix(&state)
    s2 = Generator.splitMix(&state)
    s3 = Generator.splitMix(&state)
  }

  /// Starts from a full state, so that tests can check the published vectors.
  package init(state: (UInt64, UInt64, UInt64, UInt64)) {
    (s0, s1, s2, s3) = state
  }

  @inlinable package mutating func next() -> UInt64 {
    let result = rotate(s1 &* 5, by: 7) &* 9
    let shifted = s1 << 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = rotate(s3, by: 45)
    return result
  }

  /// Returns a number below `bound`. All numbers are equally likely except for a bias under 2⁻³².
  ///
  /// The cost and the number of draws are always the same: one multiplication, without rejection.
  @inlinable package mutating func next(below bound: Int) -> Int {
    precondition(bound > 0 && bound <= Int(UInt32.max), "bound \(bound) is not in 1...2³²-1")
    return Int(((next() >> 32) &* UInt64(bound)) >> 32)
  }

  /// Advances `state` by one step of SplitMix64 and returns the scrambled value.
  package static func splitMix(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns the seed of the run, stream or shard with number `index` below `seed`. Neighbouring
  /// seeds are unrelated.
  package static func derive(_ seed: UInt64, _ index: UInt64) -> UInt64 {
    var state = seed ^ (index &* 0xD1B5_4A32_D192_ED03)
    _ = splitMix(&state)
    return splitMix(&state)
  }

  @inlinable func rotate(_ x: UInt64, by k: UInt64) -> UInt64 { (x &<< k) | (x &>> (64 - k)) }
}
