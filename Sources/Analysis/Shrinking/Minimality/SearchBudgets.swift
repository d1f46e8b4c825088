/// The limits on searches for smaller programs, in transitions made and schedules tried. Cost is
/// counted, not timed.
package struct SearchBudgets: Sendable {
  /// The transitions of a search over the program's own steps.
  let ownSteps: Int
  /// The transitions of a search that adds common steps.
  let commonSteps: Int
  /// The transitions of a search on each stack with one more context or one fewer observer. The
  /// full budget is enough for programs of four or five steps.
  let anotherStack: Int
  /// The transitions of the last search on each canonical stack, for programs that no certificate
  /// covers.
  let canonicalStack: Int
  /// The schedules tried after each step to find the step from which all schedules fail.
  package let schedules: Int

  private init(dividingBy divisor: Int) {
    (ownSteps, commonSteps) = (50_000 / divisor, 40_000 / divisor)
    (anotherStack, canonicalStack) = (12_000 / divisor, 25_000 / divisor)
    schedules = 500 / divisor
  }

  /// The budgets for a failure that is shown in full, in a page, a file or a report.
  package static let full = SearchBudgets(dividingBy: 1)
  /// The budgets for a report that a person waits for.
  package static let brief = SearchBudgets(dividingBy: 4)
}
