/// A count out of a total.
package struct Ratio: Hashable, Sendable {
  package var part: Int
  package var whole: Int

  package init(_ part: Int, of whole: Int) {
    precondition(0...max(whole, 0) ~= part, "\(part) of \(whole)")
    self.part = part
    self.whole = whole
  }

  /// The fraction, for reports only. No decision may depend on it.
  package var share: Double { whole == 0 ? 0 : Double(part) / Double(whole) }

  /// The 95 % confidence interval of the true share, by Wilson's score method. The interval stays
  /// accurate for few trials and for shares near 0 and 1, where the textbook interval would be
  /// empty.
  package var interval: ClosedRange<Double> {
    guard whole > 0 else { return 0...1 }
    let z = 1.959963984540054
    let count = Double(whole)
    let denominator = 1 + z * z / count
    let centre = (share + z * z / (2 * count)) / denominator
    let variance = share * (1 - share) / count + z * z / (4 * count * count)
    let margin = z * variance.squareRoot() / denominator
    let lower = part == 0 ? 0 : max(0, centre - margin)
    let upper = part == whole ? 1 : min(1, centre + margin)
    return lower...upper
  }

  /// Returns `n` for the rarest failure, one in `n` runs, that `count` runs without a failure rule
  /// out with 95 % confidence. The result has two significant digits, rounded down.
  ///
  /// A failure of one in `n` runs stays hidden in `count` independent runs with probability
  /// `exp(-count / n)`. The probability is 5 % if `n` is a third of `count`.
  package static func rarestShown(byRuns count: Int) -> Int {
    precondition(count > 0, "\(count) runs")
    let minusLogOfFivePercent = 2.995_732_273_553_991
    let exact = Int(Double(count) / minusLogOfFivePercent)
    var unit = 1
    while exact / unit >= 100 { unit *= 10 }
    return max(1, exact / unit * unit)
  }
}
