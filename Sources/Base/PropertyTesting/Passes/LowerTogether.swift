import Determinism

extension Shrinker {
  /// Lowers two choices by the same amount, since a failure may depend on their difference. Even
  /// amounts are tried separately, because they keep the sign of a number in zig-zag order.
  mutating func lowerTogether() {
    for stream in Choices.Recording.readingOrder {
      var index = 0
      while index < best[stream].count, !isSpent {
        for distance in 1...reach { lower(index, index + distance, in: stream) }
        index += 1
      }
    }
  }

  private mutating func lower(_ index: Int, _ other: Int, in stream: Choices.Stream) {
    for unit in [1, 2] as [UInt32] where other < best[stream].count {
      let base = best
      let (first, second) = (base[stream][index], base[stream][other])
      _ = largestCount(upTo: Int(min(first, second) / unit)) { count in
        let amount = UInt32(count) * unit
        return attempt(
          base.setting(first - amount, at: index, in: stream)
            .setting(second - amount, at: other, in: stream))
      }
    }
  }
}
