public import Foundation
import LiveCode
import SimulatedDispatch

/// A point in virtual time. Replaces `DispatchTime`.
public struct SimulatedDispatchTime: Comparable, Sendable {
  let milliseconds: Int

  /// Returns the current virtual time.
  public static func now() -> SimulatedDispatchTime {
    SimulatedDispatchTime(milliseconds: RunState.current.now)
  }

  /// A time that never arrives.
  public static let distantFuture = SimulatedDispatchTime(milliseconds: .max)

  /// The milliseconds until this time, or nil for a time that never arrives.
  var millisecondsFromNow: Int? {
    milliseconds == .max ? nil : max(0, milliseconds - RunState.current.now)
  }

  /// The nanoseconds since the beginning of the run.
  public var uptimeNanoseconds: UInt64 { UInt64(milliseconds) * 1_000_000 }

  /// Compares two times.
  public static func < (a: SimulatedDispatchTime, b: SimulatedDispatchTime) -> Bool {
    a.milliseconds < b.milliseconds
  }

  /// Adds seconds to a time, to the millisecond.
  public static func + (time: SimulatedDispatchTime, seconds: Double) -> SimulatedDispatchTime {
    time.later(by: Int((min(seconds, 1e12) * 1_000).rounded()))
  }

  /// Adds an interval to a time, to the millisecond.
  public static func + (
    time: SimulatedDispatchTime, interval: DispatchTimeInterval
  ) -> SimulatedDispatchTime {
    switch interval {
    case .seconds(let number): time.later(by: number * 1_000)
    case .milliseconds(let number): time.later(by: number)
    case .microseconds(let number): time.later(by: number / 1_000)
    case .nanoseconds(let number): time.later(by: number / 1_000_000)
    case .never: .distantFuture
    @unknown default: misuse("an interval of an unknown unit")
    }
  }

  private func later(by interval: Int) -> SimulatedDispatchTime {
    let (sum, isTooLate) = milliseconds.addingReportingOverflow(interval)
    return SimulatedDispatchTime(milliseconds: isTooLate ? .max : sum)
  }
}
