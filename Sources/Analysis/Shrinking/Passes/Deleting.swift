import Execution
import PropertyTesting
import Vocabulary

extension ProgramShrinker {
  /// Deletes runs of steps, and then single steps in blocks and in the stack (A2).
  ///
  /// The pass starts at the end, because later steps depend on earlier steps. Deleting objects is
  /// left to `dropObjects`.
  mutating func deleteSteps() {
    var end = best.program.steps.count
    while end > 0, !shouldYield {
      let base = ProgramEdit(best)
      let count = largestCount(upTo: end) { count in
        var draft = base
        draft.lines.removeSubrange((end - count)..<end)
        return attempt(draft)
      }
      // Merges identify saves by number, so deleting a save requires renumbering.
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

  /// Removes the step at `path`, unless the best program has meanwhile lost it.
  private mutating func attempt(removing path: ProgramEdit.Path) {
    guard !shouldYield, ProgramEdit(best).contains(path) else { return }
    attempt { $0.remove(path) }
  }

  /// Replaces a block with its steps, submits it in a simpler way, or moves its first step out of
  /// it.
  mutating func unwrapBlocks() {
    for path in ProgramEdit(best).paths.reversed() where !shouldYield {
      let draft = ProgramEdit(best)
      guard draft.contains(path), let block = draft[path].step.block else { continue }
      if attempt({ $0.replace(path, with: block) }) { continue }
      let context = draft[path].context
      // A block ends an event, and so does a save.
      if block.count == 1 {
        let save = AddressedStep(block[0].context, .save)
        if attempt({ $0.replace(path, with: block + [save]) }) { continue }
      }
      for waiting in [Step.performAndWait(block), .perform(block)] {
        if attempt({ $0.replace(path, with: [AddressedStep(context, waiting)]) }) { break }
      }
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
