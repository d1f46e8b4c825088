import Determinism

extension Shrinker {
  /// Replaces a span by one inside it: a tree by its branch.
  mutating func hoistSpans() {
    var depth = 0
    while depth < layers.count, !isSpent {
      var index = 0
      while index < layers[depth].count, !isSpent {
        // A span that moved up may hold others to move up, so the place is visited once more.
        if !hoist(into: layers[depth][index], atDepth: depth) { index += 1 }
      }
      depth += 1
    }
  }

  /// Inner spans are tried from the shortest: the boldest edit first.
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
