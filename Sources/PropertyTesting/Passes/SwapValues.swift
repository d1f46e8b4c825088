import Determinism

extension Shrinker {
  /// Swaps two choices, at most `reach` apart, if the smaller one stands later.
  mutating func swapValues() {
    for stream in Choices.Recording.readingOrder {
      for distance in 1...reach {
        var index = 0
        while index + distance < best[stream].count, !isSpent {
          let (first, second) = (best[stream][index], best[stream][index + distance])
          if second < first {
            _ = attempt(
              best.setting(second, at: index, in: stream)
                .setting(first, at: index + distance, in: stream))
          }
          index += 1
        }
      }
    }
  }

  /// How far apart two choices may stand to be tried as a pair. Related choices stand close.
  var reach: Int { 8 }
}
