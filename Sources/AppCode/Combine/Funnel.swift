/// The subscription of an operator with several upstreams at the same time.
///
/// An unlimited demand is passed to all upstreams. For a limited demand, each upstream is asked for
/// one value at a time, which waits here until the subscriber requests it.
final class Funnel<Downstream: Subscriber>: Subscription, Placed {
  typealias Output = Downstream.Input
  typealias Failure = Downstream.Failure

  private var downstream: Downstream?
  private var demand = Subscribers.Demand.none
  private var inlets: [Inlet] = []
  private var isFlushing = false
  /// The subscription to a publisher of publishers, if one exists. While `mayGrow` is true, more
  /// upstreams may follow.
  private var source: (any Subscription)?
  private var mayGrow = true

  init(_ downstream: Downstream) { self.downstream = downstream }

  var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  /// Passes the subscription to the subscriber, which may cancel it immediately.
  func begin() { downstream?.receive(subscription: self) }

  /// A Boolean value that indicates whether the subscriber has neither cancelled nor received a
  /// completion.
  var isActive: Bool { downstream != nil }

  func add<Source: Publisher>(_ publisher: Source)
  where Source.Output == Output, Source.Failure == Failure {
    guard downstream != nil else { return }
    let inlet = Inlet(self)
    inlets.append(inlet)
    publisher.subscribe(inlet)
  }

  /// Ends the list of upstreams.
  func close() {
    mayGrow = false
    finishIfEmpty()
  }

  func fail(_ completion: Subscribers.Completion<Failure>) {
    guard let downstream else { return }
    cancel()
    downstream.receive(completion: completion)
  }

  private func finishIfEmpty() {
    if !mayGrow, inlets.isEmpty { fail(.finished) }
  }

  func request(_ demand: Subscribers.Demand) {
    guard downstream != nil, demand > 0 else { return }
    let wasUnlimited = self.demand == .unlimited
    self.demand += demand
    flush()
    guard !wasUnlimited, self.demand == .unlimited else { return }
    for inlet in inlets { inlet.subscription?.request(.unlimited) }
  }

  func cancel() {
    let (inlets, source) = (inlets, source)
    (downstream, self.inlets, self.source) = (nil, [], nil)
    source?.cancel()
    for inlet in inlets {
      let subscription = inlet.subscription
      inlet.subscription = nil
      subscription?.cancel()
    }
  }

  /// Delivers waiting values while there is demand.
  private func flush() {
    if isFlushing { return }
    isFlushing = true
    defer { isFlushing = false }
    while demand > 0, let downstream,
      let inlet = inlets.first(where: { !$0.waiting.isEmpty })
    {
      let value = inlet.waiting.removeFirst()
      demand -= 1
      demand += downstream.receive(value)
      if inlet.isFinished { remove(inlet) } else { inlet.subscription?.request(.max(1)) }
    }
  }

  private func remove(_ inlet: Inlet) {
    guard inlet.waiting.isEmpty, let place = inlets.firstIndex(where: { $0 === inlet }) else {
      return
    }
    inlets.remove(at: place)
    source?.request(.max(1))
    finishIfEmpty()
  }

  // MARK: Upstreams

  private final class Inlet: Subscriber, Placed {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure
    private let owner: Funnel
    var subscription: (any Subscription)?
    var waiting: [Input] = []
    var isFinished = false

    init(_ owner: Funnel) { self.owner = owner }

    var place: SourcePlace? { owner.place }

    func receive(subscription: any Subscription) { owner.accept(subscription, of: self) }
    func receive(_ input: Input) -> Subscribers.Demand { owner.accept(input, of: self) }
    func receive(completion: Subscribers.Completion<Failure>) { owner.end(self, completion) }
  }

  private func accept(_ subscription: any Subscription, of inlet: Inlet) {
    guard downstream != nil, inlet.subscription == nil else { return subscription.cancel() }
    inlet.subscription = subscription
    subscription.request(demand == .unlimited ? .unlimited : .max(1))
  }

  private func accept(_ input: Output, of inlet: Inlet) -> Subscribers.Demand {
    guard let downstream, !inlet.isFinished else { return .none }
    guard demand > 0, inlet.waiting.isEmpty else {
      inlet.waiting.append(input)
      return .none
    }
    demand -= 1
    demand += downstream.receive(input)
    return .max(1)
  }

  private func end(_ inlet: Inlet, _ completion: Subscribers.Completion<Failure>) {
    guard downstream != nil, !inlet.isFinished else { return }
    (inlet.isFinished, inlet.subscription) = (true, nil)
    if case .failure = completion { return fail(completion) }
    remove(inlet)
  }

  // MARK: The publisher of publishers

  /// Begins with a publisher of publishers, and requests at most `limit` upstreams at a time.
  func begin(from source: any Subscription, atMost limit: Subscribers.Demand) {
    guard downstream != nil, self.source == nil else { return source.cancel() }
    self.source = source
    begin()
    self.source?.request(limit)
  }

  func endSource() {
    source = nil
    close()
  }
}
