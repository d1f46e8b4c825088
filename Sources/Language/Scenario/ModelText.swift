package import ObjectModel

/// Parses and prints object models.
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
/// Printing a parsed model results in a canonical text without blank lines. Each entity lists its
/// properties, then its uniqueness constraints, then the actions of its hooks.
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

  /// Parses the lines of a model. Returns `nil` if there are errors other than errors of layout.
  static func parse(
    _ lines: ArraySlice<Line>, indentation: Int, _ errors: inout TextErrors
  ) -> ObjectModel? {
    var own = TextErrors()
    let declarations = ModelDeclarations(lines, indentation: indentation, &own)
    // An entity that could not be declared would cause further errors elsewhere.
    let isDeclared = own.areAboutLayout
    errors.add(contentsOf: own)
    if !isDeclared { return nil }
    return errors.collect { () throws(TextError) in
      var builder = try ModelBuilder(declarations)
      return try builder.model()
    }
  }

  /// Words that have another meaning in places where an entity can be named.
  static let reservedEntityNames =
    AttributeType.allCases.flatMap { [$0.word, $0.rawValue] } + ["abstract", "nil"]

  /// The hooks for which a model can declare actions.
  static let actionHooks = [Hook.awakeFromInsert, .awakeFromFetch, .willSave, .resolveConflicts]
}
