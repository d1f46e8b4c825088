public import CoreData
public import Dispatch

extension SimulatedDispatchQueue: SimulatedScheduler {
  /// A point of virtual time.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// A difference, in nanoseconds; the run counts milliseconds.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, Hashable, SignedNumeric,
      ExpressibleByFloatLiteral, Codable, Sendable
    {
      /// Nanoseconds.
      public var magnitude: Int

      private init(nanoseconds: Int) { magnitude = nanoseconds }

      /// An interval of Dispatch.
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

      /// So many seconds.
      public init(integerLiteral value: Int) { magnitude = value * 1_000_000_000 }
      /// So many seconds.
      public init(floatLiteral value: Double) {
        magnitude = Int((value * 1_000_000_000).rounded())
      }
      /// So many nanoseconds.
      public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        magnitude = value
      }

      /// The same as an interval of Dispatch.
      public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

      /// The order of lengths.
      public static func < (a: Stride, b: Stride) -> Bool { a.magnitude < b.magnitude }
      /// The sum.
      public static func + (a: Stride, b: Stride) -> Stride {
        Stride(nanoseconds: a.magnitude + b.magnitude)
      }
      /// The difference.
      public static func - (a: Stride, b: Stride) -> Stride {
        Stride(nanoseconds: a.magnitude - b.magnitude)
      }
      /// The product, in nanoseconds.
      public static func * (a: Stride, b: Stride) -> Stride {
        Stride(nanoseconds: a.magnitude * b.magnitude)
      }
      /// Multiplies.
      public static func *= (a: inout Stride, b: Stride) { a = a * b }
      /// So many seconds.
      public static func seconds(_ s: Int) -> Stride { Stride(.seconds(s)) }
      /// So many seconds.
      public static func seconds(_ s: Double) -> Stride { Stride(floatLiteral: s) }
      /// So many milliseconds.
      public static func milliseconds(_ ms: Int) -> Stride { Stride(.milliseconds(ms)) }
      /// So many microseconds.
      public static func microseconds(_ us: Int) -> Stride { Stride(.microseconds(us)) }
      /// So many nanoseconds.
      public static func nanoseconds(_ ns: Int) -> Stride { Stride(.nanoseconds(ns)) }
    }

    /// The time as Dispatch has it.
    public var dispatchTime: SimulatedDispatchTime

    /// A time.
    public init(_ time: SimulatedDispatchTime) { dispatchTime = time }

    /// How much later `other` is.
    public func distance(to other: SchedulerTimeType) -> Stride {
      .nanoseconds(
        Int(other.dispatchTime.uptimeNanoseconds) - Int(dispatchTime.uptimeNanoseconds))
    }

    /// So much later, to the millisecond.
    public func advanced(by n: Stride) -> SchedulerTimeType {
      SchedulerTimeType(dispatchTime + n.timeInterval)
    }

    /// The same time.
    public static func == (a: SchedulerTimeType, b: SchedulerTimeType) -> Bool {
      a.dispatchTime == b.dispatchTime
    }
    /// Hashes the time.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.uptimeNanoseconds)
    }
  }

  /// How a block is enqueued.
  public struct SchedulerOptions {
    /// It has no effect.
    public var qos: DispatchQoS
    /// The flags; `.barrier` has an effect.
    public var flags: DispatchWorkItemFlags
    /// The group that the block belongs to.
    public var group: SimulatedDispatchGroup?

    /// Options.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
      group: SimulatedDispatchGroup? = nil
    ) { (self.qos, self.flags, self.group) = (qos, flags, group) }
  }

  /// The present.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// Enqueues `action` under the name of a place, at once or when the time has come.
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
  /// The place of a closure that was handed to a scheduler by the name of its protocol.
  static let scheduled = SourcePlace(file: "scheduled", line: 0)
}

/// A closure that a scheduler calls again and again.
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
