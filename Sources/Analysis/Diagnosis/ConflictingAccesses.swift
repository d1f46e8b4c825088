import Execution
package import Failures
package import Invariants
import Vocabulary

/// The accesses that together produce a failure that no omission prevents. Contexts appear by their
/// names in the stack.
package enum ConflictingAccesses: Hashable, Sendable {
  /// Two accesses of different contexts that fail in one order only.
  case unordered(Access, Access)
  /// Two accesses of different contexts, in the order in which they happen.
  case sequence(Access, Access)
  /// An access, and the context that would not fail if it merged that access.
  case unmerged(Access, into: String)
  /// A child's save that succeeded before an ancestor saved the values. `before` names the
  /// ancestor.
  case acknowledged(Access, before: String)
  /// The list of a context that no part of the design updates.
  case unseen(listOf: String)
  /// The list of a context into which the design merges. A merge ignores faults and objects that
  /// are not registered there (NT-17, NT-18).
  case notUpdated(listOf: String)

  package struct Access: Hashable, Sendable {
    let context: String
    let operation: String

    var text: String { "\(context)'s \(operation)" }
  }

  /// A phrase for reports, such as "nothing merges work's save into view", or "view's save and
  /// work's save, whose order is not fixed".
  package var text: String {
    switch self {
    case .unordered(let first, let second):
      "\(first.text) and \(second.text), whose order is not fixed"
    case .sequence(let first, let second): "\(first.text), and then \(second.text)"
    case .unmerged(let access, into: let context): "nothing merges \(access.text) into \(context)"
    case .acknowledged(let save, before: let parent):
      "\(save.text), reported as done before \(parent) has saved"
    case .unseen(listOf: let context):
      "no part of the design updates the list of \(context)"
    case .notUpdated(listOf: let context): "no merge into \(context) brings its list up to date"
    }
  }
}

extension Experiment {
  /// Returns the accesses that meet in the violation if no part is the cause. Returns nil if the
  /// proof of the violation names no such accesses.
  ///
  /// - Complexity: Up to 24 runs, and a few more for each context that might merge.
  package func accesses(
    for cause: Cause?, in part: DesignPart?, _ violation: Violation?
  ) -> ConflictingAccesses? {
    guard part == nil, cause == .design, let violation, violation.waits.isEmpty else { return nil }
    if suspects?.scopes.contains(.missingMerges) == true, let missingMerge { return missingMerge }
    let lines = accesses(in: violation)
    if let acknowledgement = acknowledgement(in: violation) { return acknowledgement }
    guard let last = lines.last else { return list(shownIn: violation) }
    let shown = violation.context.map { (context: $0, operation: "copy") }
    if let other = lines.last(where: { $0.context != last.context }) ?? shown,
      other.context != last.context
    {
      return dependsOnSchedule
        ? .unordered(access(other), access(last)) : .sequence(access(other), access(last))
    }
    return nil
  }

  /// A save of one context, and the other context that would not fail if the design merged that
  /// save into it.
  var missingMerge: ConflictingAccesses? {
    guard !isProgramsOwn, let violation else { return nil }
    let accesses = accesses(in: violation)
    // A context may show the violation without taking a step that the proof could name.
    guard let context = violation.context ?? accesses.last?.context else { return nil }
    for saver in savers(missedBy: context, accesses) {
      let merging = Intervention(.design, .mergeSaves(of: saver, into: context))
      guard isPrevented(by: merging), !causesOthers(merging) else { continue }
      let deletes = accesses.contains { $0 == (saver, "deletion") }
      return .unmerged(
        access((saver, deletes ? "deletion" : "save")), into: program.stack[context].name)
    }
    return nil
  }

  private typealias ProvenAccess = (context: ContextID, operation: String)

  /// Returns the contexts whose saves `context` may miss. Contexts of the proof come first, in its
  /// order.
  ///
  /// Ancestors of `context` come last, since an ancestor's save may only pass on the save of
  /// another context.
  private func savers(
    missedBy context: ContextID, _ accesses: [ProvenAccess]
  ) -> [ContextID] {
    let above = program.stack.chain(from: context)
    var savers: [ContextID] = []
    for saver in accesses.map(\.context) + program.stack.contextIDs
    where saver != context && !savers.contains(saver) && !merges(savesOf: saver, into: context) {
      savers.append(saver)
    }
    return savers.filter { !above.contains($0) } + savers.filter(above.contains)
  }

  /// The contexts whose policies may have dropped a change, likeliest first. Contexts that delete
  /// come first, followed by the others from the last access to the first.
  var settlersByOperation: [ContextID] {
    let accesses = violation.map(accesses) ?? []
    return accesses.filter { $0.operation == "deletion" }.map(\.context)
      + accesses.reversed().map(\.context)
  }

  /// Returns a Boolean value that indicates whether the design merges the saves of one context into
  /// another, so that no merge is missing.
  private func merges(savesOf saver: ContextID, into context: ContextID) -> Bool {
    let design = configuration.stack ?? program.stack
    let (saver, context) = (program.stack[saver].name, program.stack[context].name)
    guard let own = design.contextIDs.first(where: { design[$0].name == saver }),
      let other = design.contextIDs.first(where: { design[$0].name == context })
    else { return false }
    return design.merges(savesOf: own, into: other)
  }

  private func accesses(in violation: Violation) -> [ProvenAccess] {
    violation.proof.compactMap { line in
      line.context.flatMap { context in line.operation.operation.map { (context, $0) } }
    }
  }

  private func access(_ access: ProvenAccess) -> ConflictingAccesses.Access {
    ConflictingAccesses.Access(
      context: program.stack[access.context].name, operation: access.operation)
  }

  private func acknowledgement(in violation: Violation) -> ConflictingAccesses? {
    let stack = program.stack
    guard violation.proof.contains(where: { $0.operation == .kill }),
      let saver = violation.proof.compactMap(\.context).first(where: { stack.parent(of: $0) != nil }
      ),
      let level = violation.otherContext ?? stack.parent(of: saver)
    else { return nil }
    // The level that still has the change is the one whose save is missing.
    return .acknowledged(access((saver, "save")), before: stack[level].name)
  }

  private func list(shownIn violation: Violation) -> ConflictingAccesses? {
    let isOfList = violation.proof.contains { line in
      if case .shows = line.operation { true } else { false }
    }
    guard isOfList, let context = violation.context else { return nil }
    let name = program.stack[context].name
    return violation.site == .stack ? .notUpdated(listOf: name) : .unseen(listOf: name)
  }
}

extension Stack {
  /// Returns a Boolean value that indicates whether a part of the stack merges the saves of one
  /// context into another. Merging history includes the saves of every context.
  fileprivate func merges(savesOf saver: ContextID, into context: ContextID) -> Bool {
    let isSource =
      self[context].parent == .context(saver)
      || self[context].parent == self[saver].parent && parent(of: saver) == nil
    if self[context].automaticallyMergesChangesFromParent, isSource { return true }
    func merges(_ steps: [AddressedStep], where isOfSaver: (Step) -> Bool) -> Bool {
      allSteps(of: steps).contains { $0.context == context && isOfSaver($0.step) }
    }
    return (observers.map(\.steps) + entryPoints.map(\.steps)).contains {
      merges($0, where: \.mergesHistory)
    }
      || observers.contains {
        $0.context == saver && merges($0.steps, where: StepSort.merges.includes)
      }
  }
}

extension Step {
  fileprivate var mergesHistory: Bool { if case .mergeHistory = self { true } else { false } }
}

extension ProofLine.Operation {
  /// A noun for the access, or nil if the line of the proof is not an access.
  fileprivate var operation: String? {
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
