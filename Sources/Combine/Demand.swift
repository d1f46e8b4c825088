/// The namespace of subscribers, and of what they ask for and are told.
public enum Subscribers {
  /// How many values a subscriber wants.
  public struct Demand: Comparable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The largest number is unlimited.
    private let count: Int

    private init(_ count: Int) { self.count = count }

    /// As many as there are.
    public static let unlimited = Demand(.max)
    /// No values.
    public static let none = Demand(0)

    /// So many values. Traps if the number is negative.
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "a demand of \(value) values is negative")
      return Demand(value)
    }

    /// The number; nil if it is unlimited.
    public var max: Int? { count == .max ? nil : count }

    /// Both together.
    public static func + (a: Demand, b: Demand) -> Demand {
      let (sum, isTooLarge) = a.count.addingReportingOverflow(b.count)
      return isTooLarge ? .unlimited : Demand(sum)
    }

    /// So many more.
    public static func + (a: Demand, b: Int) -> Demand { a + Demand(b) }

    /// The rest; of an unlimited demand, it is unlimited, and it is never negative.
    public static func - (a: Demand, b: Demand) -> Demand {
      a.count == .max ? .unlimited : Demand(Swift.max(0, a.count - b.count))
    }

    /// So many fewer, likewise.
    public static func - (a: Demand, b: Int) -> Demand { a - Demand(b) }

    /// So many times as many.
    public static func * (a: Demand, b: Int) -> Demand {
      if a.count == .max { return .unlimited }
      let (product, isTooLarge) = a.count.multipliedReportingOverflow(by: b)
      return isTooLarge ? .unlimited : .max(product)
    }

    /// Adds a demand.
    public static func += (a: inout Demand, b: Demand) { a = a + b }
    /// Adds to it.
    public static func += (a: inout Demand, b: Int) { a = a + b }
    /// Takes from it.
    public static func -= (a: inout Demand, b: Demand) { a = a - b }
    /// Takes from it.
    public static func -= (a: inout Demand, b: Int) { a = a - b }
    /// Multiplies it.
    public static func *= (a: inout Demand, b: Int) { a = a * b }

    /// The order of numbers; the unlimited one comes last.
    public static func < (a: Demand, b: Demand) -> Bool { a.count < b.count }
    /// Holds if it has this number.
    public static func == (a: Demand, b: Int) -> Bool { a.max == b }
    /// Holds if it is more.
    public static func > (a: Demand, b: Int) -> Bool { a.count > b }
    /// Holds if it is more, or has this number.
    public static func >= (a: Demand, b: Int) -> Bool { a.count >= b }
    /// Holds if it is less.
    public static func < (a: Demand, b: Int) -> Bool { a.count < b }

    /// `unlimited`, or `max(2)`.
    public var description: String { count == .max ? "unlimited" : "max(\(count))" }
  }

  /// How a publisher ends.
  public enum Completion<Failure: Error>: Sendable {
    /// It has no more values.
    case finished
    /// It has failed.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

extension Subscribers.Completion {
  /// The same end with another kind of failure.
  func mapFailure<Other: Error>(
    _ transform: (Failure) -> Other
  ) -> Subscribers.Completion<Other> {
    switch self {
    case .finished: .finished
    case .failure(let failure): .failure(transform(failure))
    }
  }
}
