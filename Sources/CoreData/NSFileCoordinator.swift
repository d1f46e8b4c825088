public import Foundation

/// Coordinates what processes do with a file. A run is one process, so that each accessor is called
/// at once, on the calling thread.
open class NSFileCoordinator: NSObject {
  /// How a file is read; of no effect.
  public struct ReadingOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// From bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Without having others save their changes.
    public static let withoutChanges = ReadingOptions(rawValue: 1)
    /// The link itself.
    public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
    /// Attributes alone.
    public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
    /// To be uploaded.
    public static let forUploading = ReadingOptions(rawValue: 8)
  }

  /// How a file is written; of no effect.
  public struct WritingOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// From bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// It will be deleted.
    public static let forDeleting = WritingOptions(rawValue: 1)
    /// It will be moved.
    public static let forMoving = WritingOptions(rawValue: 2)
    /// Others save their changes before.
    public static let forMerging = WritingOptions(rawValue: 4)
    /// It will be replaced.
    public static let forReplacing = WritingOptions(rawValue: 8)
    /// Its attributes alone.
    public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)
  }

  /// A coordinator. The presenter is of no effect: nothing else changes the file.
  public init(filePresenter: AnyObject? = nil) {}

  /// Calls `accessor` with the URL. The error is never set.
  open func coordinate(
    readingItemAt url: URL, options: ReadingOptions = [], error: UnsafeMutablePointer<NSError?>?,
    byAccessor accessor: (URL) -> Void
  ) { accessor(url) }

  /// Coordinates writing a file.
  open func coordinate(
    writingItemAt url: URL, options: WritingOptions = [], error: UnsafeMutablePointer<NSError?>?,
    byAccessor accessor: (URL) -> Void
  ) { accessor(url) }

  /// Coordinates reading one file and writing another.
  open func coordinate(
    readingItemAt readingURL: URL, options readingOptions: ReadingOptions = [],
    writingItemAt writingURL: URL, options writingOptions: WritingOptions = [],
    error: UnsafeMutablePointer<NSError?>?, byAccessor accessor: (URL, URL) -> Void
  ) { accessor(readingURL, writingURL) }

  /// Coordinates writing two files.
  open func coordinate(
    writingItemAt firstURL: URL, options firstOptions: WritingOptions = [],
    writingItemAt secondURL: URL, options secondOptions: WritingOptions = [],
    error: UnsafeMutablePointer<NSError?>?, byAccessor accessor: (URL, URL) -> Void
  ) { accessor(firstURL, secondURL) }

  /// Has no effect: an accessor has ended before anything else goes on.
  open func cancel() {}
}
