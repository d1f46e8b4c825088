public import CoreData
public import Foundation

extension SimulatedTimer {
  /// Has the date of virtual time again and again, once it is connected.
  public final class TimerPublisher: ConnectablePublisher {
    /// The date.
    public typealias Output = Date
    /// It does not fail.
    public typealias Failure = Never
    /// In seconds.
    public let interval: TimeInterval
    /// It has no effect.
    public let tolerance: TimeInterval?
    private let hub = Hub<Date, Never>()
    private var timer: SimulatedTimer?
    /// The place of the closure that was subscribed first.
    private var place: SourcePlace?

    /// A publisher of the main thread.
    public init(
      interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: SimulatedRunLoop,
      mode: RunLoop.Mode, options: SimulatedSchedulerOptions? = nil
    ) { (self.interval, self.tolerance) = (interval, tolerance) }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
      if place == nil { place = SourcePlace.of(subscriber) }
      hub.attach(subscriber, of: self)
    }

    /// Begins; letting go of what this answers ends it.
    public func connect() -> any Cancellable {
      timer?.invalidate()
      let timer = SimulatedTimer(timeInterval: interval, repeats: true) { [hub] _ in
        hub.send(SimulatedValues.date)
      }
      if let place { timer.origin = "\(place.file):\(place.line)" }
      self.timer = timer
      SimulatedRunLoop.main.add(timer, forMode: .common)
      return AnyCancellable { timer.invalidate() }
    }
  }

  /// Has the date of virtual time after each interval, in seconds, on the main thread.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: SimulatedRunLoop,
    in mode: RunLoop.Mode, options: SimulatedSchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(
      interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
  }
}
