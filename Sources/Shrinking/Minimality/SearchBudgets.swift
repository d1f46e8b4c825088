/// The cost that searches for smaller programs may have, in steps taken and schedules tried. It is
/// counted, not timed.
package struct SearchBudgets: Sendable {
  /// Steps of a search over the program's own steps.
  let ownSteps: Int
  /// Steps of a search over common steps besides.
  let commonSteps: Int
  /// Steps of a search on each stack with one context more or one observer less. The full budget is
  /// enough for programs of four or five steps.
  let anotherStack: Int
  /// Steps of the last search on each canonical stack, for programs that no certificate covers.
  let canonicalStack: Int
  /// Schedules that are tried after each step, to find the step from which all schedules fail.
  package let schedules: Int

  private init(dividingBy divisor: Int) {
    (ownSteps, commonSteps) = (50_000 / divisor, 40_000 / divisor)
    (anotherStack, canonicalStack) = (12_000 / divisor, 25_000 / divisor)
    schedules = 500 / divisor
  }

  /// For a failure that is looked at closely: a page, a file, a report in full.
  package static let full = SearchBudgets(dividingBy: 1)
  /// For the report that a person waits for.
  package static let brief = SearchBudgets(dividingBy: 4)
}
