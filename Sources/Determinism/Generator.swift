/// A repeatable source of chance: xoshiro256**, seeded through SplitMix64.
///
/// Stands where `SystemRandomNumberGenerator` would. The algorithms are Blackman and Vigna's,
/// chosen because their published test vectors make every port checkable.
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

  /// Starts from a full state, so that the published vectors can be checked.
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

  /// A number below `bound`, each equally likely but for a bias under 2⁻³² (one multiplication, no
  /// rejection: the cost and the number of draws never depend on what was drawn).
  @inlinable package mutating func next(below bound: Int) -> Int {
    precondition(bound > 0 && bound <= Int(UInt32.max), "bound \(bound) is not in 1...2³²-1")
    return Int(((next() >> 32) &* UInt64(bound)) >> 32)
  }

  /// One step of SplitMix64: advances `state` and returns its scrambled value.
  package static func splitMix(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// The seed of the `index`-th run, stream or shard below `seed`: neighbours share nothing.
  package static func derive(_ seed: UInt64, _ index: UInt64) -> UInt64 {
    var state = seed ^ (index &* 0xD1B5_4A32_D192_ED03)
    _ = splitMix(&state)
    return splitMix(&state)
  }

  @inlinable func rotate(_ x: UInt64, by k: UInt64) -> UInt64 { (x &<< k) | (x &>> (64 - k)) }
}
