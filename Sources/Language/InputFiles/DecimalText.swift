/// A decimal number in normalized form: its exponent is as near to 0 as its digits allow, so equal
/// numbers are equal values.
struct DecimalText {
  let significand: Int64
  let exponent: Int8

  /// The number as an integer, or `nil` if it has a fraction or exceeds 64 bits.
  var integer: Int64? { exponent == 0 ? significand : nil }

  /// Parses a number such as `-12.50` or `1e6`.
  init?(_ text: String) {
    let halves = text.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    // Trailing zeros of a fraction would waste digits of the significand.
    let digits = parts[0] + String(fraction.reversed().drop { $0 == "0" }.reversed())
    guard fraction.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int64(digits),
      let power = halves.count == 2 ? Int(halves[1]) : 0, (-100...100).contains(power)
    else { return nil }
    var significand = number
    var exponent = number == 0 ? 0 : power - (digits.count - parts[0].count)
    while exponent < 0, significand % 10 == 0 {
      significand /= 10
      exponent += 1
    }
    while exponent > 0 {
      let (next, overflows) = significand.multipliedReportingOverflow(by: 10)
      if overflows { break }
      significand = next
      exponent -= 1
    }
    guard let exponent = Int8(exactly: exponent) else { return nil }
    self.significand = significand
    self.exponent = exponent
  }
}
