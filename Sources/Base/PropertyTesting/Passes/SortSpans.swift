import Determinism

extension Shrinker {
  /// Sorts adjacent spans. Tries a whole stretch at once, and otherwise swaps pairs of spans in the
  /// wrong order, nearest pairs first.
  ///
  /// Sorting makes the recording lexicographically smaller: `a` belongs before `b` if `ab` is
  /// smaller than `ba`.
  mutating func sortSpans() {
    var depth = 0
    while depth < layers.count, !isSpent {
      for stretch in SpanLayers.stretches(of: layers[depth]) where !isSpent {
        sort(stretch, atDepth: depth)
        // A list ends with a single 0. If that 0 were sorted to the front, it would end the list at
        // once.
        sort(stretch.dropLast(), atDepth: depth)
      }
      depth += 1
    }
  }

  private mutating func sort(_ stretch: Range<Int>, atDepth depth: Int) {
    guard let spans = sortable(stretch, atDepth: depth) else { return }
    let values = spans.map { Array(best[$0]) }
    let sorted = values.sorted(by: belongsBefore)
    guard sorted != values, !attempt(replacing(spans, by: sorted)) else { return }
    for distance in 1..<spans.count {
      var index = spans.count - distance - 1
      while index >= 0, !isSpent {
        guard let spans = sortable(stretch, atDepth: depth), index + distance < spans.count else {
          return
        }
        var values = spans.map { Array(best[$0]) }
        if belongsBefore(values[index + distance], values[index]) {
          values.swapAt(index, index + distance)
          _ = attempt(replacing(spans, by: values))
        }
        index -= 1
      }
    }
  }

  /// The spans of a stretch. Nil if a successful edit broke up the stretch, or if it has fewer than
  /// two spans.
  private func sortable(_ stretch: Range<Int>, atDepth depth: Int) -> [Choices.Span]? {
    guard stretch.upperBound <= layers[depth].count else { return nil }
    let spans = Array(layers[depth][stretch])
    guard spans.count > 1,
      SpanLayers.adjacentCount(in: spans, endingAt: spans.count - 1) == spans.count
    else { return nil }
    return spans
  }

  private func replacing(
    _ spans: [Choices.Span], by values: [[UInt32]]
  ) -> Choices.Recording {
    let whole = spans[0].range.lowerBound..<spans[spans.count - 1].range.upperBound
    return best.replacing(whole, in: spans[0].stream, by: values.flatMap { $0 })
  }

  private func belongsBefore(_ a: [UInt32], _ b: [UInt32]) -> Bool {
    (a + b).lexicographicallyPrecedes(b + a)
  }
}
