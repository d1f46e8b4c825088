// The values that storage layers keep. Views are not simulated.
@_exported public import Foundation
@_exported public import PlatformValues

/// A color.
public typealias NSColor = PlatformColor
/// An image.
public typealias NSImage = PlatformImage
/// A font.
public typealias NSFont = PlatformFont
