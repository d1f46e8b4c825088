/// A sample of counts, summarised for reports.
package struct Statistics: Hashable, Sendable {
  private let sorted: [Int]

  package init(_ sample: [Int]) { sorted = sample.sorted() }

  package var count: Int { sorted.count }

  package var mean: Double {
    sorted.isEmpty ? 0 : Double(sorted.reduce(0, +)) / Double(sorted.count)
  }

  /// The median. For an even number of counts, the mean of the two middle counts.
  package var median: Double {
    guard !sorted.isEmpty else { return 0 }
    return Double(sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// Returns the smallest count that at least `percent` of 100 counts do not exceed (nearest rank),
  /// or 0 for an empty sample.
  package func percentile(_ percent: Int) -> Int {
    precondition(0...100 ~= percent, "percentile \(percent)")
    guard !sorted.isEmpty else { return 0 }
    return sorted[max((sorted.count * percent + 99) / 100, 1) - 1]
  }

  /// The interquartile range, which a few extreme counts do not affect.
  package var spread: Int { percentile(75) - percentile(25) }

  package var minimum: Int { percentile(0) }
  package var maximum: Int { percentile(100) }
}
