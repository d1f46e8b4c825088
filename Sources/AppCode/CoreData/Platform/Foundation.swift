// Like Apple's module, this module exports Foundation to code that imports only Core Data.
@_exported public import Foundation

extension String {
  /// A string to be localized. The simulation does not translate it.
  public typealias LocalizationValue = String

  /// Returns the string itself, because the simulation does not translate strings.
  public init(
    localized text: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) { self = text }
}

extension NSObject {
  /// Returns the class that archives record for the object.
  public class func classForCoder() -> AnyClass { self }
}

extension NSDate {
  /// Creates a date with the current time of the run. A prepared source uses this initializer for
  /// `NSDate()`.
  public convenience init(ofRun: Void) {
    self.init(
      timeIntervalSinceReferenceDate: SimulatedValues.date.timeIntervalSinceReferenceDate)
  }
}

extension NSUUID {
  /// Creates a UUID that the run generates. A prepared source uses this initializer for `NSUUID()`.
  public convenience init(ofRun: Void) {
    let bytes = SimulatedValues.uuid.uuid
    unsafe self.init(uuidBytes: withUnsafeBytes(of: bytes) { unsafe Array($0) })
  }
}

// Foundation declares these properties on Apple platforms only.
extension URL {
  /// The user's caches directory.
  public static var cachesDirectory: URL { folder(.cachesDirectory) }
  /// The user's documents directory.
  public static var documentsDirectory: URL { folder(.documentDirectory) }
  /// The user's application support directory.
  public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory) }
  /// The user's library directory.
  public static var libraryDirectory: URL { folder(.libraryDirectory) }

  private static func folder(_ directory: FileManager.SearchPathDirectory) -> URL {
    SimulatedFiles.folders(directory, .userDomainMask, .default).first ?? homeDirectory
  }
}

extension UserDefaults {
  /// Returns the value of a key by key-value coding, as `object(forKey:)` does.
  public func value(forKey key: String) -> Any? { object(forKey: key) }

  /// Sets the value of a key, as `set(_:forKey:)` does.
  public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}

// The integer types of Objective-C, which Swift code may also use.
/// A signed integer.
public typealias NSInteger = Int
/// An integer whose values are never negative.
public typealias NSUInteger = UInt
