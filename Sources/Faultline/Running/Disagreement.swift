package import ObjectModel
package import Vocabulary

/// Engine and reference differ on what Core Data does: a bug of ours, under every profile.
package struct Disagreement: Hashable {
  package enum Kind: Hashable {
    case events(expected: [Event], actual: [Event])
    case views(ContextID, expected: [InstanceView], actual: [InstanceView])
    case rows(StoreID, expected: [RowView], actual: [RowView])
    /// A context that merges automatically never merged this DidSave.
    case missingMerge(ContextID, Int)
  }

  /// After which action; nil at the end of the run.
  package var action: Action?
  package var stepNumber: Int
  package var kind: Kind

  /// What a campaign counts it under.
  package var identity: String {
    let where_: String =
      switch action {
      case nil: "at the end"
      case .merge?: "merge"
      case .mergeRemote?: "remote merge"
      case .wrongQueue?: "wrong queue"
      case .endOfEvent?: "end of event"
      case .step(let step, let phase)?: "\(step.step.verb)\(phase == .whole ? "" : " \(phase)")"
      }
    return switch kind {
    case .events: "disagreement on events: \(where_)"
    case .views: "disagreement on a context: \(where_)"
    case .rows: "disagreement on a store: \(where_)"
    case .missingMerge: "disagreement: an automatic merge never came"
    }
  }
}

extension Step {
  /// The word by which scenarios and statistics know this kind of step.
  package var verb: String {
    switch self {
    case .insert: "insert"
    case .get: "get"
    case .set: "set"
    case .relate: "relate"
    case .add: "add"
    case .remove: "remove"
    case .replace: "replace"
    case .delete: "delete"
    case .setPrimitive: "setPrimitive"
    case .insertAgain: "insertAgain"
    case .assign: "assign"
    case .detectConflicts: "detectConflicts"
    case .validate: "validate"
    case .changedValues: "changedValues"
    case .committedValues: "committedValues"
    case .changedValuesForCurrentEvent: "changedValuesForCurrentEvent"
    case .hasPersistentChangedValues: "hasPersistentChangedValues"
    case .hasChanges: "hasChanges"
    case .uriRepresentation: "uriRepresentation"
    case .objectForURI: "objectForURI"
    case .batch(let request):
      switch request.kind {
      case .update: "batchUpdate"
      case .delete: "batchDelete"
      case .insert: "batchInsert"
      }
    case .performFetch: "performFetch"
    case .executeSaveRequest: "executeSaveRequest"
    case .mergeRemoteChanges: "mergeRemoteChanges"
    case .mergeHistory: "mergeHistory"
    case .undo: "undo"
    case .redo: "redo"
    case .disableUndoRegistration: "disableUndoRegistration"
    case .enableUndoRegistration: "enableUndoRegistration"
    case .removeStore: "removeStore"
    case .addStore: "addStore"
    case .setMetadata: "setMetadata"
    case .metadata: "metadata"
    case .refuseWrite: "refuseWrite"
    case .discard: "discard"
    case .increment: "increment"
    case .async: "dispatchAsync"
    case .sync: "dispatchSync"
    case .call: "call"
    case .kill: "kill"
    case .performBackgroundTask: "performBackgroundTask"
    case .directly: "directly"
    case .fetch: "fetch"
    case .count: "count"
    case .object: "object"
    case .existingObject: "existingObject"
    case .registeredObject: "registeredObject"
    case .processPendingChanges: "processPendingChanges"
    case .tick: "tick"
    case .save: "save"
    case .refresh: "refresh"
    case .refreshAllObjects: "refreshAllObjects"
    case .reset: "reset"
    case .rollback: "rollback"
    case .obtainPermanentIDs: "obtainPermanentIDs"
    case .mergeChanges: "mergeChanges"
    case .release: "release"
    case .perform: "perform"
    case .performAndWait: "performAndWait"
    case .sleep: "sleep"
    case .suspend: "suspend"
    case .resume: "resume"
    }
  }
}
