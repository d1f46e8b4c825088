// The values and the part of the application that storage layers use. Views are not simulated.
@_exported public import Foundation
@_exported public import PlatformValues

/// A color.
public typealias UIColor = PlatformColor
/// An image.
public typealias UIImage = PlatformImage
/// A font.
public typealias UIFont = PlatformFont

extension PlatformColor {
  /// Writes the components to those variables that are given, and returns true.
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
