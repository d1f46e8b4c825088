extension Publishers {
  /// A publisher that calls closures for all events.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let events: WatchedEvents<Output, Failure>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Watch(subscriber, events))
    }
  }

  /// A publisher that prints all events.
  public struct Print<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let prefix: String
    let stream: (any TextOutputStream)?

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let prefix = prefix.isEmpty ? "" : "\(prefix): "
      var stream = stream
      func say(_ text: String) {
        if stream == nil { Swift.print(prefix + text) } else { stream?.write("\(prefix)\(text)\n") }
      }
      let events = WatchedEvents<Output, Failure>(
        subscription: { say("receive subscription: (\($0))") },
        output: { say("receive value: (\($0))") },
        completion: { completion in
          switch completion {
          case .finished: say("receive finished")
          case .failure(let error): say("receive error: (\(error))")
          }
        }, cancel: { say("receive cancel") },
        request: { say("request \($0)") },
        more: { if $0 > 0 { say("request \($0) (synchronous)") } })
      upstream.subscribe(Watch(subscriber, events))
    }
  }
}

/// The closures of a watch. A closure that is nil has no effect.
struct WatchedEvents<Output, Failure: Error> {
  var subscription: ((any Subscription) -> Void)?
  var output: ((Output) -> Void)?
  var completion: ((Subscribers.Completion<Failure>) -> Void)?
  var cancel: (() -> Void)?
  var request: ((Subscribers.Demand) -> Void)?
  /// Called with the demand that the subscriber returns for a value.
  var more: ((Subscribers.Demand) -> Void)?
}

/// A subscriber that calls closures before it passes events on.
private final class Watch<Downstream: Subscriber>: Subscriber, Subscription, Placed {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private var events: WatchedEvents<Input, Failure>?

  init(_ downstream: Downstream, _ events: WatchedEvents<Input, Failure>) {
    (self.downstream, self.events) = (downstream, events)
  }

  var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  func receive(subscription: any Subscription) {
    guard let downstream, upstream == nil else { return subscription.cancel() }
    events?.subscription?(subscription)
    upstream = subscription
    downstream.receive(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    events?.output?(input)
    // The closure may have cancelled the subscription.
    guard let downstream else { return .none }
    let more = downstream.receive(input)
    events?.more?(more)
    return more
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    events?.completion?(completion)
    let downstream = downstream
    (self.downstream, upstream, events) = (nil, nil, nil)
    downstream?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    events?.request?(demand)
    upstream?.request(demand)
  }

  func cancel() {
    let last = (upstream, events)
    (downstream, upstream, events) = (nil, nil, nil)
    last.1?.cancel?()
    last.0?.cancel()
  }
}

extension Publisher {
  /// Calls closures for all events.
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    .init(
      upstream: self,
      events: WatchedEvents(
        subscription: receiveSubscription, output: receiveOutput, completion: receiveCompletion,
        cancel: receiveCancel, request: receiveRequest))
  }

  /// Prints all events to the given stream, or else to the standard output.
  public func print(
    _ prefix: String = "", to stream: (any TextOutputStream)? = nil
  ) -> Publishers.Print<Self> { .init(upstream: self, prefix: prefix, stream: stream) }
}
