extension Publishers {
  /// A publisher that drops the first values.
  public struct Drop<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let count: Int

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var left = count
      upstream.subscribe(
        Stage(subscriber) { value in
          if left == 0 { return .pass(value) }
          left -= 1
          return .skip
        })
    }
  }

  /// A publisher that drops the first values while a closure returns true.
  public struct DropWhile<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let predicate: (Upstream.Output) -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var isDropping = true
      upstream.subscribe(
        Stage(subscriber) { value in
          if isDropping, predicate(value) { return .skip }
          isDropping = false
          return .pass(value)
        })
    }
  }

  /// A publisher that drops the first values while a throwing closure returns true.
  public struct TryDropWhile<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let predicate: (Upstream.Output) throws -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var isDropping = true
      upstream.subscribe(
        Stage(
          subscriber,
          trying: { value in
            if isDropping, try predicate(value) { return .skip }
            isDropping = false
            return .pass(value)
          }))
    }
  }

  /// A publisher of the first values while a closure returns true.
  public struct PrefixWhile<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let predicate: (Upstream.Output) -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber) { predicate($0) ? .pass($0) : .end })
    }
  }

  /// A publisher of the first values while a throwing closure returns true.
  public struct TryPrefixWhile<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let predicate: (Upstream.Output) throws -> Bool

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber, trying: { try predicate($0) ? .pass($0) : .end }))
    }
  }

  /// A publisher of the values at given positions, which then ends.
  public struct Output<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let range: Range<Int>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      guard !range.isEmpty else {
        return Empty(outputType: Output.self, failureType: Failure.self).subscribe(subscriber)
      }
      var place = 0
      let range = range
      upstream.subscribe(
        Stage(subscriber) { value in
          place += 1
          if place <= range.lowerBound { return .skip }
          return place == range.upperBound ? .last(value) : .pass(value)
        })
    }
  }
}

extension Publisher {
  /// Drops the first values.
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    .init(upstream: self, count: count)
  }

  /// Drops the first values while a closure returns true.
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    .init(upstream: self, predicate: predicate)
  }

  /// Drops the first values while a closure returns true. An error that the closure throws ends the
  /// publisher.
  public func tryDrop(while predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryDropWhile<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Publishes the first values, then ends.
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    .init(upstream: self, range: 0..<maxLength)
  }

  /// Publishes the first values while a closure returns true, then ends.
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    .init(upstream: self, predicate: predicate)
  }

  /// Publishes the first values while a closure returns true, then ends. An error that the closure
  /// throws ends the publisher.
  public func tryPrefix(while predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryPrefixWhile<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Publishes the value at a position, counted from 0, then ends.
  public func output(at index: Int) -> Publishers.Output<Self> {
    .init(upstream: self, range: index..<index + 1)
  }

  /// Publishes the values at given positions, counted from 0, then ends.
  public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self>
  where R.Bound == Int {
    .init(upstream: self, range: range.relative(to: 0..<Int.max))
  }
}
