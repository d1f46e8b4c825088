public import Foundation

/// A coordinator of file access by several processes. A run is a single process, so each accessor
/// is called immediately on the calling thread.
open class NSFileCoordinator: NSObject {
  /// The options for reading a file, which have no effect.
  public struct ReadingOptions: OptionSet, Sendable {
    /// The bits of the option set.
    public let rawValue: UInt
    /// Creates an option set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Reads the file without asking other processes to save their changes.
    public static let withoutChanges = ReadingOptions(rawValue: 1)
    /// Resolves a symbolic link before reading the file.
    public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
    /// Reads only metadata that is available immediately.
    public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
    /// Reads the file for an upload.
    public static let forUploading = ReadingOptions(rawValue: 8)
  }

  /// The options for writing a file, which have no effect.
  public struct WritingOptions: OptionSet, Sendable {
    /// The bits of the option set.
    public let rawValue: UInt
    /// Creates an option set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Deletes the file.
    public static let forDeleting = WritingOptions(rawValue: 1)
    /// Moves the file.
    public static let forMoving = WritingOptions(rawValue: 2)
    /// Writes the file after other processes have saved their changes.
    public static let forMerging = WritingOptions(rawValue: 4)
    /// Replaces the file.
    public static let forReplacing = WritingOptions(rawValue: 8)
    /// Changes only metadata of the file.
    public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)
  }

  /// Creates a coordinator. The presenter has no effect, because no other process changes the file.
  public init(filePresenter: AnyObject? = nil) {}

  /// Coordinates reading a file. Calls `accessor` with the URL and never sets the error.
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

  /// Has no effect, because accessors are never pending.
  open func cancel() {}
}
