extension Publishers {
  /// A publisher of the values of two publishers in order of arrival.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where B.Output == A.Output, B.Failure == A.Failure {
    /// The kind of values that the publisher publishes.
    public typealias Output = A.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B

    /// Creates a publisher that merges the given publishers.
    public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let funnel = Funnel(subscriber)
      funnel.begin()
      funnel.add(a)
      funnel.add(b)
      funnel.close()
    }
  }

  /// A publisher of the values of three publishers in order of arrival.
  public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where B.Output == A.Output, B.Failure == A.Failure, C.Output == A.Output, C.Failure == A.Failure {
    /// The kind of values that the publisher publishes.
    public typealias Output = A.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C

    /// Creates a publisher that merges the given publishers.
    public init(_ a: A, _ b: B, _ c: C) { (self.a, self.b, self.c) = (a, b, c) }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let funnel = Funnel(subscriber)
      funnel.begin()
      funnel.add(a)
      funnel.add(b)
      funnel.add(c)
      funnel.close()
    }
  }

  /// A publisher of the values of four publishers in order of arrival.
  public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where
    B.Output == A.Output, B.Failure == A.Failure, C.Output == A.Output, C.Failure == A.Failure,
    D.Output == A.Output, D.Failure == A.Failure
  {
    /// The kind of values that the publisher publishes.
    public typealias Output = A.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C
    /// The fourth publisher.
    public let d: D

    /// Creates a publisher that merges the given publishers.
    public init(_ a: A, _ b: B, _ c: C, _ d: D) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let funnel = Funnel(subscriber)
      funnel.begin()
      funnel.add(a)
      funnel.add(b)
      funnel.add(c)
      funnel.add(d)
      funnel.close()
    }
  }

  /// A publisher of the values of any number of publishers of one type, in order of arrival.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    /// The merged publishers.
    public let publishers: [Upstream]

    /// Creates a publisher that merges the given publishers.
    public init(_ upstream: Upstream...) { publishers = upstream }
    /// Creates a publisher that merges the given publishers.
    public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
      publishers = Array(upstream)
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let funnel = Funnel(subscriber)
      funnel.begin()
      for publisher in publishers { funnel.add(publisher) }
      funnel.close()
    }
  }
}

extension Publisher {
  /// Publishes the values of both publishers in order of arrival.
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where P.Output == Output, P.Failure == Failure {
    .init(self, other)
  }

  /// Publishes the values of all three publishers in order of arrival.
  public func merge<P: Publisher, Q: Publisher>(with p: P, _ q: Q) -> Publishers.Merge3<Self, P, Q>
  where P.Output == Output, P.Failure == Failure, Q.Output == Output, Q.Failure == Failure {
    .init(self, p, q)
  }

  /// Publishes the values of all four publishers in order of arrival.
  public func merge<P: Publisher, Q: Publisher, R: Publisher>(with p: P, _ q: Q, _ r: R)
    -> Publishers.Merge4<Self, P, Q, R>
  where
    P.Output == Output, P.Failure == Failure, Q.Output == Output, Q.Failure == Failure,
    R.Output == Output, R.Failure == Failure
  {
    .init(self, p, q, r)
  }

  /// Publishes the values of both publishers in order of arrival.
  public func merge(with other: Self) -> Publishers.MergeMany<Self> { .init(self, other) }
}
