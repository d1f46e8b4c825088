/// The subscription of an operator with one upstream after another.
///
/// The subscription counts the demand that is not yet met, and requests it from the next upstream.
final class Succession<Downstream: Subscriber>: Subscription, Placed {
  typealias Output = Downstream.Input
  typealias Failure = Downstream.Failure

  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  /// The subscription to a publisher of publishers, if one exists.
  private var source: (any Subscription)?
  private var demand = Subscribers.Demand.none
  /// The number of the upstream that may deliver values.
  private var number = 0
  /// A Boolean value that indicates whether the current upstream has not ended yet.
  private(set) var isFollowing = false
  private(set) var hasDelivered = false
  /// A Boolean value that indicates whether the publisher of publishers has ended.
  private(set) var isSourceFinished = false

  init(_ downstream: Downstream) { self.downstream = downstream }

  var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  /// Passes the subscription to the subscriber, which may cancel it immediately.
  func begin() { downstream?.receive(subscription: self) }

  /// Replaces the current upstream by `publisher`.
  ///
  /// - Parameter end: Called with the completion of `publisher`, unless another upstream replaces
  ///   it.
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
    // If another upstream has begun during the delivery, request the additional demand from it.
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

  /// Begins with a publisher of publishers, and requests all of its publishers.
  func begin(from source: any Subscription) {
    guard downstream != nil, self.source == nil else { return source.cancel() }
    self.source = source
    begin()
    self.source?.request(.unlimited)
  }

  /// Records that the publisher of publishers has ended.
  func endSource() {
    source = nil
    isSourceFinished = true
    if !isFollowing { finish(.finished) }
  }
}
