// The values and the part of the application that storage layers use. Views are not simulated.
@_exported public import Foundation
@_exported public import PlatformValues

/// A color, which attributes can store.
public typealias UIColor = PlatformColor
/// An image, which attributes can store.
public typealias UIImage = PlatformImage
/// A font, which attributes can store.
public typealias UIFont = PlatformFont

extension PlatformColor {
  /// Writes the components to the variables that are not nil, and returns true.
  @discardableResult
  public func getRed(
    _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
    blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
  ) -> Bool {
    unsafe red?.pointee = redComponent
    unsafe green?.pointee = greenComponent
    unsafe blue?.pointee = blueComponent
    unsafe alpha?.pointee = alphaComponent
    return true
  }
}
