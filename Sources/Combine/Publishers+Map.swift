extension Publishers {
  /// Makes a value of each.
  public struct Map<Upstream: Publisher, Output>: Publisher {
    /// The failures.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let transform: (Upstream.Output) -> Output

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber) { .pass(transform($0)) })
    }
  }

  /// Makes a value of each, or fails.
  public struct TryMap<Upstream: Publisher, Output>: Publisher {
    /// The failures.
    public typealias Failure = any Error
    let upstream: Upstream
    let transform: (Upstream.Output) throws -> Output

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber, trying: { .pass(try transform($0)) }))
    }
  }

  /// Has a property of each value.
  public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
    /// The failures.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let keyPath: KeyPath<Upstream.Output, Output>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber) { [keyPath] in .pass($0[keyPath: keyPath]) })
    }
  }

  /// Has two properties of each value.
  public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Publisher {
    /// The values.
    public typealias Output = (Output0, Output1)
    /// The failures.
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

  /// Has three properties of each value.
  public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: Publisher {
    /// The values.
    public typealias Output = (Output0, Output1, Output2)
    /// The failures.
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

  /// Has another kind of failure.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    let upstream: Upstream
    let transform: (Upstream.Failure) -> Failure

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber, failure: transform) { .pass($0) })
    }
  }

  /// Could fail, as far as its type says.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher
  where Upstream.Failure == Never {
    /// The values.
    public typealias Output = Upstream.Output
    let upstream: Upstream

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber, failure: { (never: Never) -> Failure in }) { .pass($0) })
    }
  }

  /// Stops the process at a failure.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// It does not fail.
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

  /// Has each value as an encoder writes it.
  public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Publisher
  where Upstream.Output: Encodable {
    /// The values.
    public typealias Output = Coder.Output
    /// The failures.
    public typealias Failure = any Error
    let upstream: Upstream
    let encoder: Coder

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Stage(subscriber, trying: { .pass(try encoder.encode($0)) }))
    }
  }

  /// Has values as a decoder reads them.
  public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Publisher
  where Upstream.Output == Coder.Input {
    /// The failures.
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
  /// Makes a value of each.
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    .init(upstream: self, transform: transform)
  }

  /// Makes a value of each; what the closure throws ends it.
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
    .init(upstream: self, transform: transform)
  }

  /// Has a property of each value.
  public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
    .init(upstream: self, keyPath: keyPath)
  }

  /// Has two properties of each value.
  public func map<T0, T1>(_ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>)
    -> Publishers.MapKeyPath2<Self, T0, T1>
  {
    .init(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
  }

  /// Has three properties of each value.
  public func map<T0, T1, T2>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>,
    _ keyPath2: KeyPath<Output, T2>
  ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
    .init(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
  }

  /// Makes a failure of another kind of each.
  public func mapError<E: Error>(_ transform: @escaping (Failure) -> E)
    -> Publishers.MapError<Self, E>
  {
    .init(upstream: self, transform: transform)
  }

  /// Stops the process at a failure.
  public func assertNoFailure(_ prefix: String = "", file: StaticString = #file, line: UInt = #line)
    -> Publishers.AssertNoFailure<Self>
  {
    .init(upstream: self, prefix: prefix, file: file, line: line)
  }

  /// Has a value in the place of each nil.
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
  /// Could fail, as far as its type says.
  public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E>
  { .init(upstream: self) }
}
