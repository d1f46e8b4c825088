extension Publishers {
  /// A publisher that combines all values with a closure.
  public struct Reduce<Upstream: Publisher, Output>: Publisher {
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
        Reduction(
          subscriber, failure: { $0 }, result: { result },
          take: { (value: Upstream.Output) throws(Failure) in
            result = next(result, value)
            return false
          }))
    }
  }

  /// A publisher that combines all values with a throwing closure.
  public struct TryReduce<Upstream: Publisher, Output>: Publisher {
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
        Reduction(
          subscriber, failure: { $0 }, result: { result },
          take: { (value: Upstream.Output) throws(any Error) in
            result = try next(result, value)
            return false
          }))
    }
  }

  /// A publisher of the first value for which a closure returns true.
  public struct FirstWhere<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let predicate: (Upstream.Output) -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var result: Output?
      upstream.subscribe(
        Reduction(
          subscriber, failure: { $0 }, result: { result },
          take: { (value: Upstream.Output) throws(Failure) in
            guard predicate(value) else { return false }
            result = value
            return true
          }))
    }
  }

  /// A publisher of the first value for which a throwing closure returns true.
  public struct TryFirstWhere<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let predicate: (Upstream.Output) throws -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var result: Output?
      upstream.subscribe(
        Reduction(
          subscriber, failure: { $0 }, result: { result },
          take: { (value: Upstream.Output) throws(any Error) in
            guard try predicate(value) else { return false }
            result = value
            return true
          }))
    }
  }

  /// A publisher of the last value for which a closure returns true.
  public struct LastWhere<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let predicate: (Upstream.Output) -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var result: Output?
      upstream.subscribe(
        Reduction(
          subscriber, failure: { $0 }, result: { result },
          take: { (value: Upstream.Output) throws(Failure) in
            if predicate(value) { result = value }
            return false
          }))
    }
  }

  /// A publisher of the last value for which a throwing closure returns true.
  public struct TryLastWhere<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let predicate: (Upstream.Output) throws -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var result: Output?
      upstream.subscribe(
        Reduction(
          subscriber, failure: { $0 }, result: { result },
          take: { (value: Upstream.Output) throws(any Error) in
            if try predicate(value) { result = value }
            return false
          }))
    }
  }

  /// A publisher of true as soon as a closure returns true for a value, otherwise of false at the
  /// end.
  public struct ContainsWhere<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Bool
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let predicate: (Upstream.Output) -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var isFound = false
      upstream.subscribe(
        Reduction(
          subscriber, failure: { $0 }, result: { isFound },
          take: { (value: Upstream.Output) throws(Failure) in
            isFound = predicate(value)
            return isFound
          }))
    }
  }

  /// A publisher of true as soon as a throwing closure returns true for a value, otherwise of false
  /// at the end.
  public struct TryContainsWhere<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Bool
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let predicate: (Upstream.Output) throws -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var isFound = false
      upstream.subscribe(
        Reduction(
          subscriber, failure: { $0 }, result: { isFound },
          take: { (value: Upstream.Output) throws(any Error) in
            isFound = try predicate(value)
            return isFound
          }))
    }
  }

  /// A publisher of false as soon as a closure returns false for a value, otherwise of true at the
  /// end.
  public struct AllSatisfy<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Bool
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let predicate: (Upstream.Output) -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var holds = true
      upstream.subscribe(
        Reduction(
          subscriber, failure: { $0 }, result: { holds },
          take: { (value: Upstream.Output) throws(Failure) in
            holds = predicate(value)
            return !holds
          }))
    }
  }

  /// A publisher of false as soon as a throwing closure returns false for a value, otherwise of
  /// true at the end.
  public struct TryAllSatisfy<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Bool
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let predicate: (Upstream.Output) throws -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var holds = true
      upstream.subscribe(
        Reduction(
          subscriber, failure: { $0 }, result: { holds },
          take: { (value: Upstream.Output) throws(any Error) in
            holds = try predicate(value)
            return !holds
          }))
    }
  }

  /// A publisher of all values as one array at the end.
  public struct Collect<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = [Upstream.Output]
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var values: [Upstream.Output] = []
      upstream.subscribe(
        Reduction(
          subscriber, failure: { $0 }, result: { values },
          take: { (value: Upstream.Output) throws(Failure) in
            values.append(value)
            return false
          }))
    }
  }

  /// A publisher of the number of values at the end.
  public struct Count<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Int
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var count = 0
      upstream.subscribe(
        Reduction(
          subscriber, failure: { $0 }, result: { count },
          take: { (value: Upstream.Output) throws(Failure) in
            count += 1
            return false
          }))
    }
  }

  /// A publisher of the least or the greatest value at the end.
  public struct Comparison<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let isBetter: (Upstream.Output, Upstream.Output) -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var best: Output?
      upstream.subscribe(
        Reduction(
          subscriber, failure: { $0 }, result: { best },
          take: { (value: Upstream.Output) throws(Failure) in
            if best.map({ isBetter(value, $0) }) ?? true { best = value }
            return false
          }))
    }
  }

  /// A publisher without values that ends when its upstream ends.
  public struct IgnoreOutput<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Never
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Reduction(
          subscriber, failure: { $0 }, result: { nil },
          take: { (value: Upstream.Output) throws(Failure) in
            false
          }))
    }
  }
}
