extension Publishers {
  /// A publisher of the values of publishers that a closure makes from values.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    /// The kind of values that the publisher publishes.
    public typealias Output = NewPublisher.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let maxPublishers: Subscribers.Demand
    let transform: (Upstream.Output) -> NewPublisher

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Outer(Funnel(subscriber), maxPublishers, transform))
    }

    private final class Outer<Downstream: Subscriber>: Subscriber, Placed
    where Downstream.Input == Output, Downstream.Failure == Failure {
      typealias Input = Upstream.Output
      typealias Failure = Upstream.Failure
      private let funnel: Funnel<Downstream>
      private let limit: Subscribers.Demand
      private let transform: (Input) -> NewPublisher

      init(
        _ funnel: Funnel<Downstream>, _ limit: Subscribers.Demand,
        _ transform: @escaping (Input) -> NewPublisher
      ) { (self.funnel, self.limit, self.transform) = (funnel, limit, transform) }

      var place: SourcePlace? { funnel.place }

      func receive(subscription: any Subscription) {
        funnel.begin(from: subscription, atMost: limit)
      }

      func receive(_ input: Input) -> Subscribers.Demand {
        if funnel.isActive { funnel.add(transform(input)) }
        return .none
      }

      func receive(completion: Subscribers.Completion<Failure>) {
        guard case .failure = completion else { return funnel.endSource() }
        funnel.fail(completion)
      }
    }
  }

  /// A publisher of the values of the newest publisher that its upstream publishes.
  public struct SwitchToLatest<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where Upstream.Output == NewPublisher, NewPublisher.Failure == Upstream.Failure {
    /// The kind of values that the publisher publishes.
    public typealias Output = NewPublisher.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = NewPublisher.Failure
    let upstream: Upstream

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Outer(Succession(subscriber)))
    }

    private final class Outer<Downstream: Subscriber>: Subscriber, Placed
    where Downstream.Input == Output, Downstream.Failure == Failure {
      typealias Input = NewPublisher
      typealias Failure = Upstream.Failure
      private let succession: Succession<Downstream>

      init(_ succession: Succession<Downstream>) { self.succession = succession }

      var place: SourcePlace? { succession.place }

      func receive(subscription: any Subscription) { succession.begin(from: subscription) }

      func receive(_ input: NewPublisher) -> Subscribers.Demand {
        succession.follow(input) { [succession] completion in
          if case .failure = completion { return succession.finish(completion) }
          if succession.isSourceFinished { succession.finish(.finished) }
        }
        return .none
      }

      func receive(completion: Subscribers.Completion<Failure>) {
        guard case .failure = completion else { return succession.endSource() }
        succession.finish(completion)
      }
    }
  }
}

extension Publisher {
  /// Publishes the values of publishers that a closure makes, of at most `maxPublishers` at a time.
  public func flatMap<T, P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Output == T, P.Failure == Failure {
    .init(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// Publishes the values of publishers that a closure makes, where these publishers never fail.
  @_disfavoredOverload
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self>
  where P.Failure == Never {
    .init(upstream: self, maxPublishers: maxPublishers) {
      transform($0).setFailureType(to: Failure.self)
    }
  }
}

extension Publisher where Failure == Never {
  /// Publishes the values of publishers that a closure makes, where these publishers may fail but
  /// the upstream never fails.
  @_disfavoredOverload
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    .init(
      upstream: setFailureType(to: P.Failure.self), maxPublishers: maxPublishers,
      transform: transform)
  }
}

extension Publisher where Output: Publisher {
  /// Publishes the values of the newest publisher, and cancels the previous one.
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self>
  where Output.Failure == Failure { .init(upstream: self) }

  /// Publishes the values of the newest publisher, where these publishers never fail.
  @_disfavoredOverload
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>,
      Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    > where Output.Failure == Never
  {
    map { $0.setFailureType(to: Failure.self) }.switchToLatest()
  }
}

extension Publisher where Output: Publisher, Failure == Never {
  /// Publishes the values of the newest publisher, where these publishers may fail but the upstream
  /// never fails.
  @_disfavoredOverload
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Output, Publishers.SetFailureType<Self, Output.Failure>
    >
  { setFailureType(to: Output.Failure.self).switchToLatest() }
}
