extension Publishers {
  /// A publisher of the values for which a closure returns true.
  public struct Filter<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let isIncluded: (Upstream.Output) -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber) { isIncluded($0) ? .pass($0) : .skip })
    }
  }

  /// A publisher of the values for which a throwing closure returns true.
  public struct TryFilter<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let isIncluded: (Upstream.Output) throws -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber, trying: { try isIncluded($0) ? .pass($0) : .skip }))
    }
  }

  /// A publisher of a closure's results other than nil.
  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let transform: (Upstream.Output) -> Output?

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber) { transform($0).map { .pass($0) } ?? .skip })
    }
  }

  /// A publisher of a throwing closure's results other than nil.
  public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let transform: (Upstream.Output) throws -> Output?

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Stage(subscriber, trying: { try transform($0).map { .pass($0) } ?? .skip }))
    }
  }

  /// A publisher that drops values that repeat the previous value.
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let predicate: (Upstream.Output, Upstream.Output) -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var last: Output?
      upstream.subscribe(
        Stage(subscriber) { value in
          if let last, predicate(last, value) { return .skip }
          last = value
          return .pass(value)
        })
    }
  }

  /// A publisher that drops values that repeat the previous value, as determined by a throwing
  /// closure.
  public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var last: Output?
      upstream.subscribe(
        Stage(
          subscriber,
          trying: { value in
            if let last, try predicate(last, value) { return .skip }
            last = value
            return .pass(value)
          }))
    }
  }

  /// A publisher of a closure's results for its previous result and each value.
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let initialResult: Output
    let next: (Output, Upstream.Output) -> Output

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var result = initialResult
      upstream.subscribe(
        Stage(subscriber) { value in
          let new = next(result, value)
          result = new
          return .pass(new)
        })
    }
  }

  /// A publisher of a throwing closure's results for its previous result and each value.
  public struct TryScan<Upstream: Publisher, Output>: Publisher {
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let initialResult: Output
    let next: (Output, Upstream.Output) throws -> Output

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var result = initialResult
      upstream.subscribe(
        Stage(
          subscriber,
          trying: { value in
            let new = try next(result, value)
            result = new
            return .pass(new)
          }))
    }
  }
}

extension Publisher {
  /// Publishes the values for which a closure returns true.
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    .init(upstream: self, isIncluded: isIncluded)
  }

  /// Publishes the values for which a closure returns true. An error that the closure throws ends
  /// the publisher.
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool)
    -> Publishers.TryFilter<Self>
  {
    .init(upstream: self, isIncluded: isIncluded)
  }

  /// Publishes the closure's results other than nil.
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T>
  {
    .init(upstream: self, transform: transform)
  }

  /// Publishes the closure's results other than nil. An error that the closure throws ends the
  /// publisher.
  public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?)
    -> Publishers.TryCompactMap<Self, T>
  {
    .init(upstream: self, transform: transform)
  }

  /// Drops values that repeat the previous value, as determined by a closure.
  public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool)
    -> Publishers.RemoveDuplicates<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Drops values that repeat the previous value. An error that the closure throws ends the
  /// publisher.
  public func tryRemoveDuplicates(by predicate: @escaping (Output, Output) throws -> Bool)
    -> Publishers.TryRemoveDuplicates<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Drops values that equal the previous value.
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> where Output: Equatable {
    .init(upstream: self, predicate: ==)
  }

  /// Publishes the result of a closure for its previous result and each value.
  public func scan<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T)
    -> Publishers.Scan<Self, T>
  {
    .init(upstream: self, initialResult: initialResult, next: nextPartialResult)
  }

  /// Publishes the result of a closure for its previous result and each value. An error that the
  /// closure throws ends the publisher.
  public func tryScan<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T)
    -> Publishers.TryScan<Self, T>
  {
    .init(upstream: self, initialResult: initialResult, next: nextPartialResult)
  }
}
