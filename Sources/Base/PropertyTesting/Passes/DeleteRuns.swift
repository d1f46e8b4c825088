import Determinism

extension Shrinker {
  /// Deletes 8, 4, 2, then 1 adjacent choices at every position. Such a run need not match a span.
  /// Deleting the end of one list with the beginning of the next joins the lists.
  mutating func deleteRuns() {
    for stream in Choices.Recording.readingOrder {
      for length in [8, 4, 2, 1] { deleteRuns(of: length, in: stream) }
    }
  }

  private mutating func deleteRuns(of length: Int, in stream: Choices.Stream) {
    var end = best[stream].count
    while end >= length, !isSpent {
      let base = best
      let deleted = largestCount(upTo: end / length) { count in
        attempt(base.deleting(end - count * length..<end, in: stream))
      }
      end = min(end - max(deleted * length, 1), best[stream].count)
    }
  }
}
