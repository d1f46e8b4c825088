public import Foundation

/// A color with four components, used as `UIColor` and `NSColor`. It is never drawn.
///
/// Transformable attributes store colors, so colors are compared by their components and can be
/// archived.
open class PlatformColor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The components, each from 0 to 1.
  public let redComponent, greenComponent, blueComponent, alphaComponent: CGFloat

  /// Creates a color from its components, each from 0 to 1.
  public required init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    (redComponent, greenComponent, blueComponent, alphaComponent) = (red, green, blue, alpha)
  }

  /// Creates a shade of gray.
  public convenience init(white: CGFloat, alpha: CGFloat) {
    self.init(red: white, green: white, blue: white, alpha: alpha)
  }

  /// Returns the color with another opacity.
  public func withAlphaComponent(_ alpha: CGFloat) -> Self {
    type(of: self).init(
      red: redComponent, green: greenComponent, blue: blueComponent, alpha: alpha)
  }

  // MARK: Comparing

  private var components: [CGFloat] {
    [redComponent, greenComponent, blueComponent, alphaComponent]
  }

  /// Returns a Boolean value that indicates whether two colors have the same components.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? PlatformColor)?.components == components
  }

  /// The hash of the components.
  open override var hash: Int { components.hashValue }

  /// The color itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Archiving

  /// Colors can be archived securely.
  public static var supportsSecureCoding: Bool { true }

  /// Encodes the components.
  public func encode(with coder: NSCoder) {
    for (key, value) in zip(PlatformColor.keys, components) {
      coder.encode(Double(value), forKey: key)
    }
  }

  /// Creates a color from the components that `encode(with:)` wrote.
  public required convenience init?(coder: NSCoder) {
    let values = PlatformColor.keys.map { CGFloat(coder.decodeDouble(forKey: $0)) }
    self.init(red: values[0], green: values[1], blue: values[2], alpha: values[3])
  }

  private static let keys = ["red", "green", "blue", "alpha"]
}

extension PlatformColor {
  private static func make(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat) -> Self {
    Self(red: red, green: green, blue: blue, alpha: 1)
  }

  /// The color with components 0, 0, 0.
  public static var black: Self { make(0, 0, 0) }
  /// The color with components 1, 1, 1.
  public static var white: Self { make(1, 1, 1) }
  /// The color with components 0.5, 0.5, 0.5.
  public static var gray: Self { make(0.5, 0.5, 0.5) }
  /// The color with components 1, 0, 0.
  public static var red: Self { make(1, 0, 0) }
  /// The color with components 0, 1, 0.
  public static var green: Self { make(0, 1, 0) }
  /// The color with components 0, 0, 1.
  public static var blue: Self { make(0, 0, 1) }
  /// The color with components 0, 1, 1.
  public static var cyan: Self { make(0, 1, 1) }
  /// The color with components 1, 1, 0.
  public static var yellow: Self { make(1, 1, 0) }
  /// The color with components 1, 0, 1.
  public static var magenta: Self { make(1, 0, 1) }
  /// The color with components 1, 0.5, 0.
  public static var orange: Self { make(1, 0.5, 0) }
  /// The color with components 0.5, 0, 0.5.
  public static var purple: Self { make(0.5, 0, 0.5) }
  /// The color with components 0.6, 0.4, 0.2.
  public static var brown: Self { make(0.6, 0.4, 0.2) }
  /// Black with an alpha component of 0.
  public static var clear: Self { Self(red: 0, green: 0, blue: 0, alpha: 0) }
}
