/// A namespace for subscribers, their demands, and completions.
public enum Subscribers {
  /// The number of values that a subscriber requests.
  public struct Demand: Comparable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The number of values. The greatest number stands for an unlimited demand.
    private let count: Int

    private init(_ count: Int) { self.count = count }

    /// A request for an unlimited number of values.
    public static let unlimited = Demand(.max)
    /// A request for no values.
    public static let none = Demand(0)

    /// Creates a demand for the given number of values. Traps if the number is negative.
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "a demand of \(value) values is negative")
      return Demand(value)
    }

    /// The number of requested values, or nil if the demand is unlimited.
    public var max: Int? { count == .max ? nil : count }

    /// Returns the sum of two demands.
    public static func + (a: Demand, b: Demand) -> Demand {
      let (sum, isTooLarge) = a.count.addingReportingOverflow(b.count)
      return isTooLarge ? .unlimited : Demand(sum)
    }

    /// Returns a demand for `b` more values.
    public static func + (a: Demand, b: Int) -> Demand { a + Demand(b) }

    /// Returns the remaining demand, which is never negative. An unlimited demand remains
    /// unlimited.
    public static func - (a: Demand, b: Demand) -> Demand {
      a.count == .max ? .unlimited : Demand(Swift.max(0, a.count - b.count))
    }

    /// Returns a demand for `b` fewer values. The result is never negative, and an unlimited demand
    /// remains unlimited.
    public static func - (a: Demand, b: Int) -> Demand { a - Demand(b) }

    /// Returns the demand multiplied by a number.
    public static func * (a: Demand, b: Int) -> Demand {
      if a.count == .max { return .unlimited }
      let (product, isTooLarge) = a.count.multipliedReportingOverflow(by: b)
      return isTooLarge ? .unlimited : .max(product)
    }

    /// Adds a demand.
    public static func += (a: inout Demand, b: Demand) { a = a + b }
    /// Adds a number of values.
    public static func += (a: inout Demand, b: Int) { a = a + b }
    /// Subtracts a demand.
    public static func -= (a: inout Demand, b: Demand) { a = a - b }
    /// Subtracts a number of values.
    public static func -= (a: inout Demand, b: Int) { a = a - b }
    /// Multiplies the demand by a number.
    public static func *= (a: inout Demand, b: Int) { a = a * b }

    /// Compares two demands. The unlimited demand is the greatest.
    public static func < (a: Demand, b: Demand) -> Bool { a.count < b.count }
    /// Returns whether the demand is for exactly `b` values.
    public static func == (a: Demand, b: Int) -> Bool { a.max == b }
    /// Returns whether the demand is for more than `b` values.
    public static func > (a: Demand, b: Int) -> Bool { a.count > b }
    /// Returns whether the demand is for `b` or more values.
    public static func >= (a: Demand, b: Int) -> Bool { a.count >= b }
    /// Returns whether the demand is for fewer than `b` values.
    public static func < (a: Demand, b: Int) -> Bool { a.count < b }

    /// A description such as `unlimited` or `max(2)`.
    public var description: String { count == .max ? "unlimited" : "max(\(count))" }
  }

  /// The end of a publisher.
  public enum Completion<Failure: Error>: Sendable {
    /// The publisher has no more values.
    case finished
    /// The publisher failed with this error.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

extension Subscribers.Completion {
  /// Returns the same completion with a transformed failure.
  func mapFailure<Other: Error>(
    _ transform: (Failure) -> Other
  ) -> Subscribers.Completion<Other> {
    switch self {
    case .finished: .finished
    case .failure(let failure): .failure(transform(failure))
    }
  }
}
