/// The passes of a program shrinker, in the order in which they run.
///
/// Every pass follows the rules of `ShrinkPass`. A pass tries the boldest edit first, makes a
/// single sweep, and continues at the same position after a success. Its edits depend on the best
/// program alone.
package enum ProgramPass: Int, CaseIterable, Sendable {
  /// Removes steps after the failing step, steps without effect, and steps that the proof of the
  /// failure does not mention.
  case truncate
  case simplifySettings
  /// Tries the schedule in which no lane overtakes another.
  case zeroSchedule
  /// Removes an object with every step that depends on it. The next two passes do the same for
  /// contexts and other parts.
  case dropObjects
  case dropContexts
  case dropParts
  case deleteSteps
  /// Removes steps from blocks, or replaces blocks with their steps.
  case unwrapBlocks
  /// Replaces an object with another object. `mergeContexts` does the same for contexts.
  case mergeObjects
  /// Uses objects of an entity with a relationship to itself, and a single object instead of two if
  /// possible.
  case relateToItself
  case mergeContexts
  case reparentContexts
  /// Replaces a step with a simpler step about the same object or context.
  case weakenSteps
  /// Replaces a step with a simpler step at a later position.
  case postponeSteps
  /// Simplifies contexts, properties, values and requests.
  case simplifyArguments
  /// Uses objects of the first suitable entity.
  case simplifyEntities
  case zeroPartOfSchedule
  case dropPreemptions
  case movePreemptions
  case sortSteps
  case arrangeContexts
  /// Exchanges the roles of two contexts from some step on.
  case swapRoles
  /// Inserts an object in the parent context from the start.
  case insertAbove
  /// Merges a context with its child, and replaces a step with a save.
  case mergeAndSave
  /// Merges two contexts and deletes a step.
  case mergeAndDelete
  /// Replaces a step and deletes another.
  case replaceAndDelete

  /// The passes that remove steps and parts, which are enough for a diagnosis.
  package static let structural: [ProgramPass] = [
    .truncate, .simplifySettings, .zeroSchedule, .dropObjects, .dropContexts, .dropParts,
    .deleteSteps, .unwrapBlocks, .mergeObjects,
  ]

  /// A Boolean value that indicates whether the pass tries pairs of positions. Such a pass is
  /// expensive and runs only when no cheaper pass makes progress.
  ///
  /// `mergeAndSave` also tries pairs, but runs early, because no certificate covers the stack of
  /// its result.
  package var isThorough: Bool { rawValue >= ProgramPass.mergeAndDelete.rawValue }
}

/// The cost of shrinking, in runs of a program.
package struct ProgramShrinkStatistics: Hashable, Sendable {
  package struct PassCount: Hashable, Sendable {
    package var pass: ProgramPass
    package var tries = 0
    package var successes = 0

    package init(pass: ProgramPass) { self.pass = pass }
  }

  /// The number of runs, including the first, which only confirms the failure.
  package var executions = 0
  /// The number of runs until the result was found. Later runs only showed that no edit makes it
  /// smaller.
  package var executionsToBest = 0
  /// The number of edits that made the program smaller.
  package var successes = 0
  /// The total number of steps of the edited programs, including programs that could not be run.
  package var editedStepCount = 0
  /// A Boolean value that indicates whether an edit was not tried because the budget was spent.
  package var isCutShort = false
  /// The counts of each pass, in the order of `ProgramPass`.
  package var passes = ProgramPass.allCases.map { PassCount(pass: $0) }
}
