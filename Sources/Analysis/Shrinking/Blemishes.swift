import Execution
import Failures
import Vocabulary

/// Flaws that make a program a worse example, regardless of its size. An edit may not add any.
struct Blemishes {
  /// The number of names that steps use and no step inserts. A step with such a name cannot be read
  /// back.
  let strayNameCount: Int
  /// The number of insertions under a name that is already taken. A reader would take the two
  /// objects for one.
  let repeatedInsertCount: Int
  let emptyBlockCount: Int
  let unleftEntryCount: Int
  /// The number of edits that repeat a value or set the default value. 0 if the failure concerns
  /// equal values.
  let repeatedValueCount: Int
  let isIllTyped: Bool
  /// The number of steps that the design reserves for its own parts. 0 without a design.
  let trespassCount: Int
  /// The number of steps in contexts that the design makes for one piece of work and the program
  /// does not finish.
  let unfinishedCount: Int

  /// Counts the blemishes of a program.
  ///
  /// - Complexity: One walk over the program for each property.
  init(of program: Program, in design: Stack?, for target: FailureSignature) {
    strayNameCount = program.strayNames.count
    repeatedInsertCount = program.repeatedInsertCount
    emptyBlockCount = program.emptyBlockCount
    unleftEntryCount = program.unleftEntryCount
    repeatedValueCount = target.isAboutEqualValues ? 0 : program.repeatedValueCount
    isIllTyped = !program.isWellTyped
    trespassCount = design.map { program.stack.trespassCount(of: program, in: $0) } ?? 0
    unfinishedCount = design.map { program.stack.unfinishedCount(program.steps, in: $0) } ?? 0
  }

  func areWithin(_ others: Blemishes) -> Bool {
    strayNameCount <= others.strayNameCount && repeatedInsertCount <= others.repeatedInsertCount
      && emptyBlockCount <= others.emptyBlockCount
      && unleftEntryCount <= others.unleftEntryCount
      && repeatedValueCount <= others.repeatedValueCount
      && (!isIllTyped || others.isIllTyped) && trespassCount <= others.trespassCount
      && unfinishedCount <= others.unfinishedCount
  }
}

extension Program {
  /// A hash that distinguishes programs on one model.
  var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(steps)
    hasher.combine(stack)
    hasher.combine(schedule)
    hasher.combine(isInterleaved)
    return hasher.finalize()
  }
}
