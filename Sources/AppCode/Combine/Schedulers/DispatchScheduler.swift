public import CoreData
public import Dispatch

extension SimulatedDispatchQueue: SimulatedScheduler {
  /// A point in virtual time.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// A difference of times in nanoseconds. The run's clock counts milliseconds.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, Hashable, SignedNumeric,
      ExpressibleByFloatLiteral, Codable, Sendable
    {
      /// The number of nanoseconds.
      public var magnitude: Int

      private init(nanoseconds: Int) { magnitude = nanoseconds }

      /// Creates an interval from an interval of Dispatch.
      public init(_ timeInterval: DispatchTimeInterval) {
        magnitude =
          switch timeInterval {
          case .seconds(let number): number * 1_000_000_000
          case .milliseconds(let number): number * 1_000_000
          case .microseconds(let number): number * 1_000
          case .nanoseconds(let number): number
          default: Int.max
          }
      }

      /// Creates an interval of the given number of seconds.
      public init(integerLiteral value: Int) { magnitude = value * 1_000_000_000 }
      /// Creates an interval of the given number of seconds.
      public init(floatLiteral value: Double) {
        magnitude = Int((value * 1_000_000_000).rounded())
      }
      /// Creates an interval of the given number of nanoseconds.
      public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        magnitude = value
      }

      /// The interval as an interval of Dispatch.
      public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

      /// Compares the lengths of two intervals.
      public static func < (a: Stride, b: Stride) -> Bool { a.magnitude < b.magnitude }
      /// Returns the sum of two intervals.
      public static func + (a: Stride, b: Stride) -> Stride {
        Stride(nanoseconds: a.magnitude + b.magnitude)
      }
      /// Returns the difference of two intervals.
      public static func - (a: Stride, b: Stride) -> Stride {
        Stride(nanoseconds: a.magnitude - b.magnitude)
      }
      /// Returns the product of two intervals, in nanoseconds.
      public static func * (a: Stride, b: Stride) -> Stride {
        Stride(nanoseconds: a.magnitude * b.magnitude)
      }
      /// Multiplies the interval.
      public static func *= (a: inout Stride, b: Stride) { a = a * b }
      /// Returns an interval of the given number of seconds.
      public static func seconds(_ s: Int) -> Stride { Stride(.seconds(s)) }
      /// Returns an interval of the given number of seconds.
      public static func seconds(_ s: Double) -> Stride { Stride(floatLiteral: s) }
      /// Returns an interval of the given number of milliseconds.
      public static func milliseconds(_ ms: Int) -> Stride { Stride(.milliseconds(ms)) }
      /// Returns an interval of the given number of microseconds.
      public static func microseconds(_ us: Int) -> Stride { Stride(.microseconds(us)) }
      /// Returns an interval of the given number of nanoseconds.
      public static func nanoseconds(_ ns: Int) -> Stride { Stride(.nanoseconds(ns)) }
    }

    /// The time as a time of Dispatch.
    public var dispatchTime: SimulatedDispatchTime

    /// Creates a time from a time of Dispatch.
    public init(_ time: SimulatedDispatchTime) { dispatchTime = time }

    /// Returns the interval from this time to `other`.
    public func distance(to other: SchedulerTimeType) -> Stride {
      .nanoseconds(
        Int(other.dispatchTime.uptimeNanoseconds) - Int(dispatchTime.uptimeNanoseconds))
    }

    /// Returns the time that is later by `n`, to the millisecond.
    public func advanced(by n: Stride) -> SchedulerTimeType {
      SchedulerTimeType(dispatchTime + n.timeInterval)
    }

    /// Returns whether the times are equal.
    public static func == (a: SchedulerTimeType, b: SchedulerTimeType) -> Bool {
      a.dispatchTime == b.dispatchTime
    }
    /// Hashes the time.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.uptimeNanoseconds)
    }
  }

  /// Options for enqueuing a block.
  public struct SchedulerOptions {
    /// The quality of service, which has no effect.
    public var qos: DispatchQoS
    /// The flags, of which only `.barrier` has an effect.
    public var flags: DispatchWorkItemFlags
    /// The group of the block.
    public var group: SimulatedDispatchGroup?

    /// Creates options.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
      group: SimulatedDispatchGroup? = nil
    ) { (self.qos, self.flags, self.group) = (qos, flags, group) }
  }

  /// The current virtual time.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// Enqueues `action` immediately or at a given time. Reports name the block by `place`.
  public func schedule(
    at place: SourcePlace, after date: SchedulerTimeType?, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let (group, flags) = (options?.group, options?.flags ?? [])
    guard let date else {
      return async(
        group: group, flags: flags, file: place.file, line: place.line, execute: action)
    }
    group?.enter()
    asyncAfter(
      deadline: date.dispatchTime, flags: flags, file: place.file, line: place.line
    ) {
      action()
      group?.leave()
    }
  }
}

extension SourcePlace {
  /// The place of closures that were scheduled without a place.
  static let scheduled = SourcePlace(file: "scheduled", line: 0)
}

/// A closure that a scheduler calls repeatedly.
final class Repetition<Context: Scheduler>: Cancellable {
  private let context: Context
  private let interval: Context.SchedulerTimeType.Stride
  private let options: Context.SchedulerOptions?
  private var action: (() -> Void)?

  init(
    _ context: Context, interval: Context.SchedulerTimeType.Stride,
    _ options: Context.SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    (self.context, self.interval) = (context, interval)
    (self.options, self.action) = (options, action)
  }

  func begin(at date: Context.SchedulerTimeType) -> any Cancellable {
    next(date)
    return AnyCancellable(self)
  }

  private func next(_ date: Context.SchedulerTimeType) {
    context.schedule(at: .scheduled, after: date, options: options) { [self] in
      guard let action else { return }
      action()
      if self.action != nil, RunOfCode.goesOn { next(date.advanced(by: interval)) }
    }
  }

  func cancel() { action = nil }
}
