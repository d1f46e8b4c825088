import Determinism

extension Shrinker {
  /// Makes whole streams, then their halves, quarters and so on all zeros, later parts first. For
  /// schedules this is the pass that counts: it removes the bulk of the preemptions.
  mutating func zeroRuns() {
    for stream in Choices.Recording.readingOrder { zero(0..<best[stream].count, in: stream) }
  }

  private mutating func zero(_ range: Range<Int>, in stream: Choices.Stream) {
    // A success elsewhere may have made the stream shorter.
    let range = range.clamped(to: 0..<best[stream].count)
    guard !isSpent, best[stream][range].contains(where: { $0 != 0 }) else { return }
    if attempt(best.zeroing(range, in: stream)) { return }
    guard range.count > 1 else { return }
    let middle = range.lowerBound + range.count / 2
    zero(middle..<range.upperBound, in: stream)
    zero(range.lowerBound..<middle, in: stream)
  }
}
