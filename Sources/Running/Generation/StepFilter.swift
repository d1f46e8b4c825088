package import Vocabulary

/// Kinds of steps that a campaign's options request or exclude. The filter applies to generated
/// programs, to shrunk programs and to candidates of the search for smaller programs.
package struct StepFilter: Hashable, Sendable {
  /// The kinds that programs may use, together with kinds that these require. Empty for all kinds.
  package var only: [StepGenerator.Kind] = []
  package var without: [StepGenerator.Kind] = []
  /// Requested kinds that are used only on request.
  package var added: [StepGenerator.Kind] = []
  /// A Boolean value that indicates whether the stack is designed. On a designed stack, kinds that
  /// are part of the app are used only on request.
  private var isForDesign = false

  package init() {}

  /// A Boolean value that indicates whether the filter excludes nothing but kinds that are used
  /// only on request.
  var isEmpty: Bool { only.isEmpty && without.isEmpty && added.isEmpty && !isForDesign }

  package func allows(_ kind: StepGenerator.Kind) -> Bool {
    let isOnDemand = kind.isOnDemand || isForDesign && kind.isPartOfApp
    if isOnDemand, !only.contains(kind), !added.contains(kind) { return false }
    return (only.isEmpty || only.contains(kind)) && !without.contains(kind)
  }

  /// Returns a Boolean value that indicates whether the step, or a step in its block, is of an
  /// excluded kind.
  package func leavesOut(_ step: AddressedStep) -> Bool {
    !without.isEmpty
      && step.contains { inner in
        StepGenerator.Kind(of: inner.step.kind).map(without.contains) ?? false
      }
  }

  /// Returns a Boolean value that indicates whether a search may try the step. `own` are the kinds
  /// of steps in the program, including steps of an entry point that was inlined before.
  package func admits(_ step: AddressedStep, besides own: Set<Step.Kind>) -> Bool {
    if only.isEmpty, without.isEmpty { return true }
    return !step.contains { inner in
      !own.contains(inner.step.kind)
        && !(StepGenerator.Kind(of: inner.step.kind).map(admits) ?? only.isEmpty)
    }
  }

  /// Returns a Boolean value that indicates whether a search may try steps of this kind. A shrinker
  /// replaces a call by the steps of its entry point, so a filter that allows calls admits these
  /// steps.
  private func admits(_ kind: StepGenerator.Kind) -> Bool {
    allows(kind)
      || isForDesign && kind.isPartOfApp && !without.contains(kind) && only.isEmpty
        && allows(.call)
  }

  /// Returns the filter with the requested kinds added that are used only on request.
  package func adding(_ wanted: [StepGenerator.Kind]) -> StepFilter {
    var filter = self
    filter.added = wanted.filter { $0.isOnDemand || $0.isPartOfApp }
    return filter
  }

  // MARK: Designed stacks

  /// The kinds that programs on a designed stack use only on request. The design itself does its
  /// merging. Programs that merge, bypass contexts, use app-defined queues or remove stores would
  /// cause their own failures.
  package static let leftToDesigns: [StepGenerator.Kind] = [
    .mergeChanges, .mergeRemoteChanges, .mergeHistory, .setPrimitive, .batchUpdate, .batchDelete,
    .batchInsert, .executeSaveRequest, .removeStore, .addStore, .destroyStore, .policy, .assign,
    .directly, .suspend,
    .dispatchAsync, .dispatchSync, .sleep, .illegal, .query,
  ]

  /// Every kind that a campaign on a designed stack can request.
  package static let onRequest = leftToDesigns + StepGenerator.Kind.allCases.filter(\.isPartOfApp)

  /// Returns a filter that excludes the kinds in `leftToDesigns`, except for requested kinds.
  package func forDesign(allowing wanted: [StepGenerator.Kind]) -> StepFilter {
    var filter = adding(wanted)
    filter.isForDesign = true
    filter.without += StepFilter.leftToDesigns.filter { kind in
      !wanted.contains(kind) && !only.contains(kind) && !without.contains(kind)
    }
    return filter
  }
}
