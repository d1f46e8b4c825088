import Determinism

extension Shrinker {
  /// Deletes a span and gives one other choice another value, larger ones too: another kind of
  /// step, or another target, may do the work of two. The last resort, and the dearest.
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

  /// How many alternatives a choice had is not recorded: a small one is taken to have a few, and
  /// the largest number that can be written down stands for the last, because replay lowers it to
  /// that.
  private func alternatives(to value: UInt32) -> [UInt32] {
    value > 8 ? [0, value - 1, .max] : (0...value + 2).filter { $0 != value } + [.max]
  }
}
