/// An upstream of a combination.
protocol CombinedSide: AnyObject {
  /// A Boolean value that indicates whether the upstream has a value for the next output.
  var hasValue: Bool { get }
  var isFinished: Bool { get }
  /// Removes the oldest value, which `zip` has used.
  func removeFirst()
  func request(_ demand: Subscribers.Demand)
  func cancel()
}

/// The subscription of `combineLatest` and `zip`.
///
/// Every upstream gets the demand of the subscriber. `combineLatest` keeps the newest value of each
/// upstream, and drops older values while there is no demand. `zip` keeps all values until each
/// upstream has one.
final class Combination<Downstream: Subscriber>: Subscription, Placed {
  enum Rule {
    case latest, zip
  }

  fileprivate var downstream: Downstream?
  fileprivate let rule: Rule
  private var demand = Subscribers.Demand.none
  private var sides: [any CombinedSide] = []
  private var assemble: () -> Downstream.Input? = { nil }
  /// A Boolean value that indicates whether another output may be due.
  private var isFresh = false

  init(_ downstream: Downstream, _ rule: Rule) {
    (self.downstream, self.rule) = (downstream, rule)
  }

  var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  func side<Source: Publisher>(
    of publisher: Source
  ) -> Side<Source.Output> where Source.Failure == Downstream.Failure {
    let side = Side<Source.Output>(self) { publisher.subscribe($0) }
    sides.append(side)
    return side
  }

  /// Attaches to all upstreams.
  ///
  /// - Parameter assemble: Returns the next output, or nil if a value is missing.
  func begin(_ assemble: @escaping () -> Downstream.Input?) {
    self.assemble = assemble
    downstream?.receive(subscription: self)
    for case let side as any SideBeginning in sides where downstream != nil { side.begin() }
  }

  func request(_ demand: Subscribers.Demand) {
    guard downstream != nil, demand > 0 else { return }
    self.demand += demand
    ask(all: demand, but: nil)
    // A value may have arrived before this demand.
    let more = deliver()
    if more > 0 { ask(all: more, but: nil) }
  }

  func cancel() {
    let sides = sides
    (downstream, self.sides) = (nil, [])
    assemble = { nil }
    for side in sides { side.cancel() }
  }

  private func ask(all demand: Subscribers.Demand, but caller: (any CombinedSide)?) {
    for side in sides where side !== caller { side.request(demand) }
  }

  /// Handles a new value of an upstream, and returns the additional demand for that upstream.
  fileprivate func take(_ caller: any CombinedSide) -> Subscribers.Demand {
    isFresh = true
    let more = deliver()
    if more > 0 { ask(all: more, but: caller) }
    return more
  }

  private func deliver() -> Subscribers.Demand {
    guard isFresh, demand > 0, let downstream, let output = assemble() else { return .none }
    isFresh = false
    demand -= 1
    if rule == .zip { for side in sides { side.removeFirst() } }
    let more = downstream.receive(output)
    demand += more
    if rule == .zip {
      isFresh = sides.allSatisfy(\.hasValue)
      finishIfOver()
    }
    return more
  }

  fileprivate func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard case .failure = completion else { return finishIfOver() }
    let downstream = downstream
    cancel()
    downstream?.receive(completion: completion)
  }

  /// Finishes if no further output is possible. `zip` is over when an upstream that has ended has
  /// no value left. `combineLatest` is over when all upstreams have ended.
  private func finishIfOver() {
    guard let downstream else { return }
    let isOver =
      rule == .zip
      ? sides.contains { $0.isFinished && !$0.hasValue } : sides.allSatisfy(\.isFinished)
    guard isOver else { return }
    cancel()
    downstream.receive(completion: .finished)
  }

  // MARK: Sides

  final class Side<Input>: Subscriber, CombinedSide, SideBeginning, Placed {
    typealias Failure = Downstream.Failure
    private let owner: Combination
    private var attach: ((Side) -> Void)?
    private var subscription: (any Subscription)?
    private var isCancelled = false
    /// The waiting values. `combineLatest` keeps only the newest value.
    private var values: [Input] = []
    private(set) var isFinished = false

    init(_ owner: Combination, _ attach: @escaping (Side) -> Void) {
      (self.owner, self.attach) = (owner, attach)
    }

    func begin() {
      let attach = attach
      self.attach = nil
      attach?(self)
    }

    var place: SourcePlace? { owner.place }
    var value: Input? { values.first }
    var hasValue: Bool { !values.isEmpty }
    func removeFirst() { values.removeFirst() }

    func receive(subscription: any Subscription) {
      guard !isCancelled, self.subscription == nil else { return subscription.cancel() }
      self.subscription = subscription
      if owner.demand > 0 { subscription.request(owner.demand) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      guard !isCancelled, !isFinished else { return .none }
      if owner.rule == .latest { values = [input] } else { values.append(input) }
      return owner.take(self)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      guard !isCancelled, !isFinished else { return }
      (isFinished, subscription) = (true, nil)
      owner.end(completion)
    }

    func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

    func cancel() {
      let subscription = subscription
      (self.subscription, attach, values) = (nil, nil, [])
      isCancelled = true
      subscription?.cancel()
    }
  }
}

/// A side that attaches to its upstream later.
private protocol SideBeginning {
  func begin()
}
