public import Foundation

/// An image that consists of its encoded data, used as `UIImage` and `NSImage`. It is never decoded
/// or drawn.
open class PlatformImage: NSObject, NSSecureCoding, @unchecked Sendable {
  /// The data of the image.
  public let data: Data
  /// The size in points, which is always zero because the data is not decoded.
  public let size: CGSize

  /// Creates an image from encoded data, without decoding it. Returns nil if the data is empty.
  public required init?(data: Data) {
    guard !data.isEmpty else { return nil }
    (self.data, size) = (data, .zero)
  }

  /// Creates an image without data.
  public override required init() { (data, size) = (Data(), .zero) }

  /// Returns the original data, which is not encoded again. Returns nil for an image without data.
  public func pngData() -> Data? { data.isEmpty ? nil : data }

  /// Returns the original data, which is not compressed. Returns nil for an image without data.
  public func jpegData(compressionQuality: CGFloat) -> Data? { pngData() }

  /// Returns a Boolean value that indicates whether two images have the same data. An image without
  /// data equals only itself.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? PlatformImage else { return false }
    return other === self || (!data.isEmpty && other.data == data)
  }

  /// The hash of the data.
  open override var hash: Int { data.hashValue }

  /// Images can be archived securely.
  public static var supportsSecureCoding: Bool { true }

  /// Encodes the data.
  public func encode(with coder: NSCoder) { coder.encode(data as NSData, forKey: "data") }

  /// Creates an image from the data that `encode(with:)` wrote.
  public required convenience init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "data") else { return nil }
    self.init(data: data as Data)
  }
}
