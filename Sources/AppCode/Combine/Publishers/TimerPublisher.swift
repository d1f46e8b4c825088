public import CoreData
public import Foundation

extension SimulatedTimer {
  /// A publisher of virtual dates at regular intervals, once it is connected.
  public final class TimerPublisher: ConnectablePublisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Date
    /// The publisher never fails.
    public typealias Failure = Never
    /// The interval in seconds.
    public let interval: TimeInterval
    /// The tolerance, which has no effect.
    public let tolerance: TimeInterval?
    private let hub = Hub<Date, Never>()
    private var timer: SimulatedTimer?
    /// The place of the first subscriber's closure.
    private var place: SourcePlace?

    /// Creates a publisher on the main thread.
    public init(
      interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: SimulatedRunLoop,
      mode: RunLoop.Mode, options: SimulatedSchedulerOptions? = nil
    ) { (self.interval, self.tolerance) = (interval, tolerance) }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
      if place == nil { place = SourcePlace.of(subscriber) }
      hub.attach(subscriber, of: self)
    }

    /// Starts the timer. Releasing the result stops it.
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

  /// Publishes the virtual date after each interval, in seconds, on the main thread.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: SimulatedRunLoop,
    in mode: RunLoop.Mode, options: SimulatedSchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(
      interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
  }
}
