import Execution
import Failures
package import Invariants
import Vocabulary

/// Two accesses of different contexts that make a failure together, where nothing can be left out
/// to prevent it.
package struct Meeting: Hashable, Sendable {
  /// The names of the contexts, and what each does: "save", "read".
  let first: Access
  let second: Access
  /// The context in which a merge of the other one's save would prevent the failure; nil if a merge
  /// would not.
  let merging: String?

  struct Access: Hashable, Sendable {
    let context: String
    let deed: String

    var text: String { "\(context)'s \(deed)" }
  }

  /// "nothing merges work's save into view", or "view's save and work's save, which nothing
  /// orders".
  package var text: String {
    guard let merging else { return "\(first.text) and \(second.text), which nothing orders" }
    let other = first.context == merging ? second : first
    return "nothing merges \(other.text) into \(merging)"
  }
}

extension Experiment {
  /// The accesses that meet in the violation of this experiment's program; nil if its proof has
  /// fewer than two contexts.
  /// - Complexity: A run for each of the two contexts, and more for an interleaved program.
  package func meeting(in violation: Violation) -> Meeting? {
    let lines = violation.proof.filter { $0.context != nil && $0.operation.deed != nil }
    guard let last = lines.last, let own = last.context else { return nil }
    let other = lines.last { $0.context != own }
    // A context that only shows what it has takes no step that a proof could name.
    let shown = violation.context.map { ($0, "copy") }
    guard let (theirs, deed) = other.flatMap(access) ?? shown, theirs != own else { return nil }
    let merging = [violation.context, own, theirs].compactMap(\.self).first { context in
      (context == own || context == theirs)
        && isPrevented(by: Intervention(.automaticMerge, .mergeAutomatically(in: context.index)))
    }
    let names = program.stack
    return Meeting(
      first: Meeting.Access(context: names[theirs].name, deed: deed),
      second: Meeting.Access(context: names[own].name, deed: last.operation.deed ?? ""),
      merging: merging.map { names[$0].name })
  }
}

private func access(_ line: ProofLine) -> (ContextID, String)? {
  line.context.flatMap { context in line.operation.deed.map { (context, $0) } }
}

extension ProofLine.Operation {
  /// A noun for the access; nil for lines that are none.
  fileprivate var deed: String? {
    switch self {
    case .reads, .readsMembers, .loads, .shows: "read"
    case .sets, .batchSets: "edit"
    case .saves, .savesInVain, .savesTooLate, .leavesOut: "save"
    case .deletes, .batchDeletes: "deletion"
    case .merges, .mergesHistory: "merge"
    case .refreshes: "refresh"
    case .rollsBack: "rollback"
    case .resets: "reset"
    case .discards: "discard"
    case .kill, .takesStore, .loses, .isStored, .performs, .asksStore, .takes, .waits, .hasStored:
      nil
    }
  }
}
