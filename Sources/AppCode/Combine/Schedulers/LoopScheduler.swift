public import CoreData
public import Foundation

/// A date in virtual time, by which run loops and operation queues schedule closures.
public struct SimulatedSchedulerDate: Strideable, Hashable, Codable, Sendable {
  /// A difference of dates in seconds. The run's clock counts milliseconds.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, Hashable, SignedNumeric,
    ExpressibleByFloatLiteral, Codable, Sendable
  {
    /// The number of seconds.
    public var magnitude: TimeInterval
    /// The number of seconds.
    public var timeInterval: TimeInterval { magnitude }

    /// Creates an interval of the given number of seconds.
    public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }
    /// Creates an interval of the given number of seconds.
    public init(integerLiteral value: TimeInterval) { magnitude = value }
    /// Creates an interval of the given number of seconds.
    public init(floatLiteral value: TimeInterval) { magnitude = value }
    /// Creates an interval of the given number of seconds.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let value = TimeInterval(exactly: source) else { return nil }
      magnitude = value
    }

    /// Compares the lengths of two intervals.
    public static func < (a: Stride, b: Stride) -> Bool { a.magnitude < b.magnitude }
    /// Returns the sum of two intervals.
    public static func + (a: Stride, b: Stride) -> Stride { Stride(a.magnitude + b.magnitude) }
    /// Returns the difference of two intervals.
    public static func - (a: Stride, b: Stride) -> Stride { Stride(a.magnitude - b.magnitude) }
    /// Returns the product of two intervals.
    public static func * (a: Stride, b: Stride) -> Stride { Stride(a.magnitude * b.magnitude) }
    /// Multiplies the interval.
    public static func *= (a: inout Stride, b: Stride) { a = a * b }
    /// Returns an interval of the given number of seconds.
    public static func seconds(_ s: Int) -> Stride { Stride(TimeInterval(s)) }
    /// Returns an interval of the given number of seconds.
    public static func seconds(_ s: Double) -> Stride { Stride(s) }
    /// Returns an interval of the given number of milliseconds.
    public static func milliseconds(_ ms: Int) -> Stride { Stride(TimeInterval(ms) / 1e3) }
    /// Returns an interval of the given number of microseconds.
    public static func microseconds(_ us: Int) -> Stride { Stride(TimeInterval(us) / 1e6) }
    /// Returns an interval of the given number of nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Stride { Stride(TimeInterval(ns) / 1e9) }
  }

  /// The date.
  public var date: Date

  /// Creates a scheduler date from a date.
  public init(_ date: Date) { self.date = date }

  /// Returns the interval from this date to `other`.
  public func distance(to other: SimulatedSchedulerDate) -> Stride {
    Stride(other.date.timeIntervalSince(date))
  }

  /// Returns the date that is later by `n`.
  public func advanced(by n: Stride) -> SimulatedSchedulerDate {
    SimulatedSchedulerDate(date.addingTimeInterval(n.magnitude))
  }

  /// The corresponding time of Dispatch, which is never in the past.
  fileprivate var dispatchTime: SimulatedDispatchTime {
    .now() + max(0, date.timeIntervalSince(SimulatedValues.date))
  }
}

/// The options of a scheduler without options.
public struct SimulatedSchedulerOptions: Sendable {}

extension SimulatedRunLoop: SimulatedScheduler {
  /// A date in virtual time.
  public typealias SchedulerTimeType = SimulatedSchedulerDate
  /// The scheduler has no options.
  public typealias SchedulerOptions = SimulatedSchedulerOptions

  /// The current virtual time.
  public var now: SchedulerTimeType { SchedulerTimeType(SimulatedValues.date) }

  /// Enqueues `action` on the main thread. Reports name the block by `place`.
  public func schedule(
    at place: SourcePlace, after date: SchedulerTimeType?, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    SimulatedDispatchQueue.main.schedule(
      at: place, after: date.map { .init($0.dispatchTime) }, options: nil, action)
  }
}

extension SimulatedOperationQueue: SimulatedScheduler {
  /// A date in virtual time.
  public typealias SchedulerTimeType = SimulatedSchedulerDate
  /// The scheduler has no options.
  public typealias SchedulerOptions = SimulatedSchedulerOptions

  /// The current virtual time.
  public var now: SchedulerTimeType { SchedulerTimeType(SimulatedValues.date) }

  /// Adds `action` as an operation. Reports name the operation by `place`.
  public func schedule(
    at place: SourcePlace, after date: SchedulerTimeType?, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    guard let date else {
      return addOperation(file: place.file, line: place.line, action)
    }
    SimulatedDispatchQueue.global().schedule(
      at: place, after: .init(date.dispatchTime), options: nil
    ) { [self] in
      addOperation(file: place.file, line: place.line, action)
    }
  }
}
