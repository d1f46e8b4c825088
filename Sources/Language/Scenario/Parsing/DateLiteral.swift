import ObjectModel
import Prose

/// The spelling of dates in texts.
package enum DateStyle: Sendable {
  /// The seconds since 2001-01-01 00:00:00 UTC, as in `@123`. Suits generated values, which are
  /// short.
  case seconds
  /// A calendar date, as in `2001-01-01T00:02:03Z`. Suits the dates of an app.
  case calendar

  func text(_ seconds: Double) -> String {
    switch self {
    case .seconds: "@\(Int64(seconds))"
    case .calendar: calendarText(seconds)
    }
  }
}

extension LineReader {
  /// Reads a date in either style, such as `@123` or `2001-01-01T00:02:03Z`.
  ///
  /// A calendar date may be quoted and may have a fraction of a second. With a fraction, the result
  /// is a number instead of a date.
  mutating func date() throws(TextError) -> Value {
    if takes("@") {
      let word = word()
      if let seconds = Int64(word) { return .date(seconds) }
      throw error("'@\(shortened(word))' is not a date; write @ and a number of seconds")
    }
    let word = takes("\"") ? try escapedText(until: "\"") : word()
    if let date = calendarValue(word) { return date }
    throw error("'\(shortened(word))' is not a date; write @123, 2001-01-01T00:02:03Z or nil")
  }
}

/// Returns the value of an ISO 8601 date, which may have a fraction of a second.
private func calendarValue(_ text: String) -> Value? {
  let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
  guard parts.count == 2 else { return secondsSinceReferenceDate(text).map { .date($0) } }
  let digits = parts[1].dropLast()
  guard parts[1].last == "Z", (1...6).contains(digits.count), digits.utf8.allSatisfy(isDigit),
    let fraction = Int64(digits + String(repeating: "0", count: 6 - digits.count)),
    let seconds = secondsSinceReferenceDate(parts[0] + "Z")
  else { return nil }
  if fraction == 0 { return .date(seconds) }
  return .number(Double(seconds) + Double(fraction) / microsecondsOfASecond)
}

private let microsecondsOfASecond = 1_000_000.0

/// Returns the date with microsecond precision, without a fraction if it is a whole second.
private func calendarText(_ seconds: Double) -> String {
  guard yearsOfFourDigits.contains(seconds) else { return DateStyle.seconds.text(seconds) }
  // Rounds before splitting, because a rounded fraction can carry into the seconds.
  let microseconds = Int64((seconds * microsecondsOfASecond).rounded())
  let (second, fraction) = microseconds.dividedFloored(by: 1_000_000)
  let (day, secondOfDay) = second.dividedFloored(by: 86_400)
  let (year, month, dayOfMonth) = calendarDate(daysSinceReferenceDate: day)
  let time = [secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60]
  let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
  let clock = time.map { padded($0, 2) }.joined(separator: ":")
  var digits = padded(fraction, 6)
  while digits.last == "0" { digits.removeLast() }
  return date + "T" + clock + (digits.isEmpty ? "" : ".\(digits)") + "Z"
}

/// The seconds since the reference date in the years 0000 to 9999.
private let yearsOfFourDigits = -63_145_526_400.0..<252_423_993_600.0

private func padded(_ number: Int64, _ width: Int) -> String {
  let digits = "\(number)"
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// Returns the day in the Gregorian calendar, which repeats every 400 years.
private func calendarDate(
  daysSinceReferenceDate days: Int64
) -> (year: Int64, month: Int64, day: Int64) {
  let (cycles, dayOfCycle) = days.dividedFloored(by: 146_097)
  var (year, rest) = (2_001 + cycles * 400, dayOfCycle)
  while rest >= dayCount(ofYear: year) {
    rest -= dayCount(ofYear: year)
    year += 1
  }
  var month: Int64 = 1
  for length in monthLengths(ofYear: year) {
    if rest < length { break }
    rest -= length
    month += 1
  }
  return (year, month, rest + 1)
}

private func isLeap(_ year: Int64) -> Bool {
  year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

private func dayCount(ofYear year: Int64) -> Int64 { isLeap(year) ? 366 : 365 }

private func monthLengths(ofYear year: Int64) -> [Int64] {
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
}

extension Int64 {
  /// Returns the quotient, rounded down, and the nonnegative remainder.
  fileprivate func dividedFloored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// Returns the seconds from 2001-01-01 00:00:00 UTC to an ISO 8601 date without a fraction.
private func secondsSinceReferenceDate(_ text: some StringProtocol) -> Int64? {
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
  let lengths = monthLengths(ofYear: Int64(year)).map { Int($0) }
  guard (1...12).contains(month), (1...lengths[month - 1]).contains(day), hour < 24, minute < 60,
    second < 60
  else { return nil }
  // Returns the days before a year, counted from year 0, which is a leap year.
  func days(before year: Int) -> Int {
    year == 0 ? 0 : year * 365 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
  }
  let dayOfYear = lengths[..<(month - 1)].reduce(0, +) + day - 1
  let dayCount = days(before: year) - days(before: 2001) + dayOfYear
  return Int64(((dayCount * 24 + hour) * 60 + minute) * 60 + second)
}
