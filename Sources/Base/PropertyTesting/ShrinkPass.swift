/// The passes of a shrinker, in the order in which they run.
///
/// Every pass follows these rules:
/// - Its edits depend on the best recording alone.
/// - It makes a single sweep. `PassSchedule` repeats passes.
/// - After a success it continues at the same position.
/// - It tries the boldest edit first.
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

  /// A Boolean value that indicates whether the pass tries pairs of positions. Such a pass is
  /// expensive and runs only when no cheaper pass makes progress.
  var isThorough: Bool { rawValue >= ShrinkPass.redistribute.rawValue }
}
