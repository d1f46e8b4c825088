/// An interval of a scheduler's time.
public protocol SchedulerTimeIntervalConvertible {
  /// So many seconds.
  static func seconds(_ s: Int) -> Self
  /// So many seconds.
  static func seconds(_ s: Double) -> Self
  /// So many milliseconds.
  static func milliseconds(_ ms: Int) -> Self
  /// So many microseconds.
  static func microseconds(_ us: Int) -> Self
  /// So many nanoseconds.
  static func nanoseconds(_ ns: Int) -> Self
}

/// Runs closures, now or later.
public protocol Scheduler<SchedulerTimeType> {
  /// A point of its time.
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
  /// Further wishes of a caller.
  associatedtype SchedulerOptions

  /// The present.
  var now: SchedulerTimeType { get }
  /// How exactly a time can be kept.
  var minimumTolerance: SchedulerTimeType.Stride { get }
  /// Runs `action` as soon as possible.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
  /// Runs `action` once the time has come.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void)
  /// Runs `action` at a time and after each interval, until what this answers is cancelled.
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable
  /// Runs `action`, which reports name by `place`, as soon as possible, or once a time has come.
  func schedule(
    at place: SourcePlace, after date: SchedulerTimeType?, options: SchedulerOptions?,
    _ action: @escaping () -> Void)
}

extension Scheduler {
  /// Runs `action` as soon as possible.
  public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }

  /// Runs `action` once the time has come.
  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs `action` once the time has come.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) { schedule(after: date, tolerance: tolerance, options: nil, action) }

  /// Runs `action` at a time and after each interval, until what this answers is cancelled.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(
      after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs `action` at a time and after each interval, until what this answers is cancelled.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }

  /// The place of an app's own scheduler is that of the one that it hands the closure to.
  public func schedule(
    at place: SourcePlace, after date: SchedulerTimeType?, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    guard let date else { return schedule(options: options, action) }
    schedule(after: date, tolerance: minimumTolerance, options: options, action)
  }
}

/// Runs closures at once, on the calling code's queue.
public struct ImmediateScheduler: Scheduler, Sendable {
  /// A time that does not pass.
  public struct SchedulerTimeType: Strideable, Sendable {
    /// An interval of it.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
      ExpressibleByFloatLiteral, Codable, Sendable
    {
      /// The length; of no meaning.
      public var magnitude: Int

      /// An interval.
      public init(_ value: Int) { magnitude = value }
      /// An interval.
      public init(integerLiteral value: Int) { magnitude = value }
      /// An interval.
      public init(floatLiteral value: Double) { magnitude = Int(value) }
      /// An interval.
      public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
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
      /// No interval.
      public static func seconds(_ s: Int) -> Stride { 0 }
      /// No interval.
      public static func seconds(_ s: Double) -> Stride { 0 }
      /// No interval.
      public static func milliseconds(_ ms: Int) -> Stride { 0 }
      /// No interval.
      public static func microseconds(_ us: Int) -> Stride { 0 }
      /// No interval.
      public static func nanoseconds(_ ns: Int) -> Stride { 0 }
    }

    /// No time passes.
    public func distance(to other: SchedulerTimeType) -> Stride { 0 }
    /// The same time.
    public func advanced(by n: Stride) -> SchedulerTimeType { self }
  }

  /// There are none.
  public typealias SchedulerOptions = Never

  /// The only instance.
  public static let shared = ImmediateScheduler()
  private init() {}

  /// The only time.
  public var now: SchedulerTimeType { SchedulerTimeType() }
  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }
  /// Runs `action` here.
  public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

  /// Runs `action` here.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) { action() }

  /// Runs `action` here, once.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}
