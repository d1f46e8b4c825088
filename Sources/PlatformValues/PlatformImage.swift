public import Foundation

/// An image as the data that it was made of: `UIImage` and `NSImage`. Nothing is decoded or drawn.
open class PlatformImage: NSObject, NSSecureCoding, @unchecked Sendable {
  /// The data of the image.
  public let data: Data
  /// The size in points; zero for an image that was made of data alone.
  public let size: CGSize

  /// Makes an image of encoded data; nil of none. The data is not looked at.
  public required init?(data: Data) {
    guard !data.isEmpty else { return nil }
    (self.data, size) = (data, .zero)
  }

  /// Makes an image without data.
  public override required init() { (data, size) = (Data(), .zero) }

  /// The data that the image was made of; nil for an image without data. Nothing is encoded anew.
  public func pngData() -> Data? { data.isEmpty ? nil : data }

  /// The data that the image was made of; nil for an image without data. Nothing is compressed.
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

  /// Archives the data.
  public func encode(with coder: NSCoder) { coder.encode(data as NSData, forKey: "data") }

  /// Reads what `encode` has written.
  public required convenience init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "data") else { return nil }
    self.init(data: data as Data)
  }
}
