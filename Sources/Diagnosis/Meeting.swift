import Execution
package import Failures
package import Invariants
import Vocabulary

/// The accesses that make a failure together, where nothing can be left out to prevent it. Contexts
/// are named as in the stack.
package enum Meeting: Hashable, Sendable {
  /// Two accesses of different contexts, which fail in one order only.
  case unordered(Access, Access)
  /// Two accesses of different contexts, in the order in which they come.
  case sequence(Access, Access)
  /// An access, and the context that would not fail if it merged that access.
  case unmerged(Access, into: String)
  /// A save that was reported as done before the parent had saved its values.
  case acknowledged(Access, before: String)
  /// The list of a context, which nothing updates.
  case unseen(listOf: String)

  package struct Access: Hashable, Sendable {
    let context: String
    let deed: String

    var text: String { "\(context)'s \(deed)" }
  }

  /// "nothing merges work's save into view", or "view's save and work's save, which nothing
  /// orders".
  package var text: String {
    switch self {
    case .unordered(let first, let second): "\(first.text) and \(second.text), which nothing orders"
    case .sequence(let first, let second): "\(first.text), and then \(second.text)"
    case .unmerged(let access, into: let context): "nothing merges \(access.text) into \(context)"
    case .acknowledged(let save, before: let parent):
      "\(save.text), reported as done before \(parent) has saved"
    case .unseen(listOf: let context):
      "nothing tells the list of \(context) what the stores have"
    }
  }
}

extension Experiment {
  /// The accesses that meet in the violation of this experiment's program, where no part is the
  /// cause; nil if its proof names none.
  /// - Complexity: Up to 24 runs, and a few more for each context that might merge.
  package func meeting(
    for cause: Cause?, in part: DesignPart?, _ violation: Violation?
  ) -> Meeting? {
    guard part == nil, cause == .design, let violation, violation.waits.isEmpty else { return nil }
    if suspects?.scopes.contains(.missingMerges) == true, let missingMerge { return missingMerge }
    let lines = accesses(in: violation)
    if let acknowledgement = acknowledgement(in: violation) { return acknowledgement }
    guard let last = lines.last else { return list(shownIn: violation) }
    let shown = violation.context.map { (context: $0, deed: "copy") }
    if let other = lines.last(where: { $0.context != last.context }) ?? shown,
      other.context != last.context
    {
      return dependsOnSchedule
        ? .unordered(access(other), access(last)) : .sequence(access(other), access(last))
    }
    return nil
  }

  /// A save of one context, and the other context that would not fail if it had merged that save
  /// before its own access.
  var missingMerge: Meeting? {
    guard !isProgramsOwn,
      let violation = unchanged.violations.first(where: { violation in
        violation.kind == target.kind && target.admits(violation.signature(in: program.stack))
      }), let last = accesses(in: violation).last
    else { return nil }
    // A context that only shows what it has takes no step that a proof could name.
    if let shown = violation.context, shown != last.context {
      return merge(of: last, into: shown)
    }
    let other = accesses(in: violation).last { $0.context != last.context }
    return other.flatMap { merge(of: $0, into: last.context) }
  }

  private typealias ProvenAccess = (context: ContextID, deed: String)

  private func merge(of access: ProvenAccess, into context: ContextID) -> Meeting? {
    let merging = Intervention(.automaticMerge, .mergeAutomatically(in: context.index))
    guard ["save", "deletion"].contains(access.deed), !isFollowing(context),
      isPrevented(by: merging), !causesOthers(merging)
    else { return nil }
    return .unmerged(self.access(access), into: program.stack[context].name)
  }

  /// A Boolean value that indicates whether the design merges other saves into the context, so that
  /// no merge is missing.
  private func isFollowing(_ context: ContextID) -> Bool {
    let design = configuration.stack ?? program.stack
    let name = program.stack[context].name
    return design.contextIDs.contains {
      design[$0].name == name && StackShape(design).follows($0)
    }
  }

  private func accesses(in violation: Violation) -> [ProvenAccess] {
    violation.proof.compactMap { line in
      line.context.flatMap { context in line.operation.deed.map { (context, $0) } }
    }
  }

  private func access(_ access: ProvenAccess) -> Meeting.Access {
    Meeting.Access(context: program.stack[access.context].name, deed: access.deed)
  }

  private func acknowledgement(in violation: Violation) -> Meeting? {
    let stack = program.stack
    guard violation.proof.contains(where: { $0.operation == .kill }),
      let saver = violation.proof.compactMap(\.context).first(where: { stack.parent(of: $0) != nil }
      ),
      let parent = stack.parent(of: saver)
    else { return nil }
    return .acknowledged(access((saver, "save")), before: stack[parent].name)
  }

  private func list(shownIn violation: Violation) -> Meeting? {
    let isOfList = violation.proof.contains { line in
      if case .shows = line.operation { true } else { false }
    }
    return isOfList ? violation.context.map { .unseen(listOf: program.stack[$0].name) } : nil
  }
}

extension ProofLine.Operation {
  /// A noun for the access; nil for lines that are none.
  fileprivate var deed: String? {
    switch self {
    case .reads, .readsMembers, .loads: "read"
    case .sets, .batchSets: "edit"
    case .saves, .savesInVain, .savesTooLate, .leavesOut: "save"
    case .deletes, .batchDeletes: "deletion"
    case .merges, .mergesHistory: "merge"
    case .refreshes: "refresh"
    case .rollsBack: "rollback"
    case .resets: "reset"
    case .discards: "discard"
    case .kill, .takesStore, .loses, .isStored, .performs, .asksStore, .takes, .waits, .shows,
      .hasStored:
      nil
    }
  }
}
