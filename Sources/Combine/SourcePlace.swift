/// A place in the source: the name of a block in a report.
public struct SourcePlace: Hashable, Sendable {
  /// The module and the file: `NotesApp/NotesModel.swift`.
  public let file: String
  /// The line, from 1.
  public let line: Int

  /// A place.
  public init(file: String = #fileID, line: Int = #line) { (self.file, self.line) = (file, line) }
}

/// A part of a chain that knows for which closure of the app it works.
protocol Placed {
  /// The place of the subscriber's closure; nil if the subscriber is none of this module.
  var place: SourcePlace? { get }
}

extension SourcePlace {
  /// Where the values that a subscriber receives end up.
  static func of(_ subscriber: some Subscriber) -> SourcePlace? {
    (subscriber as? any Placed)?.place
  }
}
