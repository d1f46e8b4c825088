package import Vocabulary

/// The words that steps begin with.
typealias Verb = Step.Kind

extension Step.Kind {
  /// More than a message could list.
  static let listing = "Scenarios/README.md lists the verbs"

  /// Names that no context can have: a line of a block could be read in two ways.
  package static let reservedContextNames =
    [
      "time", "store", "queue", "flag", "group", "ids", "coordinator", "controller", "entry",
      "observe", "promise", "nil",
    ]
    + allCases.map(\.word)

  /// All of them, as an error lists them.
  package static let reservedContextNamesText =
    "no context can be called \(reservedContextNames.sorted().joined(separator: ", "))"
}
