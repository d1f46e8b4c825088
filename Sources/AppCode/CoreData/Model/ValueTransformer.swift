public import Foundation

/// The name of a value transformer.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The name as a string.
  public let rawValue: String
  /// Creates a name from a string.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a name from a string.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The name of the transformer that archives values.
  public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName(
    "NSSecureUnarchiveFromData")
}

/// A type with an initializer that returns an existing object.
public protocol SimulatedReplacement {}

extension SimulatedReplacement {
  /// Returns the given object instead of a new one.
  init(replacement: any SimulatedReplacement) {
    guard let replacement = replacement as? Self else {
      misuse("\(replacement) is not a \(Self.self)")
    }
    self = replacement
  }
}

/// Transforms values for storage. The simulation keeps values untransformed, so stores call no
/// transformer, but code may.
open class ValueTransformer: NSObject, SimulatedReplacement {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var transformers: [NSValueTransformerName: ValueTransformer] =
    [:]

  /// Creates a transformer.
  public override init() {}

  /// Returns the registered transformer of this name, or nil if none is registered.
  public convenience init?(forName name: NSValueTransformerName) {
    let known = ValueTransformer.lock.withLock { unsafe ValueTransformer.transformers[name] }
    guard let known else { return nil }
    self.init(replacement: known)
  }

  /// Registers a transformer, or removes the registration if `transformer` is nil.
  open class func setValueTransformer(
    _ transformer: ValueTransformer?, forName name: NSValueTransformerName
  ) {
    lock.withLock { unsafe transformers[name] = transformer }
  }

  /// Returns the names of all registered transformers.
  open class func valueTransformerNames() -> [NSValueTransformerName] {
    lock.withLock { unsafe transformers.keys.sorted { $0.rawValue < $1.rawValue } }
  }

  /// Returns the class of transformed values.
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Returns whether transformed values can be transformed back.
  open class func allowsReverseTransformation() -> Bool { false }

  /// Returns the stored form of a value.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// Returns the value of a stored form.
  open func reverseTransformedValue(_ value: Any?) -> Any? { value }
}

/// A transformer that keeps values by archiving them. Its transformation turns data into an object,
/// and the reverse transformation turns an object into data.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes that the transformer accepts. They are the classes of property lists and those
  /// that a subclass adds.
  open class var allowedTopLevelClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
      NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]
  }

  open override class func allowsReverseTransformation() -> Bool { true }

  /// Returns the object in an archive, or nil if decoding fails. On Linux, Foundation stops the
  /// process if the object's class is not allowed.
  open override func transformedValue(_ value: Any?) -> Any? {
    (value as? Data).flatMap { data in
      try? NSKeyedUnarchiver.unarchivedObject(
        ofClasses: type(of: self).allowedTopLevelClasses, from: data)
    }
  }

  /// Returns the archive of an object, or nil if the object cannot be archived securely.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    value.flatMap {
      try? NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
    }
  }
}
