public import Foundation

// Apple's type is a string of Objective-C: it can be compared, and be an option of a store.
// Foundation's structure on Linux has neither conformance.
extension FileProtectionType: @retroactive Hashable {}

extension FileProtectionType: @retroactive _ObjectiveCBridgeable {
  /// The string as an object.
  public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

  /// From the string as an object.
  public static func _forceBridgeFromObjectiveC(
    _ source: NSString, result: inout FileProtectionType?
  ) {
    result = FileProtectionType(rawValue: String(describing: source))
  }

  /// From the string as an object, which always succeeds.
  @discardableResult
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSString, result: inout FileProtectionType?
  ) -> Bool {
    _forceBridgeFromObjectiveC(source, result: &result)
    return true
  }

  /// From the string as an object; no protection without one.
  public static func _unconditionallyBridgeFromObjectiveC(
    _ source: NSString?
  ) -> FileProtectionType {
    source.map { FileProtectionType(rawValue: String(describing: $0)) } ?? .none
  }
}
