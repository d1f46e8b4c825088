public import CoreData
public import Foundation

/// A date of virtual time, as run loops and operation queues schedule by.
public struct SimulatedSchedulerDate: Strideable, Hashable, Codable, Sendable {
  /// A difference in seconds; the run counts milliseconds.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, Hashable, SignedNumeric,
    ExpressibleByFloatLiteral, Codable, Sendable
  {
    /// Seconds.
    public var magnitude: TimeInterval
    /// Seconds.
    public var timeInterval: TimeInterval { magnitude }

    /// So many seconds.
    public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }
    /// So many seconds.
    public init(integerLiteral value: TimeInterval) { magnitude = value }
    /// So many seconds.
    public init(floatLiteral value: TimeInterval) { magnitude = value }
    /// So many seconds.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let value = TimeInterval(exactly: source) else { return nil }
      magnitude = value
    }

    /// The order of lengths.
    public static func < (a: Stride, b: Stride) -> Bool { a.magnitude < b.magnitude }
    /// The sum.
    public static func + (a: Stride, b: Stride) -> Stride { Stride(a.magnitude + b.magnitude) }
    /// The difference.
    public static func - (a: Stride, b: Stride) -> Stride { Stride(a.magnitude - b.magnitude) }
    /// The product.
    public static func * (a: Stride, b: Stride) -> Stride { Stride(a.magnitude * b.magnitude) }
    /// Multiplies.
    public static func *= (a: inout Stride, b: Stride) { a = a * b }
    /// So many seconds.
    public static func seconds(_ s: Int) -> Stride { Stride(TimeInterval(s)) }
    /// So many seconds.
    public static func seconds(_ s: Double) -> Stride { Stride(s) }
    /// So many milliseconds.
    public static func milliseconds(_ ms: Int) -> Stride { Stride(TimeInterval(ms) / 1e3) }
    /// So many microseconds.
    public static func microseconds(_ us: Int) -> Stride { Stride(TimeInterval(us) / 1e6) }
    /// So many nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Stride { Stride(TimeInterval(ns) / 1e9) }
  }

  /// The date.
  public var date: Date

  /// A date.
  public init(_ date: Date) { self.date = date }

  /// How much later `other` is.
  public func distance(to other: SimulatedSchedulerDate) -> Stride {
    Stride(other.date.timeIntervalSince(date))
  }

  /// So much later.
  public func advanced(by n: Stride) -> SimulatedSchedulerDate {
    SimulatedSchedulerDate(date.addingTimeInterval(n.magnitude))
  }

  /// The same point of the time of Dispatch, not before now.
  fileprivate var dispatchTime: SimulatedDispatchTime {
    .now() + max(0, date.timeIntervalSince(SimulatedValues.date))
  }
}

/// Options of a scheduler that has none.
public struct SimulatedSchedulerOptions: Sendable {}

extension SimulatedRunLoop: SimulatedScheduler {
  /// A date of virtual time.
  public typealias SchedulerTimeType = SimulatedSchedulerDate
  /// There are none.
  public typealias SchedulerOptions = SimulatedSchedulerOptions

  /// The present.
  public var now: SchedulerTimeType { SchedulerTimeType(SimulatedValues.date) }

  /// Enqueues `action` on the main thread, under the name of a place.
  public func schedule(
    at place: SourcePlace, after date: SchedulerTimeType?, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    SimulatedDispatchQueue.main.schedule(
      at: place, after: date.map { .init($0.dispatchTime) }, options: nil, action)
  }
}

extension SimulatedOperationQueue: SimulatedScheduler {
  /// A date of virtual time.
  public typealias SchedulerTimeType = SimulatedSchedulerDate
  /// There are none.
  public typealias SchedulerOptions = SimulatedSchedulerOptions

  /// The present.
  public var now: SchedulerTimeType { SchedulerTimeType(SimulatedValues.date) }

  /// Adds `action` as an operation, under the name of a place.
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
