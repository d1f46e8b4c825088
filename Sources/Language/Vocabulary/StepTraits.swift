/// Properties of a step that follow from its verb alone.
///
/// `Step.Kind.traits` is their only table, so a new kind of step declares all of its traits in one
/// line. A property that depends on operands, or on the state of a run, is not a trait.
package struct StepTraits: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Written out, because in other modules the default runs through a witness table.
  @inlinable package init(arrayLiteral elements: StepTraits...) {
    self.init(rawValue: elements.reduce(0) { $0 | $1.rawValue })
  }

  // MARK: Objects

  /// Changes objects in its context, or saves. A block is judged by its own steps.
  package static let writes = StepTraits(rawValue: 1 << 0)
  /// Assigns properties of the object that the step names.
  package static let edits = StepTraits(rawValue: 1 << 1)
  /// Gives an object a name in its context.
  package static let introduces = StepTraits(rawValue: 1 << 2)
  /// Moves changes of any object between contexts and stores, or discards them.
  package static let movesChanges = StepTraits(rawValue: 1 << 3)
  /// Changes data that another context can see, discards changes, or waits.
  ///
  /// An insertion does not have this trait, because every program begins with one.
  package static let hasEffect = StepTraits(rawValue: 1 << 4)

  // MARK: Contexts

  /// Merges saves of other contexts.
  package static let merges = StepTraits(rawValue: 1 << 5)
  /// Refreshes an object, or all objects, from the stored rows.
  package static let refreshes = StepTraits(rawValue: 1 << 6)
  /// Ends its context.
  package static let givesUpContext = StepTraits(rawValue: 1 << 7)
  /// Discards the unsaved changes of its context, which remains in use.
  package static let givesUpChanges = StepTraits(rawValue: 1 << 8)
  /// Removes a store from its coordinator.
  package static let takesStore = StepTraits(rawValue: 1 << 9)
  /// Leaves the objects that its context shows unchanged.
  ///
  /// Such a step saves, ends its context, decides where and when other steps run, or uses only
  /// variables of the app.
  package static let sparesObjects = StepTraits(rawValue: 1 << 10)

  // MARK: Queues

  /// Decides where and when other steps run, and is no action of its context.
  package static let arranges = StepTraits(rawValue: 1 << 11)
  /// Has a block that runs later, on a separate lane.
  package static let enqueues = StepTraits(rawValue: 1 << 12)
  /// Its block runs on a queue that belongs to no context.
  package static let runsOnAppQueue = StepTraits(rawValue: 1 << 13)
  /// Changes a flag, a group or an ID set of the app, and no context.
  package static let changesAppVariable = StepTraits(rawValue: 1 << 14)
}

extension Step {
  package var traits: StepTraits { kind.traits }
}

extension Step.Kind {
  /// A Boolean value that indicates whether an app takes no such step in a context that it only
  /// reads: the step writes, or gives up the changes of the context.
  package var isForWriters: Bool { !traits.isDisjoint(with: [.writes, .givesUpChanges]) }

  package var traits: StepTraits {
    switch self {
    case .insert: [.writes, .introduces]
    case .get, .count, .processPendingChanges, .release, .detectConflicts, .validate,
      .changedValues, .committedValues, .changedValuesForCurrentEvent,
      .hasPersistentChangedValues, .uriRepresentation, .disableUndoRegistration,
      .enableUndoRegistration, .setMetadata, .metadata, .forEach:
      []
    case .set, .setPrimitive, .increment, .relate, .add, .remove, .replace:
      [.writes, .edits, .hasEffect]
    case .delete, .insertAgain, .assign, .executeSaveRequest: [.writes, .hasEffect]
    case .fetch, .object, .existingObject, .registeredObject, .objectForURI: .introduces
    case .hasChanges: .sparesObjects
    case .save: [.writes, .movesChanges, .hasEffect, .sparesObjects]
    case .obtainPermanentIDs: [.writes, .hasEffect, .sparesObjects]
    case .batchUpdate, .batchDelete, .batchInsert, .undo, .redo:
      [.writes, .movesChanges, .hasEffect]
    case .rollback: [.writes, .movesChanges, .hasEffect, .givesUpChanges]
    case .reset: [.movesChanges, .hasEffect, .givesUpChanges]
    case .refresh: [.hasEffect, .refreshes]
    case .refreshAllObjects: [.movesChanges, .hasEffect, .refreshes]
    case .mergeChanges, .mergeRemoteChanges, .mergeHistory: [.movesChanges, .hasEffect, .merges]
    case .performFetch, .addStore: [.movesChanges, .hasEffect]
    case .removeStore, .destroyStore: [.movesChanges, .hasEffect, .takesStore]
    case .policy, .refuseWrite: .movesChanges
    case .discard: [.movesChanges, .hasEffect, .givesUpContext, .sparesObjects]
    case .kill: [.movesChanges, .hasEffect]
    case .call: [.movesChanges, .arranges]
    case .suspend, .resume: [.movesChanges, .arranges]
    case .raise, .lower, .enter, .leave: [.arranges, .changesAppVariable, .sparesObjects]
    case .remember, .forget: [.changesAppVariable, .sparesObjects]
    case .wait: [.hasEffect, .arranges, .sparesObjects]
    case .notify: [.arranges, .enqueues, .changesAppVariable, .sparesObjects]
    case .perform: [.arranges, .enqueues, .sparesObjects]
    case .performAndWait: [.hasEffect, .arranges, .sparesObjects]
    case .performBackgroundTask: [.arranges, .enqueues, .givesUpContext]
    case .directly, .tick: .arranges
    case .dispatchAsync: [.arranges, .enqueues, .runsOnAppQueue, .sparesObjects]
    case .dispatchSync: [.hasEffect, .arranges, .runsOnAppQueue, .sparesObjects]
    case .when, .unless, .try, .sleep: [.arranges, .sparesObjects]
    }
  }
}
