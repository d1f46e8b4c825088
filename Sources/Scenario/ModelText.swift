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
    let model = parse(lines[...], indentation: 0, &errors)
    try errors.throwIfAny()
    guard let model else { preconditionFailure("a model without errors has not been read") }
    return model
  }

  package static func print(_ model: ObjectModel) -> String {
    canonicalLines(of: model).map { $0 + "\n" }.joined()
  }

  /// Nil if more than the layout of its lines is wrong.
  static func parse(
    _ lines: ArraySlice<Line>, indentation: Int, _ errors: inout TextErrors
  ) -> ObjectModel? {
    var own = TextErrors()
    let declarations = ModelDeclarations(lines, indentation: indentation, &own)
    // What could not be declared would be missed elsewhere.
    let isDeclared = own.areAboutLayout
    errors.add(contentsOf: own)
    if !isDeclared { return nil }
    return errors.collect { () throws(TextError) in
      var builder = try ModelBuilder(declarations)
      return try builder.model()
    }
  }

  /// Words that mean something else where an entity could be named.
  static let reservedEntityNames =
    AttributeType.allCases.flatMap { [$0.word, $0.rawValue] } + ["abstract", "nil"]

  /// The hooks that actions may stand in.
  static let actionHooks = [Hook.awakeFromInsert, .awakeFromFetch, .willSave, .resolveConflicts]
}
