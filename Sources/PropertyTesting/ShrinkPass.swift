/// The sweeps of a shrinker, in the order in which they run.
///
/// The law of a pass: what it tries depends on the best recording alone; it does not repeat itself
/// until nothing is left, that is the loop's work; it goes on after a success where it stood; and
/// it tries the boldest edit first.
package enum ShrinkPass: Int, CaseIterable, Sendable {
  case deleteSpans
  case deleteRuns
  case hoistSpans
  case zeroSpans
  case zeroRuns
  case minimiseValues
  case minimiseEqualValues
  case sortSpans
  case swapValues
  case lowerTogether
  case redistribute
  case lowerAndDelete
  case deleteAndRenumber
  case deleteAndChange

  /// Tries pairs of places, so it is worth running only when nothing cheaper helps.
  var isThorough: Bool { rawValue >= ShrinkPass.redistribute.rawValue }
}
