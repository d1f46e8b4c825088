import Execution
import Vocabulary

/// Steps that the proof of the failure does not mention go first, all at once.
extension ProgramShrinker {
  /// A1. The narrowest slice that still shows the failure stays. If none does, the steps after the
  /// failing one go, then steps that had no effect. Unless the narrowest slice does, halves of the
  /// steps outside it go then, from the end.
  mutating func truncate() {
    let slice =
      best.program.steps.count > ProgramShrinker.shortest ? ProofSlice(of: best, target) : nil
    let width = slice.flatMap { slice in
      ProofSlice.Width.allCases.first { keep(slice.steps($0)) }
    }
    if width == nil, let last = best.failingStep, last + 1 < best.program.steps.count {
      attempt { $0.lines.removeSubrange((last + 1)...) }
    }
    removeWastedSteps()
    if width == .edits { return }
    guard slice != nil, let rest = ProofSlice(of: best, target)?.steps(.edits) else { return }
    let outside = rest.indices.filter { rest[$0] == nil }
    remove(outside[...], downTo: max(3, outside.count / 8))
  }

  private mutating func keep(_ steps: [AddressedStep?]) -> Bool {
    attempt { draft in
      draft.lines = zip(steps, draft.lines).compactMap { step, line in
        step.map { ProgramEdit.Line(step: $0, origin: line.origin) }
      }
    }
  }

  private mutating func removeWastedSteps() {
    let wasted = best.wastedSteps
    if !wasted.isEmpty { attempt { $0.removeSteps { wasted.contains($0) } } }
  }

  /// Shorter programs are left to the passes that delete step by step.
  private static let shortest = 8

  /// Fewer steps than `smallest` are left to those passes, too.
  private mutating func remove(_ indices: ArraySlice<Int>, downTo smallest: Int) {
    guard indices.count >= smallest, !shouldYield else { return }
    let isRemoved = attempt { draft in
      for index in indices.reversed() { draft.lines.remove(at: index) }
    }
    if isRemoved { return }
    // Later ones first: the places of the earlier ones stay what they are.
    let middle = indices.startIndex + indices.count / 2
    remove(indices[middle...], downTo: smallest)
    remove(indices[..<middle], downTo: smallest)
  }
}
