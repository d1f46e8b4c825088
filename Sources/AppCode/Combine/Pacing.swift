/// The base class of `debounce`, `throttle` and `timeout`. It requests all values of the upstream.
/// It delivers values on a scheduler, as far as the subscriber's demand allows.
class Pacing<Context: Scheduler, Downstream: Subscriber>: Subscriber, Subscription, Placed {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  final var downstream: Downstream?
  final var upstream: (any Subscription)?
  final let placedScheduler: PlacedScheduler<Context>
  final var demand = Subscribers.Demand.none

  init(_ downstream: Downstream, _ placedScheduler: PlacedScheduler<Context>) {
    (self.downstream, self.placedScheduler) = (downstream, placedScheduler)
  }

  final var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  /// Called before the first value can arrive.
  func begin() {}
  /// Handles a value of the upstream.
  func take(_ input: Input) {}
  /// Handles the end of the upstream.
  func end(_ completion: Subscribers.Completion<Failure>) { scheduleEnd(completion) }

  final func receive(subscription: any Subscription) {
    guard let downstream, upstream == nil else { return subscription.cancel() }
    upstream = subscription
    downstream.receive(subscription: self)
    if self.downstream != nil { begin() }
    upstream?.request(.unlimited)
  }

  final func receive(_ input: Input) -> Subscribers.Demand {
    if downstream != nil, upstream != nil { take(input) }
    return .none
  }

  final func receive(completion: Subscribers.Completion<Failure>) {
    guard downstream != nil, upstream != nil else { return }
    upstream = nil
    end(completion)
  }

  /// Delivers a value, or drops it if there is no demand.
  final func deliver(_ input: Input) {
    guard let downstream, demand > 0 else { return }
    demand -= 1
    demand += downstream.receive(input)
  }

  final func scheduleEnd(_ completion: Subscribers.Completion<Failure>) {
    schedule { [self] in finish(completion) }
  }

  final func finish(_ completion: Subscribers.Completion<Failure>) {
    guard let downstream else { return }
    self.downstream = nil
    downstream.receive(completion: completion)
  }

  final func schedule(
    after interval: Context.SchedulerTimeType.Stride? = nil, _ body: @escaping () -> Void
  ) { placedScheduler.schedule(at: place, after: interval, body) }

  final func request(_ demand: Subscribers.Demand) { self.demand += demand }

  final func cancel() {
    let upstream = upstream
    (downstream, self.upstream) = (nil, nil)
    upstream?.cancel()
  }
}

/// Delivers a value if no other value follows within an interval. The end is not delayed, and a
/// value that still waits is lost.
final class Debouncing<Context: Scheduler, Downstream: Subscriber>: Pacing<Context, Downstream> {
  private let dueTime: Context.SchedulerTimeType.Stride
  /// The number of the newest value.
  private var number = 0

  init(
    _ downstream: Downstream, _ placedScheduler: PlacedScheduler<Context>,
    _ dueTime: Context.SchedulerTimeType.Stride
  ) {
    self.dueTime = dueTime
    super.init(downstream, placedScheduler)
  }

  override func take(_ input: Input) {
    number += 1
    let number = number
    schedule(after: dueTime) { [self] in
      if number == self.number { deliver(input) }
    }
  }

  override func end(_ completion: Subscribers.Completion<Failure>) {
    number += 1
    scheduleEnd(completion)
  }
}

/// Delivers a value immediately, then at most one value in each interval. A value that waits at the
/// end of the upstream is delivered before the end.
final class Throttling<Context: Scheduler, Downstream: Subscriber>: Pacing<Context, Downstream> {
  private let interval: Context.SchedulerTimeType.Stride
  private let latest: Bool
  private var waiting: Input?
  /// The time of the last delivery, which may be in the future.
  private var last: Context.SchedulerTimeType?
  private var completion: Subscribers.Completion<Failure>?

  init(
    _ downstream: Downstream, _ placedScheduler: PlacedScheduler<Context>,
    _ interval: Context.SchedulerTimeType.Stride, latest: Bool
  ) {
    (self.interval, self.latest) = (interval, latest)
    super.init(downstream, placedScheduler)
  }

  override func take(_ input: Input) {
    if waiting != nil {
      if latest { waiting = input }
      return
    }
    waiting = input
    let now = placedScheduler.context.now
    let left = last.map { now.distance(to: $0.advanced(by: interval)) }
    if let left, left > .nanoseconds(0) {
      last = now.advanced(by: left)
      schedule(after: left) { [self] in flush() }
    } else {
      last = now
      schedule { [self] in flush() }
    }
  }

  private func flush() {
    guard let value = waiting else { return }
    waiting = nil
    deliver(value)
    if let completion { finish(completion) }
  }

  override func end(_ completion: Subscribers.Completion<Failure>) {
    if waiting == nil { scheduleEnd(completion) } else { self.completion = completion }
  }
}

/// Ends if no value arrives within an interval.
final class TimeLimit<Context: Scheduler, Downstream: Subscriber>: Pacing<Context, Downstream> {
  private let interval: Context.SchedulerTimeType.Stride
  private let error: (() -> Failure)?
  /// The number of the newest value.
  private var number = 0

  init(
    _ downstream: Downstream, _ placedScheduler: PlacedScheduler<Context>,
    _ interval: Context.SchedulerTimeType.Stride, _ error: (() -> Failure)?
  ) {
    (self.interval, self.error) = (interval, error)
    super.init(downstream, placedScheduler)
  }

  override func begin() { wait() }

  private func wait() {
    let number = number
    schedule(after: interval) { [self] in
      guard number == self.number, upstream != nil else { return }
      let upstream = upstream
      self.upstream = nil
      upstream?.cancel()
      finish(error.map { .failure($0()) } ?? .finished)
    }
  }

  override func take(_ input: Input) {
    number += 1
    schedule { [self] in deliver(input) }
    if downstream != nil { wait() }
  }
}
