/// An interval of a scheduler's time.
public protocol SchedulerTimeIntervalConvertible {
  /// Returns an interval of the given number of seconds.
  static func seconds(_ s: Int) -> Self
  /// Returns an interval of the given number of seconds.
  static func seconds(_ s: Double) -> Self
  /// Returns an interval of the given number of milliseconds.
  static func milliseconds(_ ms: Int) -> Self
  /// Returns an interval of the given number of microseconds.
  static func microseconds(_ us: Int) -> Self
  /// Returns an interval of the given number of nanoseconds.
  static func nanoseconds(_ ns: Int) -> Self
}

/// A type that runs closures, immediately or later.
public protocol Scheduler<SchedulerTimeType> {
  /// A point in the scheduler's time.
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
  /// Options that a caller can give.
  associatedtype SchedulerOptions

  /// The scheduler's current time.
  var now: SchedulerTimeType { get }
  /// The precision with which the scheduler keeps times.
  var minimumTolerance: SchedulerTimeType.Stride { get }
  /// Runs `action` as soon as possible.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
  /// Runs `action` at or after a given time.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void)
  /// Runs `action` at a given time and then repeatedly, until the result is cancelled.
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable
  /// Runs `action` as soon as possible, or at a given time. Reports name the block by `place`.
  func schedule(
    at place: SourcePlace, after date: SchedulerTimeType?, options: SchedulerOptions?,
    _ action: @escaping () -> Void)
}

extension Scheduler {
  /// Runs `action` as soon as possible.
  public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }

  /// Runs `action` at or after a given time.
  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs `action` at or after a given time.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) { schedule(after: date, tolerance: tolerance, options: nil, action) }

  /// Runs `action` at a given time and then repeatedly, until the result is cancelled.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(
      after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs `action` at a given time and then repeatedly, until the result is cancelled.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }

  /// Ignores the place. An app-defined scheduler passes the closure to another scheduler, which
  /// determines the place in reports.
  public func schedule(
    at place: SourcePlace, after date: SchedulerTimeType?, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    guard let date else { return schedule(options: options, action) }
    schedule(after: date, tolerance: minimumTolerance, options: options, action)
  }
}

/// A scheduler that runs closures immediately, on the queue of the calling code.
public struct ImmediateScheduler: Scheduler, Sendable {
  /// A point in a time that does not pass.
  public struct SchedulerTimeType: Strideable, Sendable {
    /// An interval without effect.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
      ExpressibleByFloatLiteral, Codable, Sendable
    {
      /// The length, which has no effect.
      public var magnitude: Int

      /// Creates an interval.
      public init(_ value: Int) { magnitude = value }
      /// Creates an interval.
      public init(integerLiteral value: Int) { magnitude = value }
      /// Creates an interval.
      public init(floatLiteral value: Double) { magnitude = Int(value) }
      /// Creates an interval.
      public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
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
      /// Returns an empty interval.
      public static func seconds(_ s: Int) -> Stride { 0 }
      /// Returns an empty interval.
      public static func seconds(_ s: Double) -> Stride { 0 }
      /// Returns an empty interval.
      public static func milliseconds(_ ms: Int) -> Stride { 0 }
      /// Returns an empty interval.
      public static func microseconds(_ us: Int) -> Stride { 0 }
      /// Returns an empty interval.
      public static func nanoseconds(_ ns: Int) -> Stride { 0 }
    }

    /// Returns an empty interval, because no time passes.
    public func distance(to other: SchedulerTimeType) -> Stride { 0 }
    /// Returns the same time.
    public func advanced(by n: Stride) -> SchedulerTimeType { self }
  }

  /// The scheduler has no options.
  public typealias SchedulerOptions = Never

  /// The only instance.
  public static let shared = ImmediateScheduler()
  private init() {}

  /// The only time.
  public var now: SchedulerTimeType { SchedulerTimeType() }
  /// The empty interval.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }
  /// Runs `action` immediately.
  public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

  /// Runs `action` immediately.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) { action() }

  /// Runs `action` immediately and only once.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}
