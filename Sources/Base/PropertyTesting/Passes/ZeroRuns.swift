import Determinism

extension Shrinker {
  /// Sets whole streams, then their halves, quarters and so on to zeros, later parts first. This
  /// pass removes most preemptions from a schedule.
  mutating func zeroRuns() {
    for stream in Choices.Recording.readingOrder { zero(0..<best[stream].count, in: stream) }
  }

  private mutating func zero(_ range: Range<Int>, in stream: Choices.Stream) {
    // An earlier success may have shortened the stream.
    let range = range.clamped(to: 0..<best[stream].count)
    guard !isSpent, best[stream][range].contains(where: { $0 != 0 }) else { return }
    if attempt(best.zeroing(range, in: stream)) { return }
    guard range.count > 1 else { return }
    let middle = range.lowerBound + range.count / 2
    zero(middle..<range.upperBound, in: stream)
    zero(range.lowerBound..<middle, in: stream)
  }
}
