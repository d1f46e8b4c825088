// As Apple's module does: code that imports Core Data need not import Foundation.
@_exported public import Foundation

extension String {
  /// A text that code has translated: here one is what it says.
  public typealias LocalizationValue = String

  /// The text as code has it: nothing is translated.
  public init(
    localized text: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) { self = text }
}

extension NSObject {
  /// The class: what archives call it by.
  public class func classForCoder() -> AnyClass { self }
}

extension NSDate {
  /// What `NSDate()` becomes when a source is prepared: the time of the run.
  public convenience init(ofRun: Void) {
    self.init(
      timeIntervalSinceReferenceDate: SimulatedValues.date.timeIntervalSinceReferenceDate)
  }
}

extension NSUUID {
  /// What `NSUUID()` becomes when a source is prepared: one of the run.
  public convenience init(ofRun: Void) {
    let bytes = SimulatedValues.uuid.uuid
    unsafe self.init(uuidBytes: withUnsafeBytes(of: bytes) { unsafe Array($0) })
  }
}

// Foundation has these on Apple's platforms only.
extension URL {
  /// The folder of the user's caches.
  public static var cachesDirectory: URL { folder(.cachesDirectory) }
  /// The folder of the user's documents.
  public static var documentsDirectory: URL { folder(.documentDirectory) }
  /// The folder of the files that support the user's applications.
  public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory) }
  /// The folder of the user's library.
  public static var libraryDirectory: URL { folder(.libraryDirectory) }

  private static func folder(_ directory: FileManager.SearchPathDirectory) -> URL {
    SimulatedFiles.folders(directory, .userDomainMask, .default).first ?? homeDirectory
  }
}

extension UserDefaults {
  /// The value of a key, as `object(forKey:)` has it: what key-value coding answers.
  public func value(forKey key: String) -> Any? { object(forKey: key) }

  /// Sets the value of a key, as `set(_:forKey:)` does.
  public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}

// Objective-C's names of integers, which Swift code may use, too.
/// An integer.
public typealias NSInteger = Int
/// An integer that is not negative.
public typealias NSUInteger = UInt
