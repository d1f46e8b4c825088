public import Foundation
import LiveCode
import SimulatedDispatch

/// A point of virtual time: takes the place of `DispatchTime`.
public struct SimulatedDispatchTime: Comparable, Sendable {
  let milliseconds: Int

  /// The present.
  public static func now() -> SimulatedDispatchTime {
    SimulatedDispatchTime(milliseconds: RunState.current.now)
  }

  /// A time that never comes.
  public static let distantFuture = SimulatedDispatchTime(milliseconds: .max)

  /// Nil for a time that never comes.
  var millisecondsFromNow: Int? {
    milliseconds == .max ? nil : max(0, milliseconds - RunState.current.now)
  }

  /// Since the run began.
  public var uptimeNanoseconds: UInt64 { UInt64(milliseconds) * 1_000_000 }

  /// The order of time.
  public static func < (a: SimulatedDispatchTime, b: SimulatedDispatchTime) -> Bool {
    a.milliseconds < b.milliseconds
  }

  /// So many seconds later, to the millisecond.
  public static func + (time: SimulatedDispatchTime, seconds: Double) -> SimulatedDispatchTime {
    time.later(by: Int((min(seconds, 1e12) * 1_000).rounded()))
  }

  /// So much later, to the millisecond.
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
