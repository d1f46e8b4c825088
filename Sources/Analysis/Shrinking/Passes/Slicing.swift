import Execution
import Vocabulary

/// The pass that removes all steps that the proof of the failure does not mention.
extension ProgramShrinker {
  /// Keeps the narrowest slice that still shows the failure (A1).
  ///
  /// If no slice does, removes the steps after the failing step. Then removes steps without effect.
  /// Unless the narrowest slice was kept, also removes halves of the steps outside it, from the
  /// end.
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

  /// The number of steps up to which programs are left to the passes that delete single steps.
  private static let shortest = 8

  /// Removes the steps at `indices`, or halves of them. Fewer steps than `smallest` are left to the
  /// passes that delete single steps.
  private mutating func remove(_ indices: ArraySlice<Int>, downTo smallest: Int) {
    guard indices.count >= smallest, !shouldYield else { return }
    let isRemoved = attempt { draft in
      for index in indices.reversed() { draft.lines.remove(at: index) }
    }
    if isRemoved { return }
    // Remove the later half first, so that the earlier indices stay valid.
    let middle = indices.startIndex + indices.count / 2
    remove(indices[middle...], downTo: smallest)
    remove(indices[..<middle], downTo: smallest)
  }
}
