public import Foundation

/// A logger that computes its messages, as an enabled log does, and discards them. Replaces
/// `Logger`. Linux has no such log, and code cannot read messages back.
public struct SimulatedLogger: Sendable {
  /// Creates a logger for a subsystem and category.
  public init(subsystem: String, category: String) {}
  /// Creates a logger for an existing log.
  public init(_ log: SimulatedOSLog) {}
  /// Creates a logger for the default log.
  public init() {}

  /// Computes the message and discards it.
  public func log(_ message: SimulatedLogMessage) {}
  /// Computes the message and discards it.
  public func log(level: SimulatedLogType, _ message: SimulatedLogMessage) {}
  /// Computes the message and discards it.
  public func trace(_ message: SimulatedLogMessage) {}
  /// Computes the message and discards it.
  public func debug(_ message: SimulatedLogMessage) {}
  /// Computes the message and discards it.
  public func info(_ message: SimulatedLogMessage) {}
  /// Computes the message and discards it.
  public func notice(_ message: SimulatedLogMessage) {}
  /// Computes the message and discards it.
  public func warning(_ message: SimulatedLogMessage) {}
  /// Computes the message and discards it.
  public func error(_ message: SimulatedLogMessage) {}
  /// Computes the message and discards it.
  public func critical(_ message: SimulatedLogMessage) {}
  /// Computes the message and discards it.
  public func fault(_ message: SimulatedLogMessage) {}
}

/// A log that discards its messages. Replaces `OSLog`.
public final class SimulatedOSLog: NSObject, Sendable {
  /// Creates a log for a subsystem and category.
  public init(subsystem: String, category: String) {}
  private override init() {}
  /// The default log.
  public static let `default` = SimulatedOSLog()
  /// The disabled log.
  public static let disabled = SimulatedOSLog()
}

/// The importance of a message. Replaces `OSLogType`.
public struct SimulatedLogType: RawRepresentable, Hashable, Sendable {
  /// The number of the type on Apple's platforms.
  public let rawValue: UInt8
  /// Creates a type from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The type of most messages.
  public static let `default` = SimulatedLogType(rawValue: 0)
  /// The type of additional, helpful messages.
  public static let info = SimulatedLogType(rawValue: 1)
  /// The type of messages for debugging.
  public static let debug = SimulatedLogType(rawValue: 2)
  /// The type of errors in the app.
  public static let error = SimulatedLogType(rawValue: 16)
  /// The type of errors in the system.
  public static let fault = SimulatedLogType(rawValue: 17)
}

/// A log message. Interpolated values are computed, which may fire a fault.
public struct SimulatedLogMessage: ExpressibleByStringInterpolation {
  /// The readers who may see a value. The setting has no effect.
  public struct Privacy: Sendable {
    /// The representation of a hidden value, which has no effect.
    public enum Mask: Sendable {
      /// Shows a hash of the value.
      case hash
      /// Shows nothing of the value.
      case none
    }
    /// Shows the value to all readers.
    public static let `public` = Privacy()
    /// Shows the value only to the app.
    public static let `private` = Privacy()
    /// Hides the value from all readers.
    public static let sensitive = Privacy()
    /// Decides by the type of the value.
    public static let auto = Privacy()
    /// Shows the value only to the app, and a mask to other readers.
    public static func `private`(mask: Mask) -> Privacy { Privacy() }
    /// Decides by the type of the value, with a mask.
    public static func auto(mask: Mask) -> Privacy { Privacy() }
  }

  /// The alignment of a value in its column, which has no effect.
  public struct Alignment: Sendable {
    /// Aligns the value to the left of a column of this width.
    public static func left(columns: Int) -> Alignment { Alignment() }
    /// Aligns the value to the right of a column of this width.
    public static func right(columns: Int) -> Alignment { Alignment() }
    /// Leaves the value unaligned.
    public static let none = Alignment()
  }

  /// The format of a number, which has no effect.
  public struct Format: Sendable {
    /// Decimal digits.
    public static let decimal = Format()
    /// Hexadecimal digits.
    public static let hex = Format()
    /// A number with a decimal point.
    public static let fixed = Format()
    /// A number with the given number of digits after the decimal point.
    public static func fixed(precision: Int) -> Format { Format() }
    /// `true` or `false`.
    public static let truth = Format()
    /// `yes` or `no`.
    public static let answer = Format()
  }

  /// Evaluates interpolated values and discards them.
  public struct StringInterpolation: StringInterpolationProtocol {
    /// Creates an empty interpolation.
    public init(literalCapacity: Int, interpolationCount: Int) {}
    /// Discards literal text.
    public mutating func appendLiteral(_ literal: String) {}
    /// Discards a value.
    public mutating func appendInterpolation<Value>(
      _ value: Value, format: Format = .decimal, align: Alignment = .none,
      privacy: Privacy = .auto
    ) {}
  }

  /// Creates a message from text.
  public init(stringLiteral value: String) {}
  /// Creates a message from text with interpolated values.
  public init(stringInterpolation: StringInterpolation) {}
}

/// Computes the message and discards it. Replaces `os_log`.
public func simulatedOSLog(
  _ message: SimulatedLogMessage, log: SimulatedOSLog = .default,
  type: SimulatedLogType = .default, _ arguments: Any?...
) {}

/// Discards a message whose format is in a variable. Replaces `os_log`.
@_disfavoredOverload
public func simulatedOSLog(
  _ message: StaticString, log: SimulatedOSLog = .default,
  type: SimulatedLogType = .default, _ arguments: Any?...
) {}

/// Computes the message and discards it. Replaces the variant of `os_log` that begins with the
/// type.
public func simulatedOSLog(
  _ type: SimulatedLogType, log: SimulatedOSLog = .default, _ message: SimulatedLogMessage
) {}
