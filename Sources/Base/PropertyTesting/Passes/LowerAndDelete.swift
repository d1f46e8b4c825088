import Determinism

extension Shrinker {
  /// Lowers a choice by one and deletes a later choice or span, several times if possible. The
  /// choice may be the count of the items or arguments that follow it.
  mutating func lowerAndDelete() {
    for stream in Choices.Recording.readingOrder {
      var index = 0
      while index < best[stream].count, !isSpent {
        lowerAndDeleteChoices(index, in: stream)
        lowerAndDeleteSpan(index, in: stream)
        index += 1
      }
    }
  }

  private mutating func lowerAndDeleteChoices(_ index: Int, in stream: Choices.Stream) {
    var start = index + 1
    while start < best[stream].count, best[stream][index] > 0, !isSpent {
      let base = best
      let limit = min(Int(base[stream][index]), base[stream].count - start)
      _ = largestCount(upTo: limit) { count in
        attempt(
          base.setting(base[stream][index] - UInt32(count), at: index, in: stream)
            .deleting(start..<start + count, in: stream))
      }
      start += 1
    }
  }

  private mutating func lowerAndDeleteSpan(_ index: Int, in stream: Choices.Stream) {
    var number = 0
    while let span = nthSpan(number, after: index, in: stream), !isSpent {
      let value = best[stream][index]
      guard value > 0 else { return }
      if !attempt(best.setting(value - 1, at: index, in: stream).deleting(span)) { number += 1 }
    }
  }

  private func nthSpan(
    _ number: Int, after index: Int, in stream: Choices.Stream
  ) -> Choices.Span? {
    let later = layers.all.filter {
      $0.stream == stream && $0.range.lowerBound > index && $0.range.count > 1
    }
    return number < later.count ? later[number] : nil
  }
}
