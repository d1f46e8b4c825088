import Determinism

extension Shrinker {
  /// Moves as much as possible from a choice to a later choice, since a failure may depend on their
  /// sum. Even amounts are tried separately, because they keep the sign of a number in zig-zag
  /// order.
  mutating func redistribute() {
    for stream in Choices.Recording.readingOrder {
      var index = 0
      while index < best[stream].count, !isSpent {
        for distance in 1...reach { move(from: index, to: index + distance, in: stream) }
        index += 1
      }
    }
  }

  private mutating func move(from index: Int, to other: Int, in stream: Choices.Stream) {
    for unit in [1, 2] as [UInt32] where other < best[stream].count {
      let base = best
      let (first, second) = (base[stream][index], base[stream][other])
      func move(_ count: Int) -> Bool {
        let amount = UInt32(count) * unit
        let (sum, overflow) = second.addingReportingOverflow(amount)
        return attempt(
          base.setting(first - amount, at: index, in: stream)
            .setting(overflow ? .max : sum, at: other, in: stream))
      }
      guard first > 0, second > 0, !move(Int(first / unit)) else { continue }
      _ = largestCount(upTo: Int(first / unit), where: move)
    }
  }
}
