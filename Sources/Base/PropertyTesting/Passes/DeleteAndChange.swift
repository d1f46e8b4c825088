import Determinism

extension Shrinker {
  /// Deletes a span and changes one other choice, possibly to a larger value. A different kind of
  /// step, or a different target, may do the work of two steps. The pass is the most expensive one
  /// and runs last.
  mutating func deleteAndChange() {
    var number = layers.all.count - 1
    while number >= 0, !isSpent {
      deleteAndChange(layers.all[number])
      number = min(number, layers.all.count) - 1
    }
  }

  private mutating func deleteAndChange(_ span: Choices.Span) {
    let base = best
    for index in base[span.stream].indices where !span.range.contains(index) && !isSpent {
      for value in alternatives(to: base[span.stream][index]) {
        if attempt(base.setting(value, at: index, in: span.stream).deleting(span)) { return }
      }
    }
  }

  /// Returns the values to try in place of `value`.
  ///
  /// A recording does not contain the number of alternatives of a choice. Small values are assumed
  /// to have a few more alternatives. `UInt32.max` selects the last alternative, because a replay
  /// lowers it to the largest allowed value.
  private func alternatives(to value: UInt32) -> [UInt32] {
    value > 8 ? [0, value - 1, .max] : (0...value + 2).filter { $0 != value } + [.max]
  }
}
