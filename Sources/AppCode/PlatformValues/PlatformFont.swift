public import Foundation

/// A font with a name and a size, used as `UIFont` and `NSFont`. It is never drawn.
open class PlatformFont: NSObject, NSSecureCoding, @unchecked Sendable {
  /// The name of the font.
  public let fontName: String
  /// The size in points.
  public let pointSize: CGFloat

  /// Creates a font. Every name is accepted.
  public required init?(name: String, size: CGFloat) { (fontName, pointSize) = (name, size) }

  private init(named name: String, _ size: CGFloat) { (fontName, pointSize) = (name, size) }

  /// Returns the system font in the given size.
  public static func systemFont(ofSize size: CGFloat) -> PlatformFont {
    PlatformFont(named: ".SystemFont", size)
  }

  /// Returns the bold system font in the given size.
  public static func boldSystemFont(ofSize size: CGFloat) -> PlatformFont {
    PlatformFont(named: ".SystemFont-Bold", size)
  }

  /// Returns the font in another size.
  public func withSize(_ size: CGFloat) -> PlatformFont { PlatformFont(named: fontName, size) }

  /// Returns a Boolean value that indicates whether two fonts have the same name and size.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? PlatformFont else { return false }
    return other.fontName == fontName && other.pointSize == pointSize
  }

  /// The hash of name and size.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(fontName)
    hasher.combine(pointSize)
    return hasher.finalize()
  }

  /// Fonts can be archived securely.
  public static var supportsSecureCoding: Bool { true }

  /// Encodes the name and the size.
  public func encode(with coder: NSCoder) {
    coder.encode(fontName as NSString, forKey: "name")
    coder.encode(Double(pointSize), forKey: "size")
  }

  /// Creates a font from the values that `encode(with:)` wrote.
  public required convenience init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
    self.init(name: name as String, size: CGFloat(coder.decodeDouble(forKey: "size")))
  }
}
