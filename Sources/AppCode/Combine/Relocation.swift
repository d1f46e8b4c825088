/// A subscriber that delivers each value and the end on a scheduler, in separate blocks.
///
/// A serial queue runs these blocks in order. Blocks on a concurrent queue may overtake each other.
final class Relocation<Context: Scheduler, Downstream: Subscriber>: Subscriber, Subscription,
  Placed
{
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private let placedScheduler: PlacedScheduler<Context>
  /// The delay, or nil to deliver as soon as possible.
  private let interval: Context.SchedulerTimeType.Stride?

  init(
    _ downstream: Downstream, _ placedScheduler: PlacedScheduler<Context>,
    after interval: Context.SchedulerTimeType.Stride? = nil
  ) {
    (self.downstream, self.placedScheduler, self.interval) = (downstream, placedScheduler, interval)
  }

  var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  func receive(subscription: any Subscription) {
    guard let downstream, upstream == nil else { return subscription.cancel() }
    upstream = subscription
    downstream.receive(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard downstream != nil else { return .none }
    schedule { [self] in
      guard let downstream else { return }
      let more = downstream.receive(input)
      if more > 0 { upstream?.request(more) }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard downstream != nil else { return }
    upstream = nil
    schedule { [self] in
      guard let downstream else { return }
      self.downstream = nil
      downstream.receive(completion: completion)
    }
  }

  private func schedule(_ body: @escaping () -> Void) {
    placedScheduler.schedule(at: place, after: interval, body)
  }

  func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

  func cancel() {
    let upstream = upstream
    (downstream, self.upstream) = (nil, nil)
    upstream?.cancel()
  }
}

/// A scheduler, with the source location of the operator that uses it.
struct PlacedScheduler<Context: Scheduler> {
  let context: Context
  let options: Context.SchedulerOptions?
  let place: SourcePlace

  init(_ context: Context, _ options: Context.SchedulerOptions?, _ file: String, _ line: Int) {
    (self.context, self.options) = (context, options)
    place = SourcePlace(file: file, line: line)
  }

  /// Schedules a closure. Reports name the block by the subscriber's closure, if its place is
  /// known.
  func schedule(
    at place: SourcePlace?, after interval: Context.SchedulerTimeType.Stride? = nil,
    _ body: @escaping () -> Void
  ) {
    let date = interval.map { context.now.advanced(by: $0) }
    context.schedule(at: place ?? self.place, after: date, options: options, body)
  }
}
