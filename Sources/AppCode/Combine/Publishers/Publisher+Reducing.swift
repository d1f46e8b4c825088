extension Publisher {
  /// Combines all values with a closure, and publishes the result at the end.
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T)
    -> Publishers.Reduce<Self, T>
  {
    .init(upstream: self, initialResult: initialResult, next: nextPartialResult)
  }

  /// Combines all values with a closure that may throw, and publishes the result at the end. An
  /// error that the closure throws ends the publisher.
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryReduce<Self, T> {
    .init(upstream: self, initialResult: initialResult, next: nextPartialResult)
  }

  /// Publishes the first value, then ends.
  public func first() -> Publishers.FirstWhere<Self> {
    .init(upstream: self) { _ in true }
  }

  /// Publishes the first value for which a closure returns true, then ends.
  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    .init(upstream: self, predicate: predicate)
  }

  /// Publishes the first value for which a closure returns true, then ends. An error that the
  /// closure throws ends the publisher.
  public func tryFirst(where predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryFirstWhere<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Publishes the last value at the end.
  public func last() -> Publishers.LastWhere<Self> {
    .init(upstream: self) { _ in true }
  }

  /// Publishes the last value for which a closure returns true, at the end.
  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    .init(upstream: self, predicate: predicate)
  }

  /// Publishes the last value for which a closure returns true, at the end. An error that the
  /// closure throws ends the publisher.
  public func tryLast(where predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryLastWhere<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Publishes true as soon as a closure returns true for a value, otherwise false at the end.
  public func contains(where predicate: @escaping (Output) -> Bool)
    -> Publishers.ContainsWhere<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Publishes true as soon as a closure returns true for a value, otherwise false at the end. An
  /// error that the closure throws ends the publisher.
  public func tryContains(where predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryContainsWhere<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Publishes true as soon as a value equals `output`, otherwise false at the end.
  public func contains(_ output: Output) -> Publishers.ContainsWhere<Self> where Output: Equatable {
    .init(upstream: self) { $0 == output }
  }

  /// Publishes false as soon as a closure returns false for a value, otherwise true at the end.
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    .init(upstream: self, predicate: predicate)
  }

  /// Publishes false as soon as a closure returns false for a value, otherwise true at the end. An
  /// error that the closure throws ends the publisher.
  public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryAllSatisfy<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Publishes all values as one array at the end.
  public func collect() -> Publishers.Collect<Self> {
    .init(upstream: self)
  }

  /// Publishes the number of values at the end.
  public func count() -> Publishers.Count<Self> {
    .init(upstream: self)
  }

  /// Publishes the least value at the end, as ordered by a closure.
  public func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool)
    -> Publishers.Comparison<Self>
  {
    .init(upstream: self, isBetter: areInIncreasingOrder)
  }

  /// Publishes the greatest value at the end, as ordered by a closure.
  public func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool)
    -> Publishers.Comparison<Self>
  {
    .init(upstream: self) { areInIncreasingOrder($1, $0) }
  }

  /// Publishes the least value at the end.
  public func min() -> Publishers.Comparison<Self> where Output: Comparable {
    .init(upstream: self, isBetter: <)
  }

  /// Publishes the greatest value at the end.
  public func max() -> Publishers.Comparison<Self> where Output: Comparable {
    .init(upstream: self, isBetter: >)
  }

  /// Publishes no values, and ends when the upstream ends.
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    .init(upstream: self)
  }
}

extension Publishers {
  /// The publisher of `first()`.
  public typealias First = FirstWhere
  /// The publisher of `last()`.
  public typealias Last = LastWhere
  /// The publisher of `contains(_:)`.
  public typealias Contains = ContainsWhere
}
