package import Vocabulary

/// The first words of steps.
typealias Verb = Step.Kind

extension Step.Kind {
  /// A reference for error messages, which cannot list all verbs.
  static let listing = "Scenarios/README.md lists the verbs"

  /// Names that no context can have, because lines of a block would be ambiguous.
  package static let reservedContextNames =
    [
      "time", "store", "queue", "flag", "group", "ids", "coordinator", "controller", "entry",
      "observe", "promise", "nil",
    ]
    + allCases.map(\.word)

  /// The reserved names as a list for error messages.
  package static let reservedContextNamesText =
    "no context can be called \(reservedContextNames.sorted().joined(separator: ", "))"
}
