extension Publishers {
  /// A publisher of tuples with the corresponding values of two publishers.
  public struct Zip<A: Publisher, B: Publisher>: Publisher where B.Failure == A.Failure {
    /// Tuples with one value of each publisher.
    public typealias Output = (A.Output, B.Output)
    /// The kind of errors that can end the publisher.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B

    /// Creates a publisher that combines the given publishers.
    public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let combination = Combination(subscriber, .zip)
      let sideA = combination.side(of: a)
      let sideB = combination.side(of: b)
      combination.begin {
        guard let a = sideA.value, let b = sideB.value else { return nil }
        return (a, b)
      }
    }
  }

  /// A publisher of tuples with the corresponding values of three publishers.
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where B.Failure == A.Failure, C.Failure == A.Failure {
    /// Tuples with one value of each publisher.
    public typealias Output = (A.Output, B.Output, C.Output)
    /// The kind of errors that can end the publisher.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C

    /// Creates a publisher that combines the given publishers.
    public init(_ a: A, _ b: B, _ c: C) { (self.a, self.b, self.c) = (a, b, c) }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let combination = Combination(subscriber, .zip)
      let sideA = combination.side(of: a)
      let sideB = combination.side(of: b)
      let sideC = combination.side(of: c)
      combination.begin {
        guard let a = sideA.value, let b = sideB.value, let c = sideC.value else { return nil }
        return (a, b, c)
      }
    }
  }

  /// A publisher of tuples with the corresponding values of four publishers.
  public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where B.Failure == A.Failure, C.Failure == A.Failure, D.Failure == A.Failure {
    /// Tuples with one value of each publisher.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
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

    /// Creates a publisher that combines the given publishers.
    public init(_ a: A, _ b: B, _ c: C, _ d: D) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let combination = Combination(subscriber, .zip)
      let sideA = combination.side(of: a)
      let sideB = combination.side(of: b)
      let sideC = combination.side(of: c)
      let sideD = combination.side(of: d)
      combination.begin {
        guard let a = sideA.value, let b = sideB.value, let c = sideC.value, let d = sideD.value
        else { return nil }
        return (a, b, c, d)
      }
    }
  }
}

extension Publisher {
  /// Publishes tuples with the corresponding values of both publishers.
  public func zip<P: Publisher>(_ publisher: P) -> Publishers.Zip<Self, P>
  where P.Failure == Failure {
    .init(self, publisher)
  }

  /// Publishes the result of a closure for the corresponding values of both publishers.
  public func zip<P: Publisher, T>(_ publisher: P, _ transform: @escaping (Output, P.Output) -> T)
    -> Publishers.Map<Publishers.Zip<Self, P>, T> where P.Failure == Failure
  {
    zip(publisher).map(transform)
  }

  /// Publishes tuples with the corresponding values of all three publishers.
  public func zip<P: Publisher, Q: Publisher>(_ publisher1: P, _ publisher2: Q)
    -> Publishers.Zip3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure
  {
    .init(self, publisher1, publisher2)
  }

  /// Publishes the result of a closure for the corresponding values of all three publishers.
  public func zip<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T>
  where P.Failure == Failure, Q.Failure == Failure {
    zip(publisher1, publisher2).map(transform)
  }

  /// Publishes tuples with the corresponding values of all four publishers.
  public func zip<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  ) -> Publishers.Zip4<Self, P, Q, R>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    .init(self, publisher1, publisher2, publisher3)
  }

  /// Publishes the result of a closure for the corresponding values of all four publishers.
  public func zip<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    zip(publisher1, publisher2, publisher3).map(transform)
  }
}
