public import Foundation

/// Takes the place of `Logger`: the messages are made, as for a log that is on, and go nowhere.
/// Linux has no such log, and no code can read one back.
public struct SimulatedLogger: Sendable {
  /// A log of its own.
  public init(subsystem: String, category: String) {}
  /// A log that code has made.
  public init(_ log: SimulatedOSLog) {}
  /// The log of all.
  public init() {}

  /// Makes the message.
  public func log(_ message: SimulatedLogMessage) {}
  /// Makes the message.
  public func log(level: SimulatedLogType, _ message: SimulatedLogMessage) {}
  /// Makes the message.
  public func trace(_ message: SimulatedLogMessage) {}
  /// Makes the message.
  public func debug(_ message: SimulatedLogMessage) {}
  /// Makes the message.
  public func info(_ message: SimulatedLogMessage) {}
  /// Makes the message.
  public func notice(_ message: SimulatedLogMessage) {}
  /// Makes the message.
  public func warning(_ message: SimulatedLogMessage) {}
  /// Makes the message.
  public func error(_ message: SimulatedLogMessage) {}
  /// Makes the message.
  public func critical(_ message: SimulatedLogMessage) {}
  /// Makes the message.
  public func fault(_ message: SimulatedLogMessage) {}
}

/// Takes the place of `OSLog`.
public final class SimulatedOSLog: NSObject, Sendable {
  /// A log of its own.
  public init(subsystem: String, category: String) {}
  private override init() {}
  /// The log of all.
  public static let `default` = SimulatedOSLog()
  /// The log that is off.
  public static let disabled = SimulatedOSLog()
}

/// Takes the place of `OSLogType`: how important a message is.
public struct SimulatedLogType: RawRepresentable, Hashable, Sendable {
  /// The number that Apple's type has.
  public let rawValue: UInt8
  /// From a number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Most messages.
  public static let `default` = SimulatedLogType(rawValue: 0)
  /// What may help.
  public static let info = SimulatedLogType(rawValue: 1)
  /// What helps a developer.
  public static let debug = SimulatedLogType(rawValue: 2)
  /// An error of the app.
  public static let error = SimulatedLogType(rawValue: 16)
  /// An error of the system.
  public static let fault = SimulatedLogType(rawValue: 17)
}

/// A message of a log. What is interpolated is computed: that may fire a fault.
public struct SimulatedLogMessage: ExpressibleByStringInterpolation {
  /// Which readers a value is for; of no effect.
  public struct Privacy: Sendable {
    /// How a hidden value is shown; of no effect.
    public enum Mask: Sendable {
      /// By a hash.
      case hash
      /// Not at all.
      case none
    }
    /// Every reader.
    public static let `public` = Privacy()
    /// The app alone.
    public static let `private` = Privacy()
    /// No reader.
    public static let sensitive = Privacy()
    /// By the type of the value.
    public static let auto = Privacy()
    /// The app alone, and with a mask.
    public static func `private`(mask: Mask) -> Privacy { Privacy() }
    /// By the type of the value, and with a mask.
    public static func auto(mask: Mask) -> Privacy { Privacy() }
  }

  /// Where a value stands in its column; of no effect.
  public struct Alignment: Sendable {
    /// At the left of so many columns.
    public static func left(columns: Int) -> Alignment { Alignment() }
    /// At the right of so many columns.
    public static func right(columns: Int) -> Alignment { Alignment() }
    /// As it comes.
    public static let none = Alignment()
  }

  /// How a number is written; of no effect.
  public struct Format: Sendable {
    /// With ten digits.
    public static let decimal = Format()
    /// With sixteen digits.
    public static let hex = Format()
    /// With a point.
    public static let fixed = Format()
    /// With a point, and so many digits behind it.
    public static func fixed(precision: Int) -> Format { Format() }
    /// `true` and `false`.
    public static let truth = Format()
    /// `yes` and `no`.
    public static let answer = Format()
  }

  /// What computes the values.
  public struct StringInterpolation: StringInterpolationProtocol {
    /// Nothing yet.
    public init(literalCapacity: Int, interpolationCount: Int) {}
    /// A piece of text.
    public mutating func appendLiteral(_ literal: String) {}
    /// A value.
    public mutating func appendInterpolation<Value>(
      _ value: Value, format: Format = .decimal, align: Alignment = .none,
      privacy: Privacy = .auto
    ) {}
  }

  /// A text.
  public init(stringLiteral value: String) {}
  /// A text with values.
  public init(stringInterpolation: StringInterpolation) {}
}

/// Takes the place of `os_log`.
public func simulatedOSLog(
  _ message: SimulatedLogMessage, log: SimulatedOSLog = .default,
  type: SimulatedLogType = .default, _ arguments: Any?...
) {}

/// Takes the place of `os_log` with a format in a variable.
@_disfavoredOverload
public func simulatedOSLog(
  _ message: StaticString, log: SimulatedOSLog = .default,
  type: SimulatedLogType = .default, _ arguments: Any?...
) {}

/// Takes the place of `os_log`, likewise.
public func simulatedOSLog(
  _ type: SimulatedLogType, log: SimulatedOSLog = .default, _ message: SimulatedLogMessage
) {}
