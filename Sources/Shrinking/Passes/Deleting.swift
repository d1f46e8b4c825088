import Execution
import PropertyTesting
import Vocabulary

/// Steps that go.
extension ProgramShrinker {
  /// A2. Runs of steps, from the end: late ones depend on early ones. What is inserted is left to
  /// `dropObjects`.
  mutating func deleteSteps() {
    var end = best.program.steps.count
    while end > 0, !shouldYield {
      let base = ProgramEdit(best)
      let count = largestCount(upTo: end) { count in
        var draft = base
        draft.lines.removeSubrange((end - count)..<end)
        return attempt(draft)
      }
      // A merge tells saves by their number.
      if count == 0, base.lines[end - 1].step.step == .save {
        attempt { $0.removeSave(at: end - 1) }
      }
      end -= count + 1
    }
    for path in ProgramEdit(best).paths.reversed()
    where path.indexes.count > 1 || path.list != .program {
      attempt(removing: path)
    }
  }

  /// Also where the best program has become shorter meanwhile.
  private mutating func attempt(removing path: ProgramEdit.Path) {
    guard !shouldYield, ProgramEdit(best).contains(path) else { return }
    attempt { $0.remove(path) }
  }

  /// A block is replaced by its steps, or by one of them, or waits instead of being enqueued.
  mutating func unwrapBlocks() {
    for path in ProgramEdit(best).paths.reversed() where !shouldYield {
      let draft = ProgramEdit(best)
      guard draft.contains(path), let block = draft[path].step.block else { continue }
      if attempt({ $0.replace(path, with: block) }) { continue }
      let context = draft[path].context
      // The end of a block is the end of an event; a save is one, too.
      if block.count == 1 {
        let save = AddressedStep(block[0].context, .save)
        if attempt({ $0.replace(path, with: block + [save]) }) { continue }
      }
      for waiting in [Step.performAndWait(block), .perform(block)] {
        if attempt({ $0.replace(path, with: [AddressedStep(context, waiting)]) }) { break }
      }
      // A step at either end of a block may also stand before or after it.
      guard let current = ProgramEdit(best)[path].step.block, current.count > 1 else { continue }
      let step = ProgramEdit(best)[path].step
      attempt {
        $0.replace(
          path,
          with: [current[0], AddressedStep(context, step.withBlock(Array(current.dropFirst())))])
      }
    }
  }
}
