extension Publishers {
  /// A publisher of the results of a closure for each value.
  public struct Map<Upstream: Publisher, Output>: Publisher {
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let transform: (Upstream.Output) -> Output

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber) { .pass(transform($0)) })
    }
  }

  /// A publisher of the results of a throwing closure for each value.
  public struct TryMap<Upstream: Publisher, Output>: Publisher {
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let transform: (Upstream.Output) throws -> Output

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber, trying: { .pass(try transform($0)) }))
    }
  }

  /// A publisher of a property of each value.
  public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let keyPath: KeyPath<Upstream.Output, Output>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber) { [keyPath] in .pass($0[keyPath: keyPath]) })
    }
  }

  /// A publisher of two properties of each value.
  public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = (Output0, Output1)
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let keyPath0: KeyPath<Upstream.Output, Output0>
    let keyPath1: KeyPath<Upstream.Output, Output1>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Stage(subscriber) {
          .pass(($0[keyPath: keyPath0], $0[keyPath: keyPath1]))
        })
    }
  }

  /// A publisher of three properties of each value.
  public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = (Output0, Output1, Output2)
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let keyPath0: KeyPath<Upstream.Output, Output0>
    let keyPath1: KeyPath<Upstream.Output, Output1>
    let keyPath2: KeyPath<Upstream.Output, Output2>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Stage(subscriber) {
          .pass(($0[keyPath: keyPath0], $0[keyPath: keyPath1], $0[keyPath: keyPath2]))
        })
    }
  }

  /// A publisher that transforms the failure of its upstream.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    let upstream: Upstream
    let transform: (Upstream.Failure) -> Failure

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber, failure: transform) { .pass($0) })
    }
  }

  /// A publisher with a failure type, although its upstream never fails.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher
  where Upstream.Failure == Never {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    let upstream: Upstream

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber, failure: { (never: Never) -> Failure in }) { .pass($0) })
    }
  }

  /// A publisher that stops the process if its upstream fails.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The publisher never fails.
    public typealias Failure = Never
    let upstream: Upstream
    let prefix: String
    let file: StaticString
    let line: UInt

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let (prefix, file, line) = (prefix, file, line)
      upstream.subscribe(
        Stage(
          subscriber,
          failure: { (failure: Upstream.Failure) -> Never in
            fatalError("\(prefix)\(failure)", file: file, line: line)
          }
        ) { .pass($0) })
    }
  }

  /// A publisher that encodes each value.
  public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Publisher
  where Upstream.Output: Encodable {
    /// The kind of values that the publisher publishes.
    public typealias Output = Coder.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let encoder: Coder

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber, trying: { .pass(try encoder.encode($0)) }))
    }
  }

  /// A publisher that decodes each value.
  public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Publisher
  where Upstream.Output == Coder.Input {
    /// The kind of errors that can end the publisher.
    public typealias Failure = any Error
    let upstream: Upstream
    let decoder: Coder

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        Stage(subscriber, trying: { .pass(try decoder.decode(Output.self, from: $0)) }))
    }
  }
}

extension Publisher {
  /// Publishes the result of a closure for each value.
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    .init(upstream: self, transform: transform)
  }

  /// Publishes the result of a closure for each value. An error that the closure throws ends the
  /// publisher.
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
    .init(upstream: self, transform: transform)
  }

  /// Publishes a property of each value.
  public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
    .init(upstream: self, keyPath: keyPath)
  }

  /// Publishes two properties of each value.
  public func map<T0, T1>(_ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>)
    -> Publishers.MapKeyPath2<Self, T0, T1>
  {
    .init(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
  }

  /// Publishes three properties of each value.
  public func map<T0, T1, T2>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>,
    _ keyPath2: KeyPath<Output, T2>
  ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
    .init(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
  }

  /// Transforms the failure.
  public func mapError<E: Error>(_ transform: @escaping (Failure) -> E)
    -> Publishers.MapError<Self, E>
  {
    .init(upstream: self, transform: transform)
  }

  /// Stops the process if the upstream fails.
  public func assertNoFailure(_ prefix: String = "", file: StaticString = #file, line: UInt = #line)
    -> Publishers.AssertNoFailure<Self>
  {
    .init(upstream: self, prefix: prefix, file: file, line: line)
  }

  /// Replaces each nil by a value.
  public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
    .init(upstream: self) { $0 ?? output }
  }

  /// Encodes each value.
  public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder>
  where Output: Encodable {
    .init(upstream: self, encoder: encoder)
  }

  /// Decodes each value.
  public func decode<Item: Decodable, Coder: TopLevelDecoder>(type: Item.Type, decoder: Coder)
    -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input
  {
    .init(upstream: self, decoder: decoder)
  }
}

extension Publisher where Failure == Never {
  /// Changes the failure type of a publisher that never fails.
  public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E>
  { .init(upstream: self) }
}
