package import ObjectModel

/// An object model as text, in both directions.
///
///     Note
///       title  string?
///       rating  integer16? min 1 max 5
///       folder  Folder? inverse notes
///       unique  title
///       awakeFromInsert  title = "untitled"
///     Folder
///       notes  Note* inverse folder cascade
///
/// Printing what was parsed gives one canonical text: no blank lines, each entity's properties
/// first, then what is unique, then what its hooks do.
package enum ModelText {
  package static func parse(_ text: String) throws(TextError) -> ObjectModel {
    var errors = TextErrors()
    let lines = lines(of: text, &errors)
    let model = errors.collect { () throws(TextError) in
      try parse(lines[...], indentation: 0)
    }
    try errors.throwIfAny()
    guard let model else { preconditionFailure("a model without errors has not been read") }
    return model
  }

  package static func print(_ model: ObjectModel) -> String {
    canonicalLines(of: model).map { $0 + "\n" }.joined()
  }

  static func parse(_ lines: ArraySlice<Line>, indentation: Int) throws(TextError) -> ObjectModel {
    let declarations = try ModelDeclarations(lines, indentation: indentation)
    var builder = try ModelBuilder(declarations)
    return try builder.model()
  }

  /// Words that mean something else where an entity could be named.
  static let reservedEntityNames =
    AttributeType.allCases.flatMap { [$0.word, $0.rawValue] } + ["abstract", "nil"]

  /// The hooks that actions may stand in.
  static let actionHooks = [Hook.awakeFromInsert, .awakeFromFetch, .willSave, .resolveConflicts]
}
