import Prose

extension LineReader {
  /// Seconds since 2001-01-01 00:00:00 UTC: `@123`, or `2001-01-01T00:02:03Z`, quoted or not.
  mutating func date() throws(TextError) -> Int64 {
    if takes("@") {
      let word = word()
      if let seconds = Int64(word) { return seconds }
      throw error("'@\(shortened(word))' is no date; write @ and a number of seconds")
    }
    let word = takes("\"") ? try escapedText(until: "\"") : word()
    if let seconds = secondsSinceReferenceDate(word) { return seconds }
    throw error("'\(shortened(word))' is no date; write @123, 2001-01-01T00:02:03Z or nil")
  }
}

/// Counterpart of `Date.timeIntervalSinceReferenceDate` for a time as ISO 8601 writes it.
private func secondsSinceReferenceDate(_ text: String) -> Int64? {
  let bytes = Array(text.utf8)
  let pattern = Array("0000-00-00T00:00:00Z".utf8)
  let fits = zip(bytes, pattern).allSatisfy { byte, expected in
    isDigit(expected) ? isDigit(byte) : byte == expected
  }
  guard fits, bytes.count == pattern.count else { return nil }
  func number(_ range: Range<Int>) -> Int {
    bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
  let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
  let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
  let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  guard (1...12).contains(month), (1...lengths[month - 1]).contains(day), hour < 24, minute < 60,
    second < 60
  else { return nil }
  // Days before a year, counted from year 0, which is a leap year.
  func days(before year: Int) -> Int {
    year == 0 ? 0 : year * 365 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
  }
  let dayOfYear = lengths[..<(month - 1)].reduce(0, +) + day - 1
  let dayCount = days(before: year) - days(before: 2001) + dayOfYear
  return Int64(((dayCount * 24 + hour) * 60 + minute) * 60 + second)
}
