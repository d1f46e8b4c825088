import Determinism

extension Shrinker {
  /// Makes each choice as small as possible, in order.
  mutating func minimiseValues() {
    for stream in Choices.Recording.readingOrder {
      var index = 0
      while index < best[stream].count, !isSpent {
        minimise([index], in: stream)
        index += 1
      }
    }
  }

  /// Lowers the equal choices at `indexes` together.
  ///
  /// The pass tries 0 first, then bisects. Steps of 2 follow, which keep the sign of a number in
  /// zig-zag order. Finally it tries the values below 8 in order.
  mutating func minimise(_ indexes: [Int], in stream: Choices.Stream) {
    func current() -> UInt32 {
      indexes.last! < best[stream].count ? best[stream][indexes[0]] : 0
    }
    func lower(to value: UInt32) -> Bool {
      value < current() && attempt(best.setting(value, at: indexes, in: stream))
    }
    guard current() > 0, !lower(to: 0) else { return }

    var tooLow: UInt32 = 0
    while current() > tooLow + 1, !isSpent {
      let middle = tooLow + (current() - tooLow) / 2
      if !lower(to: middle) { tooLow = middle }
    }
    let start = current()
    _ = largestCount(upTo: Int(start / 2)) { lower(to: start - UInt32($0) * 2) }
    var value: UInt32 = 1
    while value < min(current(), 8), !lower(to: value) { value += 1 }
  }
}
