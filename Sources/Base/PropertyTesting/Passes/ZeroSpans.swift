import Determinism

extension Shrinker {
  /// Sets every choice of a span to 0, outer spans first, from the end.
  mutating func zeroSpans() {
    var depth = 0
    while depth < layers.count, !isSpent {
      var index = layers[depth].count - 1
      while index >= 0, !isSpent {
        let span = layers[depth][index]
        if best[span].contains(where: { $0 != 0 }) {
          _ = attempt(best.zeroing(span.range, in: span.stream))
        }
        index = min(index, layers[depth].count) - 1
      }
      depth += 1
    }
  }
}
