import Execution
import Failures
import Vocabulary

/// What makes a program a worse example, whatever its size. An edit may not add to it.
struct Blemishes {
  /// Names that no step inserts: a step about such an object could not be read back.
  let strayNameCount: Int
  /// Insertions under a name that is taken: a reader takes the two objects for one.
  let repeatedInsertCount: Int
  let emptyBlockCount: Int
  let unleftEntryCount: Int
  /// Edits that give a property a value that it had, or that another edit gives it; 0 where equal
  /// values are what the failure is about.
  let repeatedValueCount: Int
  let isIllTyped: Bool
  /// Steps that the design leaves to its own parts; 0 without a design.
  let trespassCount: Int
  /// Steps in contexts made for one piece of work that the program does not finish.
  let unfinishedCount: Int

  /// - Complexity: A walk over the program for each property.
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
  /// Tells programs on one model apart.
  var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(steps)
    hasher.combine(stack)
    hasher.combine(schedule)
    hasher.combine(isInterleaved)
    return hasher.finalize()
  }
}
