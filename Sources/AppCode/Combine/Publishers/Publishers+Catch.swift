extension Publishers {
  /// A publisher of the values of one publisher, then of those of another.
  public struct Concatenate<Upstream: Publisher, Suffix: Publisher>: Publisher
  where Suffix.Output == Upstream.Output, Suffix.Failure == Upstream.Failure {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let suffix: Suffix

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let (succession, suffix) = (Succession(subscriber), suffix)
      succession.begin()
      succession.follow(upstream) { completion in
        guard case .finished = completion else { return succession.finish(completion) }
        succession.follow(suffix) { succession.finish($0) }
      }
    }
  }

  /// A publisher that replaces a failure by the values of another publisher.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where NewPublisher.Output == Upstream.Output {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = NewPublisher.Failure
    let upstream: Upstream
    let handler: (Upstream.Failure) -> NewPublisher

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let (succession, handler) = (Succession(subscriber), handler)
      succession.begin()
      succession.follow(upstream) { completion in
        switch completion {
        case .finished: succession.finish(.finished)
        case .failure(let error): succession.follow(handler(error)) { succession.finish($0) }
        }
      }
    }
  }

  /// A publisher that replaces a failure by the values of another publisher, which a throwing
  /// closure returns.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where NewPublisher.Output == Upstream.Output {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let handler: (Upstream.Failure) throws -> NewPublisher

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let (succession, handler) = (Succession(subscriber), handler)
      succession.begin()
      succession.follow(upstream) { completion in
        switch completion {
        case .finished: succession.finish(.finished)
        case .failure(let error):
          do {
            succession.follow(try handler(error)) { succession.finish($0.mapFailure { $0 }) }
          } catch { succession.finish(.failure(error)) }
        }
      }
    }
  }

  /// A publisher that subscribes again after a failure.
  public struct Retry<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let retries: Int?

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let (succession, upstream) = (Succession(subscriber), upstream)
      var left = retries
      func follow() {
        succession.follow(upstream) { completion in
          guard case .failure = completion, left != 0 else { return succession.finish(completion) }
          left = left.map { $0 - 1 }
          follow()
        }
      }
      succession.begin()
      follow()
    }
  }

  /// A publisher that replaces a failure by a value.
  public struct ReplaceError<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The publisher never fails.
    public typealias Failure = Never
    let upstream: Upstream
    let output: Upstream.Output

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let (succession, output) = (Succession(subscriber), output)
      succession.begin()
      succession.follow(upstream) { completion in
        guard case .failure = completion else { return succession.finish(.finished) }
        succession.follow(Just(output)) { succession.finish($0) }
      }
    }
  }

  /// A publisher that publishes a value if its upstream ends without any.
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let output: Upstream.Output

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let (succession, output) = (Succession(subscriber), output)
      succession.begin()
      succession.follow(upstream) { completion in
        guard case .finished = completion, !succession.hasDelivered else {
          return succession.finish(completion)
        }
        succession.follow(Just(output)) { _ in succession.finish(.finished) }
      }
    }
  }
}

extension Publisher {
  /// Publishes the values of another publisher after its own.
  public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
  where P.Output == Output, P.Failure == Failure {
    .init(upstream: self, suffix: publisher)
  }

  /// Publishes the given values after its own.
  public func append(_ elements: Output...)
    -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>>
  {
    append(elements)
  }

  /// Publishes the given values after its own.
  public func append<S: Sequence>(_ elements: S)
    -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output
  {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Publishes the values of another publisher before its own.
  public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where P.Output == Output, P.Failure == Failure {
    .init(upstream: publisher, suffix: self)
  }

  /// Publishes the given values before its own.
  public func prepend(_ elements: Output...)
    -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self>
  {
    prepend(elements)
  }

  /// Publishes the given values before its own.
  public func prepend<S: Sequence>(_ elements: S)
    -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output
  {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Replaces a failure by the values of another publisher.
  public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P)
    -> Publishers.Catch<Self, P> where P.Output == Output
  {
    .init(upstream: self, handler: handler)
  }

  /// Replaces a failure by the values of another publisher. An error that the closure throws ends
  /// the publisher.
  public func tryCatch<P: Publisher>(_ handler: @escaping (Failure) throws -> P)
    -> Publishers.TryCatch<Self, P> where P.Output == Output
  {
    .init(upstream: self, handler: handler)
  }

  /// Subscribes again after a failure, at most `retries` times.
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    .init(upstream: self, retries: retries)
  }

  /// Replaces a failure by a value.
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    .init(upstream: self, output: output)
  }

  /// Publishes a value if the upstream ends without any.
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    .init(upstream: self, output: output)
  }
}
