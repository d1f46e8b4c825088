extension Publishers {
  /// Has the values for which a closure holds.
  public struct Filter<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let isIncluded: (Upstream.Output) -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber) { isIncluded($0) ? .pass($0) : .skip })
    }
  }

  /// Has the values for which a closure holds, or fails.
  public struct TryFilter<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
    public typealias Failure = any Error
    let upstream: Upstream
    let isIncluded: (Upstream.Output) throws -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber, trying: { try isIncluded($0) ? .pass($0) : .skip }))
    }
  }

  /// Makes a value of each, or none.
  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    /// The failures.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let transform: (Upstream.Output) -> Output?

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber) { transform($0).map { .pass($0) } ?? .skip })
    }
  }

  /// Makes a value of each, or none, or fails.
  public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
    /// The failures.
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

  /// Leaves values out that are as the one before.
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
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

  /// Leaves values out that are as the one before, or fails.
  public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
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

  /// Has the result of a closure for the last result and each value.
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    /// The failures.
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

  /// Has the result of a closure for the last result and each value, or fails.
  public struct TryScan<Upstream: Publisher, Output>: Publisher {
    /// The failures.
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
  /// Has the values for which a closure holds.
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    .init(upstream: self, isIncluded: isIncluded)
  }

  /// Has the values for which a closure holds; what it throws ends it.
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool)
    -> Publishers.TryFilter<Self>
  {
    .init(upstream: self, isIncluded: isIncluded)
  }

  /// Makes a value of each, or none.
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T>
  {
    .init(upstream: self, transform: transform)
  }

  /// Makes a value of each, or none; what the closure throws ends it.
  public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?)
    -> Publishers.TryCompactMap<Self, T>
  {
    .init(upstream: self, transform: transform)
  }

  /// Leaves values out for which a closure says that they are as the one before.
  public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool)
    -> Publishers.RemoveDuplicates<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Does the same with a closure that may throw. An error that it throws ends the publisher.
  public func tryRemoveDuplicates(by predicate: @escaping (Output, Output) throws -> Bool)
    -> Publishers.TryRemoveDuplicates<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Leaves values out that equal the one before.
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> where Output: Equatable {
    .init(upstream: self, predicate: ==)
  }

  /// Has the result of a closure for the last result and each value.
  public func scan<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T)
    -> Publishers.Scan<Self, T>
  {
    .init(upstream: self, initialResult: initialResult, next: nextPartialResult)
  }

  /// Does the same with a closure that may throw. An error that it throws ends the publisher.
  public func tryScan<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T)
    -> Publishers.TryScan<Self, T>
  {
    .init(upstream: self, initialResult: initialResult, next: nextPartialResult)
  }
}
