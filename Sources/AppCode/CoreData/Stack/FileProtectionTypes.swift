public import Foundation

// Apple's type is an Objective-C string, which can be compared and used as a store option. The
// structure in Foundation on Linux has neither conformance.
extension FileProtectionType: @retroactive Hashable {}

extension FileProtectionType: @retroactive _ObjectiveCBridgeable {
  /// Returns the raw value as an object.
  public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

  /// Creates a value from a bridged string.
  public static func _forceBridgeFromObjectiveC(
    _ source: NSString, result: inout FileProtectionType?
  ) {
    result = FileProtectionType(rawValue: String(describing: source))
  }

  /// Creates a value from a bridged string. Always succeeds.
  @discardableResult
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSString, result: inout FileProtectionType?
  ) -> Bool {
    _forceBridgeFromObjectiveC(source, result: &result)
    return true
  }

  /// Creates a value from a bridged string, or `none` from `nil`.
  public static func _unconditionallyBridgeFromObjectiveC(
    _ source: NSString?
  ) -> FileProtectionType {
    source.map { FileProtectionType(rawValue: String(describing: $0)) } ?? .none
  }
}
