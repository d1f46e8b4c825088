public import Foundation
import LiveCode

/// What would differ from run to run: the time, and what is random. In a prepared module `Date()`,
/// `UUID()` and `random` are these. Outside of a run they are Foundation's.
public enum SimulatedValues {
  /// The first second of 2025 in UTC, and the virtual time since then; a microsecond later each
  /// time that it is asked for, because no two moments are the same.
  public static var date: Date {
    guard let state = RunState.ifRunning else { return Date() }
    state.dateCount += 1
    return Date(
      timeIntervalSinceReferenceDate: firstDate + Double(state.now) / 1_000
        + Double(state.dateCount) / 1_000_000)
  }

  /// The seconds of virtual time since the run began: the machine was started with it.
  public static var uptime: TimeInterval {
    guard RunState.ifRunning != nil else { return ProcessInfo.processInfo.systemUptime }
    return date.timeIntervalSinceReferenceDate - firstDate
  }

  private static let firstDate: TimeInterval = 757_382_400

  /// Another UUID each time, and the same ones in each run of a test. Their first digits are spread
  /// evenly, because code and its tests may choose by them, and say nothing of the order. Digits in
  /// the middle are a number for the test's name, of 40 bits: state that outlives a test, and has
  /// UUIDs as keys, keeps two tests apart. Test cases of one function share the name.
  public static var uuid: UUID {
    guard let state = RunState.ifRunning else { return UUID() }
    state.uuidCount += 1
    func digits(_ number: UInt64, count: Int) -> String {
      let text = String(number, radix: 16, uppercase: true)
      return String(repeating: "0", count: count - text.count) + text
    }
    let number = UInt64(state.uuidCount)
    // Steps of the golden section of all numbers lie evenly.
    let first = (number &* 0x9E37_79B9_7F4A_7C15) >> 32
    let test = state.testNumber ^ 0xFA01_000_000
    let middle = [
      digits(test >> 24 & 0xFFFF, count: 4), "4" + digits(test >> 12 & 0xFFF, count: 3),
      "8" + digits(test & 0xFFF, count: 3),
    ]
    let text =
      "\(digits(first, count: 8))-\(middle.joined(separator: "-"))-\(digits(number, count: 12))"
    guard let uuid = UUID(uuidString: text) else { preconditionFailure("\(text) is no UUID") }
    return uuid
  }

  /// Chosen by the seed, and made simpler by a shrinker.
  public struct Generator: RandomNumberGenerator, Sendable {
    /// A generator of the run that the calling code is a part of.
    public init() {}

    /// 63 random bits, and a last one that is set: of 0 bits alone, a number in a range would be
    /// asked for again and again.
    public mutating func next() -> UInt64 {
      guard let run = RunState.ifRunning?.run else { return UInt64.random(in: 0...UInt64.max) }
      let (high, low) = (run.draw(below: 1 << 31), run.draw(below: 1 << 31))
      return UInt64(high) << 33 | UInt64(low) << 2 | 1
    }
  }
}

/// Takes the place of the generator that Swift has for random numbers.
public typealias SimulatedSystemRandomNumberGenerator = SimulatedValues.Generator

/// Seconds since the beginning of 2001 in UTC.
public typealias CFAbsoluteTime = CFTimeInterval
/// Seconds.
public typealias CFTimeInterval = Double

/// The virtual time of the run.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
  SimulatedValues.date.timeIntervalSinceReferenceDate
}

/// Runs `body` with a pool of its own: objects that no variable holds go when it ends (FL-15).
/// Elsewhere they go when the block of a queue ends.
public func autoreleasepool<Result, Failure: Error>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  guard let run = RunState.ifRunning?.run else { return try body() }
  return try run.withPool(body)
}
