public import Foundation

/// The name of a value transformer.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The transformer that keeps values by archiving them.
  public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName(
    "NSSecureUnarchiveFromData")
}

/// What is made by another name of an object that is there.
public protocol SimulatedReplacement {}

extension SimulatedReplacement {
  /// Is that object.
  init(replacement: any SimulatedReplacement) {
    guard let replacement = replacement as? Self else {
      misuse("\(replacement) is no \(Self.self)")
    }
    self = replacement
  }
}

/// How a transformable value is stored. The simulation keeps values as they are, so no store asks a
/// transformer; code may.
open class ValueTransformer: NSObject, SimulatedReplacement {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var transformers: [NSValueTransformerName: ValueTransformer] =
    [:]

  /// A transformer.
  public override init() {}

  /// The transformer of this name; nil if there is none.
  public convenience init?(forName name: NSValueTransformerName) {
    let known = ValueTransformer.lock.withLock { unsafe ValueTransformer.transformers[name] }
    guard let known else { return nil }
    self.init(replacement: known)
  }

  /// Registers a transformer.
  open class func setValueTransformer(
    _ transformer: ValueTransformer?, forName name: NSValueTransformerName
  ) {
    lock.withLock { unsafe transformers[name] = transformer }
  }

  /// The names of all that are registered.
  open class func valueTransformerNames() -> [NSValueTransformerName] {
    lock.withLock { unsafe transformers.keys.sorted { $0.rawValue < $1.rawValue } }
  }

  /// The class of what it makes.
  open class func transformedValueClass() -> AnyClass { NSObject.self }

  /// Whether it can be undone.
  open class func allowsReverseTransformation() -> Bool { false }

  /// What is stored of a value.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// The value of what is stored.
  open func reverseTransformedValue(_ value: Any?) -> Any? { value }
}

/// A transformer that keeps values by archiving them: what it makes of data is an object, and the
/// other way round data.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The classes that it takes: those of property lists, and what a subclass adds.
  open class var allowedTopLevelClasses: [AnyClass] {
    [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
      NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]
  }

  open override class func allowsReverseTransformation() -> Bool { true }

  /// The object in an archive; nil if there is none. Foundation stops the process on Linux for one
  /// of a class that is not allowed.
  open override func transformedValue(_ value: Any?) -> Any? {
    (value as? Data).flatMap { data in
      try? NSKeyedUnarchiver.unarchivedObject(
        ofClasses: type(of: self).allowedTopLevelClasses, from: data)
    }
  }

  /// The archive of an object; nil if it cannot be archived securely.
  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    value.flatMap {
      try? NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true)
    }
  }
}
