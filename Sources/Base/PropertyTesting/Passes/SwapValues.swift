import Determinism

extension Shrinker {
  /// Swaps two choices at most `reach` apart if the later choice is smaller.
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

  /// The largest distance between two choices that are edited as a pair. Related choices are
  /// usually close to each other.
  var reach: Int { 8 }
}
