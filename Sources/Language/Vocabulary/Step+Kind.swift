import Determinism

extension Step {
  /// The kind of a step, with one case for each verb.
  ///
  /// The names of the cases are the verbs of scenarios, statistics and options. They are the names
  /// of Core Data's methods, shortened where that is unambiguous.
  ///
  /// A new kind needs a case here and a case of `Step`. The compiler reports the switches that lack
  /// it, and `StepKindTests` reports other omissions.
  package enum Kind: Int, CaseIterable, Sendable {
    case insert, get, set, increment, relate, add, remove, replace, delete
    case fetch, count
    case object, existingObject, registeredObject
    case processPendingChanges, save, refresh, refreshAllObjects, reset, rollback
    case obtainPermanentIDs, mergeChanges, release
    case setPrimitive, insertAgain, assign, detectConflicts, validate
    case changedValues, committedValues, changedValuesForCurrentEvent, hasPersistentChangedValues
    case performFetch, hasChanges, uriRepresentation, objectForURI
    case batchUpdate, batchDelete, batchInsert, executeSaveRequest
    case mergeRemoteChanges, mergeHistory
    case undo, redo, disableUndoRegistration, enableUndoRegistration
    case removeStore, addStore, destroyStore, setMetadata, metadata, refuseWrite, discard
    case policy, raise, lower, enter, leave, wait, remember, forget
    case notify, perform, performAndWait, performBackgroundTask, directly, dispatchAsync,
      dispatchSync
    case when, unless, `try`, forEach, call, tick, sleep, suspend, resume, kill

    /// The words of all kinds, indexed by raw value.
    fileprivate static let words = allCases.map { "\($0)" }

    package var word: String { Kind.words[rawValue] }

    private static let kinds = {
      var kinds = LookupTable<String, Kind>()
      for kind in allCases { kinds[kind.word] = kind }
      return kinds
    }()

    /// Creates the kind with the given verb. Returns `nil` for any other word.
    package init?(word: String) {
      guard let kind = Kind.kinds[word] else { return nil }
      self = kind
    }
  }

  /// Creates the step of a kind without operands. Returns `nil` for a kind that has operands.
  package init?(bare kind: Kind) {
    guard let step = Step.bare.first(where: { $0.kind == kind }) else { return nil }
    self = step
  }

  /// All steps without operands.
  package static let bare: [Step] = [
    .hasChanges, .executeSaveRequest, .processPendingChanges, .tick, .save, .refreshAllObjects,
    .reset, .rollback, .mergeHistory, .undo, .redo, .disableUndoRegistration,
    .enableUndoRegistration, .discard, .kill,
  ]

  /// The name that a `get` or `fetch` gives to its result, if any.
  package var nameOfResult: ObjectName? {
    switch self {
    case .get(_, _, as: let name), .fetch(_, as: let name): name
    default: nil
    }
  }

  /// The word for this kind of step in scenarios and statistics.
  package var verb: String { kind.word }

  package var kind: Kind {
    switch self {
    case .insert: .insert
    case .get: .get
    case .set: .set
    case .relate: .relate
    case .add: .add
    case .remove: .remove
    case .replace: .replace
    case .delete: .delete
    case .setPrimitive: .setPrimitive
    case .insertAgain: .insertAgain
    case .assign: .assign
    case .detectConflicts: .detectConflicts
    case .validate: .validate
    case .changedValues: .changedValues
    case .committedValues: .committedValues
    case .changedValuesForCurrentEvent: .changedValuesForCurrentEvent
    case .hasPersistentChangedValues: .hasPersistentChangedValues
    case .hasChanges: .hasChanges
    case .uriRepresentation: .uriRepresentation
    case .objectForURI: .objectForURI
    case .batch(let request):
      switch request.kind {
      case .update: .batchUpdate
      case .delete: .batchDelete
      case .insert: .batchInsert
      }
    case .performFetch: .performFetch
    case .executeSaveRequest: .executeSaveRequest
    case .mergeRemoteChanges: .mergeRemoteChanges
    case .mergeHistory: .mergeHistory
    case .undo: .undo
    case .redo: .redo
    case .disableUndoRegistration: .disableUndoRegistration
    case .enableUndoRegistration: .enableUndoRegistration
    case .removeStore: .removeStore
    case .addStore: .addStore
    case .destroyStore: .destroyStore
    case .setMergePolicy: .policy
    case .setFlag(_, let isRaised): isRaised ? .raise : .lower
    case .enter: .enter
    case .leave: .leave
    case .wait: .wait
    case .notify: .notify
    case .remember: .remember
    case .forget: .forget
    case .setMetadata: .setMetadata
    case .metadata: .metadata
    case .refuseWrite: .refuseWrite
    case .discard: .discard
    case .increment: .increment
    case .async: .dispatchAsync
    case .sync: .dispatchSync
    case .call: .call
    case .when(let condition, _): condition.isNegated ? .unless : .when
    case .trying: .try
    case .forEach: .forEach
    case .kill: .kill
    case .performBackgroundTask: .performBackgroundTask
    case .directly: .directly
    case .fetch: .fetch
    case .count: .count
    case .object: .object
    case .existingObject: .existingObject
    case .registeredObject: .registeredObject
    case .processPendingChanges: .processPendingChanges
    case .tick: .tick
    case .save: .save
    case .refresh: .refresh
    case .refreshAllObjects: .refreshAllObjects
    case .reset: .reset
    case .rollback: .rollback
    case .obtainPermanentIDs: .obtainPermanentIDs
    case .mergeChanges: .mergeChanges
    case .release: .release
    case .perform: .perform
    case .performAndWait: .performAndWait
    case .sleep: .sleep
    case .suspend: .suspend
    case .resume: .resume
    }
  }
}

extension Action {
  /// The index of the action's kind in `verbs`.
  package var kindNumber: Int {
    switch self {
    case .step(let step, _): step.step.kind.rawValue
    case .merge: Step.Kind.mergeChanges.rawValue
    case .mergeRemote: Step.Kind.mergeRemoteChanges.rawValue
    case .wrongQueue: Step.Kind.words.count
    case .endOfEvent: Step.Kind.words.count + 1
    case .endOfDelivery: Step.Kind.words.count + 2
    }
  }

  /// The words for all kinds of actions: those of steps, followed by those of other actions.
  package static let verbs = Step.Kind.words + ["wrongQueue", "endOfEvent", "endOfDelivery"]

  /// The word for the kind of the action, or of the step that the action belongs to.
  package var verb: String { Action.verbs[kindNumber] }
}

extension [AddressedStep] {
  /// The kinds of these steps and of the steps in their blocks.
  package var kinds: Set<Step.Kind> {
    var kinds: Set<Step.Kind> = []
    for step in self {
      _ = step.contains {
        kinds.insert($0.step.kind)
        return false
      }
    }
    return kinds
  }
}
