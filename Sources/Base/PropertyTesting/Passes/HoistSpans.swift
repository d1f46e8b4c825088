import Determinism

extension Shrinker {
  /// Replaces a span with a span inside it, as in replacing a tree with one of its branches.
  mutating func hoistSpans() {
    var depth = 0
    while depth < layers.count, !isSpent {
      var index = 0
      while index < layers[depth].count, !isSpent {
        // The hoisted span may contain further spans to hoist, so the same position is tried again.
        if !hoist(into: layers[depth][index], atDepth: depth) { index += 1 }
      }
      depth += 1
    }
  }

  /// Replaces `outer` with the shortest inner span that keeps the failure. Short spans are tried
  /// first, because they remove the most.
  private mutating func hoist(into outer: Choices.Span, atDepth depth: Int) -> Bool {
    let base = best
    let inner = (depth + 1..<max(layers.count, depth + 1)).flatMap { layers[$0] }
      .filter { $0.stream == outer.stream && outer.range.contains($0.range) }
      .sorted { ($0.range.count, $0.range.lowerBound) < ($1.range.count, $1.range.lowerBound) }
    for span in inner where !isSpent {
      if attempt(base.replacing(outer.range, in: outer.stream, by: base[span])) { return true }
    }
    return false
  }
}
