import Execution
import Failures
import Invariants
import Vocabulary

/// Steps that the proof of the failure does not mention go first, all at once.
extension ProgramShrinker {
  /// A1. The narrowest slice that still shows the failure stays. If none does, halves of the other
  /// steps go, from the end.
  mutating func slice() {
    guard best.program.steps.count > ProgramShrinker.shortest,
      let slice = ProofSlice(of: best, target)
    else { return }
    for width in ProofSlice.Width.allCases {
      let isSliced = attempt { draft in
        draft.lines = draft.lines.enumerated().compactMap { index, line in
          slice.pruned(line.step, at: index, width).map {
            ProgramEdit.Line(step: $0, origin: line.origin)
          }
        }
      }
      if isSliced { return }
    }
    let outside = best.program.steps.indices.filter {
      slice.pruned(best.program.steps[$0], at: $0, .names) == nil
    }
    remove(outside[...], downTo: max(3, outside.count / 8))
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

/// The steps of a program that the proof of its failure rests on.
private struct ProofSlice {
  /// Indices of steps during which the proof's reads, writes, saves and merges were performed.
  private let places: Set<Int>
  private let names: Set<ObjectName>

  /// Nil if the failure has no proof.
  init?(of candidate: Candidate, _ target: FailureSignature) {
    let violation = candidate.outcome.violations.first {
      $0.kind == target.kind && target.admits($0.signature(in: candidate.program.stack))
    }
    guard let violation, !violation.proof.isEmpty else { return nil }
    let steps = violation.proof.map(\.step) + [violation.stepNumber]
    places = Set(
      steps.filter { $0 > 0 }.compactMap(candidate.step(ofPerformed:))
        + [candidate.failingStep].compactMap(\.self))
    names = candidate.program.related(to: Set(violation.names.map(\.name)))
  }

  /// What a slice has besides the steps of the proof.
  enum Width: CaseIterable {
    /// Steps that bring the objects of the proof, or what they are related to, into a context,
    /// edits of these objects, and saves.
    case names
    /// All steps about objects of the proof, and all that move changes.
    case moves
  }

  /// The step without what the proof does not need; nil if nothing is left.
  func pruned(_ step: AddressedStep, at index: Int, _ width: Width) -> AddressedStep? {
    places.contains(index) ? step : pruned(step, width)
  }

  private func pruned(_ step: AddressedStep, _ width: Width) -> AddressedStep? {
    if let block = step.step.block {
      let rest = block.compactMap { pruned($0, width) }
      return rest.isEmpty ? nil : AddressedStep(step.context, step.step.withBlock(rest))
    }
    let isAboutProof = names.contains(where: step.uses)
    switch width {
    case .names:
      return step.step == .save || isAboutProof && step.step.kind.makesObjects ? step : nil
    case .moves: return step.step.kind.movesChanges || isAboutProof ? step : nil
    }
  }
}

extension Program {
  /// The names, and those of the objects that steps relate to them: a save may need these.
  fileprivate func related(to names: Set<ObjectName>) -> Set<ObjectName> {
    var all = names
    func visit(_ step: AddressedStep) {
      if let relation = step.relation, all.contains(relation.name) {
        all.formUnion(relation.others.map(\.name))
      }
      for inner in step.step.block ?? [] { visit(inner) }
    }
    for step in steps { visit(step) }
    return all
  }
}

extension Step.Kind {
  /// A Boolean value that indicates whether a step of this kind gives an object a name in its
  /// context, or a property of it a value.
  fileprivate var makesObjects: Bool {
    switch self {
    case .insert, .fetch, .object, .existingObject, .registeredObject, .objectForURI, .set,
      .setPrimitive, .relate, .add, .replace:
      true
    default: false
    }
  }

  /// A Boolean value that indicates whether a step of this kind moves changes of any object between
  /// contexts and stores, or gives them up.
  fileprivate var movesChanges: Bool {
    switch self {
    case .save, .mergeChanges, .mergeRemoteChanges, .mergeHistory, .refreshAllObjects, .rollback,
      .reset, .discard, .undo, .redo, .batchUpdate, .batchDelete, .batchInsert, .kill, .call,
      .removeStore, .addStore, .destroyStore, .performFetch, .policy, .refuseWrite, .suspend,
      .resume:
      true
    default: false
    }
  }
}
