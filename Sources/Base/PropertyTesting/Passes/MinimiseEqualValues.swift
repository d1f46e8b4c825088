import Determinism

extension Shrinker {
  /// Lowers equal choices together, since a failure may require two values to stay equal.
  ///
  /// The pass first lowers all equal choices of a stream, and then groups of them with one position
  /// within their spans. The groups separate a choice that continues a list from an element that
  /// has the same value.
  mutating func minimiseEqualValues() {
    for stream in Choices.Recording.readingOrder {
      for value in Set(best[stream]).sorted(by: >) where value > 0 && !isSpent {
        minimiseAll(equalTo: value, in: stream)
      }
    }
  }

  private mutating func minimiseAll(equalTo value: UInt32, in stream: Choices.Stream) {
    let indexes = indexes(of: value, in: stream)
    guard indexes.count > 1 else { return }
    minimise(indexes, in: stream)

    let columns = layers.columns(of: stream, count: best[stream].count)
    let remaining = self.indexes(of: value, in: stream)
    for column in Set(remaining.map { columns[$0] ?? -1 }).sorted() where !isSpent {
      let group = self.indexes(of: value, in: stream).filter {
        $0 < columns.count && (columns[$0] ?? -1) == column
      }
      if group.count > 1 && group.count < remaining.count { minimise(group, in: stream) }
    }
  }

  private func indexes(of value: UInt32, in stream: Choices.Stream) -> [Int] {
    best[stream].indices.filter { best[stream][$0] == value }
  }
}
