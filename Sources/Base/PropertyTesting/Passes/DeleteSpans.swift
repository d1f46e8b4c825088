import Determinism

extension Shrinker {
  /// Deletes whole spans, outer spans first, with as many adjacent spans at once as possible.
  ///
  /// The pass starts at the end, because later steps depend on earlier steps.
  mutating func deleteSpans() {
    var depth = 0
    while depth < layers.count, !isSpent {
      deleteSpans(atDepth: depth)
      depth += 1
    }
  }

  private mutating func deleteSpans(atDepth depth: Int) {
    var index = layers[depth].count - 1
    while index >= 0, !isSpent {
      let (base, layer) = (best, layers[depth])
      let stretch = SpanLayers.adjacentCount(in: layer, endingAt: index)
      let deleted = largestCount(upTo: stretch) { count in
        let start = layer[index - count + 1].range.lowerBound
        return attempt(
          base.deleting(start..<layer[index].range.upperBound, in: layer[index].stream))
      }
      index = min(index - max(deleted, 1), layers[depth].count - 1)
    }
  }
}
