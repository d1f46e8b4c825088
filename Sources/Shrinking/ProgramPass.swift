/// The sweeps of a program shrinker, in the order in which they run.
///
/// The law of a pass is that of `ShrinkPass`: what it tries depends on the best program alone; it
/// does not repeat itself until nothing is left; it goes on after a success where it stood; and it
/// tries the boldest edit first.
package enum ProgramPass: Int, CaseIterable, Sendable {
  /// Steps after the failing one, steps that had no effect, and steps that the proof of the failure
  /// does not mention.
  case truncate
  case simplifySettings
  /// The schedule in which no lane overtakes another.
  case zeroSchedule
  /// An object, context or other part, with all that depends on it.
  case dropObjects
  case dropContexts
  case dropParts
  case deleteSteps
  /// Blocks lose steps, or are replaced by their steps.
  case unwrapBlocks
  /// One object, or context, takes the place of another.
  case mergeObjects
  /// Objects of an entity that may be related to itself, one in the place of two if that will do.
  case relateToItself
  case mergeContexts
  case reparentContexts
  /// A step by a simpler one about the same.
  case weakenSteps
  /// Likewise, at a later place.
  case postponeSteps
  /// Contexts, properties, values, requests.
  case simplifyArguments
  /// Objects of the first entity that will do.
  case simplifyEntities
  case zeroPartOfSchedule
  case dropPreemptions
  case movePreemptions
  case sortSteps
  case arrangeContexts
  /// Two contexts change roles from some step on.
  case swapRoles
  /// An object belongs to the parent from the start.
  case insertAbove
  /// A context for itself and its child, and a save in the place of a step.
  case mergeAndSave
  /// One context for two, and a step less.
  case mergeAndDelete
  /// Another step in the place of one, and another less.
  case replaceAndDelete

  /// The passes that leave out steps and parts: as far as a diagnosis needs a program shrunk.
  package static let structural: [ProgramPass] = [
    .truncate, .simplifySettings, .zeroSchedule, .dropObjects, .dropContexts, .dropParts,
    .deleteSteps, .unwrapBlocks, .mergeObjects,
  ]

  /// Tries pairs of places, so it is worth running only when nothing cheaper helps. `mergeAndSave`
  /// tries pairs and is not left for later: what it comes to is on a stack that no certificate
  /// looks at.
  package var isThorough: Bool { rawValue >= ProgramPass.mergeAndDelete.rawValue }
}

/// What shrinking cost, in runs of a program.
package struct ProgramShrinkStatistics: Hashable, Sendable {
  package struct PassCount: Hashable, Sendable {
    package var pass: ProgramPass
    package var tries = 0
    package var successes = 0

    package init(pass: ProgramPass) { self.pass = pass }
  }

  /// All runs, the first, which only confirms the failure, included.
  package var executions = 0
  /// Runs until the result was found; those after it only showed that nothing simpler is near.
  package var executionsToBest = 0
  /// Edits that made the program smaller.
  package var successes = 0
  /// The steps of the programs that were edited, those of edits that could not be run included.
  package var editedStepCount = 0
  /// Whether an edit was left untried because the budget was spent.
  package var isCutShort = false
  /// One for every pass, in the order of `ProgramPass`.
  package var passes = ProgramPass.allCases.map { PassCount(pass: $0) }
}
