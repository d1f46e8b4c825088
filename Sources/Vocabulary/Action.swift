/// A part of an operation that runs without interruption. Lanes may change only in between.
package enum Phase: Int, CaseIterable, Sendable {
  /// All of any step but `save`.
  case whole
  /// `save`: changes are processed, deletes propagate, ObjectsDidChange goes out (SV-16).
  case flush
  /// `save`: `willSave` and ContextWillSave.
  case willSave
  /// `save`: validated, then handed to the parent or written to the stores; or it fails here.
  case commit
  /// `save`: the context is clean, `didSave` and DidSave go out.
  case finish
}

/// One uninterrupted thing that a context did: the unit that engine and reference are compared in.
package enum Action: Hashable, Sendable {
  case step(AddressedStep, Phase)
  /// Merges DidSave `number` of this world, for a `mergeChanges` step or because the context
  /// merges automatically.
  case merge(ContextID, number: Int)
  /// Merges DidSave or batch result `number` as a remote change, for a `mergeRemoteChanges` step.
  case mergeRemote(ContextID, number: Int)
  /// A lane touched the context without holding its queue; nothing else happens (CC-12).
  case wrongQueue(ContextID)
  /// A `perform` block ended: its context processes what is pending (NT-08).
  case endOfEvent(ContextID)
  /// All observers were called whose notifications list objects of the context: what only the
  /// notifications held may go.
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

  /// Phases of a save after its first belong to the same step; one that is refused for its queue is
  /// a step, too.
  package var isCountedAsStep: Bool {
    switch self {
    case .step(_, .whole), .step(_, .flush), .merge, .mergeRemote, .wrongQueue: true
    default: false
    }
  }
}
