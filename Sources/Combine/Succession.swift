/// The subscription of an operator that has one upstream after the other.
///
/// It keeps account of what the subscriber has asked for and not yet received: the next upstream is
/// asked for the rest.
final class Succession<Downstream: Subscriber>: Subscription, Placed {
  typealias Output = Downstream.Input
  typealias Failure = Downstream.Failure

  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  /// The publisher of publishers that the upstreams come from, if there is one.
  private var source: (any Subscription)?
  private var demand = Subscribers.Demand.none
  /// The number of the upstream that may deliver.
  private var number = 0
  /// The upstream has not ended.
  private(set) var isFollowing = false
  private(set) var hasDelivered = false
  /// The publisher of publishers has ended.
  private(set) var isSourceFinished = false

  init(_ downstream: Downstream) { self.downstream = downstream }

  var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  /// Hands the subscription to the subscriber, which may cancel it at once.
  func begin() { downstream?.receive(subscription: self) }

  /// Takes its values from `publisher` from now on, and from the one before no more. `end` is
  /// called when it ends, unless another takes its place.
  func follow<Source: Publisher>(
    _ publisher: Source, end: @escaping (Subscribers.Completion<Source.Failure>) -> Void
  ) where Source.Output == Output {
    guard downstream != nil else { return }
    let last = upstream
    upstream = nil
    number += 1
    isFollowing = true
    last?.cancel()
    publisher.subscribe(Part(self, number, end))
  }

  func finish(_ completion: Subscribers.Completion<Failure>) {
    guard let downstream else { return }
    cancel()
    downstream.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    guard downstream != nil, demand > 0 else { return }
    self.demand += demand
    upstream?.request(demand)
  }

  func cancel() {
    let (upstream, source) = (upstream, source)
    (downstream, self.upstream, self.source) = (nil, nil, nil)
    isFollowing = false
    upstream?.cancel()
    source?.cancel()
  }

  // MARK: Upstreams

  private final class Part<Failure: Error>: Subscriber, Placed {
    typealias Input = Downstream.Input
    private let owner: Succession
    private let number: Int
    private let end: (Subscribers.Completion<Failure>) -> Void

    init(
      _ owner: Succession, _ number: Int,
      _ end: @escaping (Subscribers.Completion<Failure>) -> Void
    ) { (self.owner, self.number, self.end) = (owner, number, end) }

    var place: SourcePlace? { owner.place }

    func receive(subscription: any Subscription) { owner.accept(subscription, number) }
    func receive(_ input: Input) -> Subscribers.Demand { owner.accept(input, number) }
    func receive(completion: Subscribers.Completion<Failure>) {
      if owner.endPart(number) { end(completion) }
    }
  }

  private func isCurrent(_ number: Int) -> Bool {
    number == self.number && isFollowing && downstream != nil
  }

  private func accept(_ subscription: any Subscription, _ number: Int) {
    guard isCurrent(number), upstream == nil else { return subscription.cancel() }
    upstream = subscription
    if demand > 0 { subscription.request(demand) }
  }

  private func accept(_ input: Output, _ number: Int) -> Subscribers.Demand {
    guard isCurrent(number), let downstream else { return .none }
    hasDelivered = true
    demand -= 1
    let more = downstream.receive(input)
    demand += more
    // Another upstream that has begun meanwhile is asked for what this one was not.
    guard number == self.number else {
      if more > 0 { upstream?.request(more) }
      return .none
    }
    return more
  }

  private func endPart(_ number: Int) -> Bool {
    guard isCurrent(number) else { return false }
    upstream = nil
    isFollowing = false
    return true
  }

  // MARK: The publisher of publishers

  /// Is where upstreams come from: all of them are asked for.
  func begin(from source: any Subscription) {
    guard downstream != nil, self.source == nil else { return source.cancel() }
    self.source = source
    begin()
    self.source?.request(.unlimited)
  }

  /// No further upstream comes.
  func endSource() {
    source = nil
    isSourceFinished = true
    if !isFollowing { finish(.finished) }
  }
}
