package import Vocabulary

/// Kinds of steps that the options of a campaign ask for or leave out. Holds for everything that is
/// printed: generated programs, shrunk ones, and those that a search for a smaller one tries.
package struct StepFilter: Hashable, Sendable {
  /// No others are used, but for what these need; none means all.
  package var only: [StepGenerator.Kind] = []
  package var without: [StepGenerator.Kind] = []
  /// Kinds that are used only if they are asked for, and are.
  package var added: [StepGenerator.Kind] = []
  /// Whether the stack was designed: kinds that are part of the app are used only if asked for.
  private var isForDesign = false

  package init() {}

  /// Whether it leaves nothing out but what runs have on demand.
  var isEmpty: Bool { only.isEmpty && without.isEmpty && added.isEmpty && !isForDesign }

  func allows(_ kind: StepGenerator.Kind) -> Bool {
    let isOnDemand = kind.isOnDemand || isForDesign && kind.isPartOfApp
    if isOnDemand, !only.contains(kind), !added.contains(kind) { return false }
    return (only.isEmpty || only.contains(kind)) && !without.contains(kind)
  }

  /// Whether the step, or one in its block, is of a kind that is left out.
  package func leavesOut(_ step: AddressedStep) -> Bool {
    !without.isEmpty
      && step.contains { inner in
        StepGenerator.Kind(of: inner.step.kind).map(without.contains) ?? false
      }
  }

  /// Whether a search may try the step for a program that has steps of `own` kinds: those of an
  /// entry point that was inlined before are among them.
  package func admits(_ step: AddressedStep, besides own: Set<Step.Kind>) -> Bool {
    if only.isEmpty, without.isEmpty { return true }
    return !step.contains { inner in
      !own.contains(inner.step.kind)
        && !(StepGenerator.Kind(of: inner.step.kind).map(admits) ?? only.isEmpty)
    }
  }

  /// A shrinker replaces a call by the steps of its entry point: where calls are admitted, so are
  /// these.
  private func admits(_ kind: StepGenerator.Kind) -> Bool {
    allows(kind)
      || isForDesign && kind.isPartOfApp && !without.contains(kind) && only.isEmpty
        && allows(.call)
  }

  /// With kinds that are used only if they are asked for, of those that are.
  package func adding(_ wanted: [StepGenerator.Kind]) -> StepFilter {
    var filter = self
    filter.added = wanted.filter { $0.isOnDemand || $0.isPartOfApp }
    return filter
  }

  // MARK: Designed stacks

  /// What programs on a designed stack do only if they are asked to: a design does itself what
  /// merging it has, and a program that merges, passes contexts by, leaves their queues, uses those
  /// of the app or takes stores away would fail by what it does to itself.
  package static let leftToDesigns: [StepGenerator.Kind] = [
    .mergeChanges, .mergeRemoteChanges, .mergeHistory, .setPrimitive, .batchUpdate, .batchDelete,
    .batchInsert, .executeSaveRequest, .removeStore, .addStore, .destroyStore, .policy, .assign,
    .directly, .suspend,
    .dispatchAsync, .dispatchSync, .sleep, .illegal, .query,
  ]

  /// All that a campaign on a designed stack can be asked for.
  package static let onRequest = leftToDesigns + StepGenerator.Kind.allCases.filter(\.isPartOfApp)

  /// Without what is left to designs, except for the kinds that are asked for.
  package func forDesign(allowing wanted: [StepGenerator.Kind]) -> StepFilter {
    var filter = adding(wanted)
    filter.isForDesign = true
    filter.without += StepFilter.leftToDesigns.filter { kind in
      !wanted.contains(kind) && !only.contains(kind) && !without.contains(kind)
    }
    return filter
  }
}
