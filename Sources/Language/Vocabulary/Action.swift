/// A part of an operation that runs without interruption. Only between phases can another lane run.
package enum Phase: Int, CaseIterable, Sendable {
  /// The only phase of every step except `save`.
  case whole
  /// The first phase of `save`: processes changes, propagates deletes, posts ObjectsDidChange
  /// (SV-16).
  case flush
  /// The second phase of `save`: calls `willSave` and posts ContextWillSave.
  case willSave
  /// The third phase of `save`: validates changes, then hands them to the parent or writes them to
  /// the stores. A failing save ends here.
  case commit
  /// The last phase of `save`: marks the context clean, calls `didSave` and posts DidSave.
  case finish
}

/// An uninterrupted operation of a context. The engine and the reference model are compared action
/// by action.
package enum Action: Hashable, Sendable {
  case step(AddressedStep, Phase)
  /// Merges DidSave `number` of this world, for a `mergeChanges` step or because the context
  /// merges automatically.
  case merge(ContextID, number: Int)
  /// Merges DidSave or batch result `number` as a remote change, for a `mergeRemoteChanges` step.
  case mergeRemote(ContextID, number: Int)
  /// A lane touched the context without holding its queue; nothing else happens (CC-12).
  case wrongQueue(ContextID)
  /// A `perform` block ended, so its context processes pending changes (NT-08).
  case endOfEvent(ContextID)
  /// All observers were called whose notifications list objects of the context. Objects that only
  /// these notifications kept alive can now be released.
  case endOfDelivery(ContextID)

  package var context: ContextID {
    switch self {
    case .step(let step, _): step.context
    case .merge(let context, _), .mergeRemote(let context, _), .endOfEvent(let context),
      .endOfDelivery(let context), .wrongQueue(let context):
      context
    }
  }
}

extension Action {
  /// A Boolean value that indicates whether the action is a phase of a save.
  package var isSave: Bool {
    if case .step(let step, _) = self, case .save = step.step { true } else { false }
  }

  /// A Boolean value that indicates whether the action counts as a step.
  ///
  /// The later phases of a save belong to the step that the first phase counts. An action that is
  /// refused for its queue counts as a step.
  package var isCountedAsStep: Bool {
    switch self {
    case .step(_, .whole), .step(_, .flush), .merge, .mergeRemote, .wrongQueue: true
    default: false
    }
  }
}
