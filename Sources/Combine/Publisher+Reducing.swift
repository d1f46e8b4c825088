extension Publisher {
  /// Has the result of a closure for all values, at the end.
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T)
    -> Publishers.Reduce<Self, T>
  {
    .init(upstream: self, initialResult: initialResult, next: nextPartialResult)
  }

  /// Does the same with a closure that may throw. An error that it throws ends the publisher.
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryReduce<Self, T> {
    .init(upstream: self, initialResult: initialResult, next: nextPartialResult)
  }

  /// Has the first value, then ends.
  public func first() -> Publishers.FirstWhere<Self> {
    .init(upstream: self) { _ in true }
  }

  /// Has the first value for which a closure holds, then ends.
  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    .init(upstream: self, predicate: predicate)
  }

  /// Does the same with a closure that may throw. An error that it throws ends the publisher.
  public func tryFirst(where predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryFirstWhere<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Has the last value, at the end.
  public func last() -> Publishers.LastWhere<Self> {
    .init(upstream: self) { _ in true }
  }

  /// Has the last value for which a closure holds, at the end.
  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    .init(upstream: self, predicate: predicate)
  }

  /// Does the same with a closure that may throw. An error that it throws ends the publisher.
  public func tryLast(where predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryLastWhere<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Has true as soon as a closure holds for a value, else false at the end.
  public func contains(where predicate: @escaping (Output) -> Bool)
    -> Publishers.ContainsWhere<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Does the same with a closure that may throw. An error that it throws ends the publisher.
  public func tryContains(where predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryContainsWhere<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Has true as soon as a value is this one, else false at the end.
  public func contains(_ output: Output) -> Publishers.ContainsWhere<Self> where Output: Equatable {
    .init(upstream: self) { $0 == output }
  }

  /// Has false as soon as a closure does not hold for a value, else true at the end.
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    .init(upstream: self, predicate: predicate)
  }

  /// Does the same with a closure that may throw. An error that it throws ends the publisher.
  public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool)
    -> Publishers.TryAllSatisfy<Self>
  {
    .init(upstream: self, predicate: predicate)
  }

  /// Has all values as one array, at the end.
  public func collect() -> Publishers.Collect<Self> {
    .init(upstream: self)
  }

  /// Has the number of values, at the end.
  public func count() -> Publishers.Count<Self> {
    .init(upstream: self)
  }

  /// Has the least value, at the end.
  public func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool)
    -> Publishers.Comparison<Self>
  {
    .init(upstream: self, isBetter: areInIncreasingOrder)
  }

  /// Has the greatest value, at the end.
  public func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool)
    -> Publishers.Comparison<Self>
  {
    .init(upstream: self) { areInIncreasingOrder($1, $0) }
  }

  /// Has the least value, at the end.
  public func min() -> Publishers.Comparison<Self> where Output: Comparable {
    .init(upstream: self, isBetter: <)
  }

  /// Has the greatest value, at the end.
  public func max() -> Publishers.Comparison<Self> where Output: Comparable {
    .init(upstream: self, isBetter: >)
  }

  /// Has no value, and ends as the publisher does.
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
