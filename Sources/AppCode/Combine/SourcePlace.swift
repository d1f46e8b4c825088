/// A place in the source, which names a block in reports.
public struct SourcePlace: Hashable, Sendable {
  /// The module and the file, such as `NotesApp/NotesModel.swift`.
  public let file: String
  /// The line, counted from 1.
  public let line: Int

  /// Creates a place.
  public init(file: String = #fileID, line: Int = #line) { (self.file, self.line) = (file, line) }
}

/// A part of a subscriber chain that knows the app's closure at the end of the chain.
protocol Placed {
  /// The place of the subscriber's closure, or nil if the final subscriber is not from this module.
  var place: SourcePlace? { get }
}

extension SourcePlace {
  /// Returns the place of the closure that receives the subscriber's values.
  static func of(_ subscriber: some Subscriber) -> SourcePlace? {
    (subscriber as? any Placed)?.place
  }
}
