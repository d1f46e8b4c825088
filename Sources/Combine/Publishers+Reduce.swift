extension Publishers {
  /// Has the result of a closure for all values.
  public struct Reduce<Upstream: Publisher, Output>: Publisher {
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
        Reduction(
          subscriber, failure: { $0 }, result: { result },
          take: { (value: Upstream.Output) throws(Failure) in
            result = next(result, value)
            return false
          }))
    }
  }

  /// Has the result of a closure for all values, or fails.
  public struct TryReduce<Upstream: Publisher, Output>: Publisher {
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
        Reduction(
          subscriber, failure: { $0 }, result: { result },
          take: { (value: Upstream.Output) throws(any Error) in
            result = try next(result, value)
            return false
          }))
    }
  }

  /// Has the first value for which a closure holds.
  public struct FirstWhere<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
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

  /// Has the first value for which a closure holds, or fails.
  public struct TryFirstWhere<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
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

  /// Has the last value for which a closure holds.
  public struct LastWhere<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
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

  /// Has the last value for which a closure holds, or fails.
  public struct TryLastWhere<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
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

  /// Has true as soon as a closure holds for a value, else false at the end.
  public struct ContainsWhere<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Bool
    /// The failures.
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

  /// Publishes the same result, or fails with an error that the closure throws.
  public struct TryContainsWhere<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Bool
    /// The failures.
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

  /// Has false as soon as a closure does not hold for a value, else true at the end.
  public struct AllSatisfy<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Bool
    /// The failures.
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

  /// Publishes the same result, or fails with an error that the closure throws.
  public struct TryAllSatisfy<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Bool
    /// The failures.
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

  /// Has all values as one array, at the end.
  public struct Collect<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = [Upstream.Output]
    /// The failures.
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

  /// Has the number of values, at the end.
  public struct Count<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Int
    /// The failures.
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

  /// Has the least or the greatest value, at the end.
  public struct Comparison<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
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

  /// Has no value, and ends as its upstream does.
  public struct IgnoreOutput<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Never
    /// The failures.
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
