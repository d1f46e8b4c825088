import Determinism

extension Shrinker {
  /// Deletes a span and lowers by one every choice that is at least some threshold. References by
  /// number thus keep their targets when the span deletes one of the numbered things.
  ///
  /// The first choice of each span is not lowered, because it selects the kind of the span and is
  /// not a reference.
  mutating func deleteAndRenumber() {
    var number = layers.all.count - 1
    while number >= 0, !isSpent {
      let span = layers.all[number]
      for threshold in Set(best[span.stream]).sorted(by: >) where threshold > 0 {
        if attempt(renumbered(from: threshold, without: span)) { break }
      }
      number = min(number, layers.all.count) - 1
    }
  }

  private func renumbered(
    from threshold: UInt32, without span: Choices.Span
  ) -> Choices.Recording {
    var result = best
    let columns = layers.columns(of: span.stream, count: best[span.stream].count)
    for index in columns.indices
    where columns[index] != 0 && best[span.stream][index] >= threshold {
      result[span.stream][index] -= 1
    }
    return result.deleting(span)
  }
}
