extension Publishers {
  /// Has the values of one publisher, then those of another.
  public struct Concatenate<Upstream: Publisher, Suffix: Publisher>: Publisher
  where Suffix.Output == Upstream.Output, Suffix.Failure == Upstream.Failure {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
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

  /// Has the values of another publisher after a failure.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where NewPublisher.Output == Upstream.Output {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
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

  /// Has the values of another publisher after a failure, or fails.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where NewPublisher.Output == Upstream.Output {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
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

  /// Subscribes once more after a failure.
  public struct Retry<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
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

  /// Has a value in the place of a failure.
  public struct ReplaceError<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// It does not fail.
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

  /// Has a value if there is none.
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
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
  /// Has the values of another publisher after its own.
  public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
  where P.Output == Output, P.Failure == Failure {
    .init(upstream: self, suffix: publisher)
  }

  /// Has these values after its own.
  public func append(_ elements: Output...)
    -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>>
  {
    append(elements)
  }

  /// Has these values after its own.
  public func append<S: Sequence>(_ elements: S)
    -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output
  {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Has the values of another publisher before its own.
  public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where P.Output == Output, P.Failure == Failure {
    .init(upstream: publisher, suffix: self)
  }

  /// Has these values before its own.
  public func prepend(_ elements: Output...)
    -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self>
  {
    prepend(elements)
  }

  /// Has these values before its own.
  public func prepend<S: Sequence>(_ elements: S)
    -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output
  {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Has the values of another publisher after a failure.
  public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P)
    -> Publishers.Catch<Self, P> where P.Output == Output
  {
    .init(upstream: self, handler: handler)
  }

  /// Does the same with a closure that may throw. An error that it throws ends the publisher.
  public func tryCatch<P: Publisher>(_ handler: @escaping (Failure) throws -> P)
    -> Publishers.TryCatch<Self, P> where P.Output == Output
  {
    .init(upstream: self, handler: handler)
  }

  /// Subscribes once more after a failure, at most so often.
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    .init(upstream: self, retries: retries)
  }

  /// Has a value in the place of a failure.
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    .init(upstream: self, output: output)
  }

  /// Has a value if there is none.
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    .init(upstream: self, output: output)
  }
}
