public import Foundation
import LiveCode

/// Values that would otherwise differ between runs, such as the time and random numbers. These
/// values replace `Date()`, `UUID()` and `random` in a prepared module. Outside a run, they are
/// Foundation's.
public enum SimulatedValues {
  /// The virtual date, counted from the first second of 2025 in UTC. Each access adds a
  /// microsecond, because no two moments are equal.
  public static var date: Date {
    guard let state = RunState.ifRunning else { return Date() }
    state.dateCount += 1
    return Date(
      timeIntervalSinceReferenceDate: firstDate + Double(state.now) / 1_000
        + Double(state.dateCount) / 1_000_000)
  }

  /// The seconds of virtual time since the run began, as if the device had started with the run.
  public static var uptime: TimeInterval {
    guard RunState.ifRunning != nil else { return ProcessInfo.processInfo.systemUptime }
    return date.timeIntervalSinceReferenceDate - firstDate
  }

  private static let firstDate: TimeInterval = 757_382_400

  /// A new UUID, from a sequence that is equal in all runs of a test.
  ///
  /// The first digits are evenly distributed, because code and its tests may choose by them, and do
  /// not reflect the sequence. The middle digits contain a 40-bit number for the test's name. These
  /// digits separate tests in state that outlives a test and uses UUIDs as keys. Test cases of one
  /// function share the name.
  public static var uuid: UUID {
    guard let state = RunState.ifRunning else { return UUID() }
    state.uuidCount += 1
    func digits(_ number: UInt64, count: Int) -> String {
      let text = String(number, radix: 16, uppercase: true)
      return String(repeating: "0", count: count - text.count) + text
    }
    let number = UInt64(state.uuidCount)
    // Multiples of the golden ratio are evenly distributed.
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

  /// A generator of random numbers that the seed determines and a shrinker simplifies.
  public struct Generator: RandomNumberGenerator, Sendable {
    /// Creates a generator for the run of the calling code.
    public init() {}

    /// Returns 63 random bits and a last bit that is set. If all bits were 0, Swift would request a
    /// number in a range again and again.
    public mutating func next() -> UInt64 {
      guard let run = RunState.ifRunning?.run else { return UInt64.random(in: 0...UInt64.max) }
      let (high, low) = (run.draw(below: 1 << 31), run.draw(below: 1 << 31))
      return UInt64(high) << 33 | UInt64(low) << 2 | 1
    }
  }
}

/// The default random number generator. Replaces Swift's `SystemRandomNumberGenerator`.
public typealias SimulatedSystemRandomNumberGenerator = SimulatedValues.Generator

/// The seconds since the beginning of 2001 in UTC.
public typealias CFAbsoluteTime = CFTimeInterval
/// A number of seconds.
public typealias CFTimeInterval = Double

/// Returns the virtual time of the run.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime {
  SimulatedValues.date.timeIntervalSinceReferenceDate
}

/// Runs `body` with a separate autorelease pool. Objects without other references are deallocated
/// when it ends (FL-15). Outside a pool, they are deallocated when the block of a queue ends.
public func autoreleasepool<Result, Failure: Error>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  guard let run = RunState.ifRunning?.run else { return try body() }
  return try run.withPool(body)
}
