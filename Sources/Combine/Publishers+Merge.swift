extension Publishers {
  /// Has the values of two publishers, as they come.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where B.Output == A.Output, B.Failure == A.Failure {
    /// The values.
    public typealias Output = A.Output
    /// The failures.
    public typealias Failure = A.Failure
    /// A publisher.
    public let a: A
    /// A publisher.
    public let b: B

    /// A publisher of the values of all.
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

  /// Has the values of three publishers, as they come.
  public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where B.Output == A.Output, B.Failure == A.Failure, C.Output == A.Output, C.Failure == A.Failure {
    /// The values.
    public typealias Output = A.Output
    /// The failures.
    public typealias Failure = A.Failure
    /// A publisher.
    public let a: A
    /// A publisher.
    public let b: B
    /// A publisher.
    public let c: C

    /// A publisher of the values of all.
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

  /// Has the values of four publishers, as they come.
  public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where
    B.Output == A.Output, B.Failure == A.Failure, C.Output == A.Output, C.Failure == A.Failure,
    D.Output == A.Output, D.Failure == A.Failure
  {
    /// The values.
    public typealias Output = A.Output
    /// The failures.
    public typealias Failure = A.Failure
    /// A publisher.
    public let a: A
    /// A publisher.
    public let b: B
    /// A publisher.
    public let c: C
    /// A publisher.
    public let d: D

    /// A publisher of the values of all.
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

  /// Has the values of any number of publishers of one type, as they come.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
    public typealias Failure = Upstream.Failure
    /// The publishers.
    public let publishers: [Upstream]

    /// A publisher of the values of all.
    public init(_ upstream: Upstream...) { publishers = upstream }
    /// A publisher of the values of all.
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
  /// Has the values of both or all, as they come.
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where P.Output == Output, P.Failure == Failure {
    .init(self, other)
  }

  /// Has the values of both or all, as they come.
  public func merge<P: Publisher, Q: Publisher>(with p: P, _ q: Q) -> Publishers.Merge3<Self, P, Q>
  where P.Output == Output, P.Failure == Failure, Q.Output == Output, Q.Failure == Failure {
    .init(self, p, q)
  }

  /// Has the values of both or all, as they come.
  public func merge<P: Publisher, Q: Publisher, R: Publisher>(with p: P, _ q: Q, _ r: R)
    -> Publishers.Merge4<Self, P, Q, R>
  where
    P.Output == Output, P.Failure == Failure, Q.Output == Output, Q.Failure == Failure,
    R.Output == Output, R.Failure == Failure
  {
    .init(self, p, q, r)
  }

  /// Has the values of both, as they come.
  public func merge(with other: Self) -> Publishers.MergeMany<Self> { .init(self, other) }
}
