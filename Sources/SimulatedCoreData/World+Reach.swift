import ObjectModel
import SimulatedDispatch
import Vocabulary

/// How far up a step reaches: which queues its lane has to take (CC-06, CC-14).
extension World {
  /// The queues above a context that an action of this reach has to hold, nearest first; the
  /// coordinator's lock comes last.
  func queues(within reach: Reach, above context: ContextID) -> [QueueID] {
    switch reach {
    case .here: []
    case .parent: queues.aboveContexts[context.index].nearest
    case .store: queues.aboveContexts[context.index].all
    }
  }

  /// How many they are.
  func queueCount(within reach: Reach, above context: ContextID) -> Int {
    switch reach {
    case .here: 0
    case .parent: queues.aboveContexts[context.index].nearest.count
    case .store: queues.aboveContexts[context.index].all.count
    }
  }

  func queuesNeeded(for operation: Frame.Operation) -> [QueueID] {
    queues(within: reach(of: operation), above: operation.context)
  }

  /// How far up an operation reaches. For a merge this is decided when it begins: an automatic one
  /// has stood in a line, and its context has changed meanwhile.
  func reach(of operation: Frame.Operation) -> Reach {
    guard operation.isMerge else { return operation.reach }
    if operation.takenCount > 0 { return .store }
    return operation.isPerformed ? .here : reach(of: operation.action)
  }

  /// What a frame has of an action. The reach of a merge is not used (`reach(of:)` decides), and is
  /// always the same, so that equal states have equal frames.
  func work(_ action: Action, reach: Reach, author: Author = .program) -> Frame.Work {
    if case .merge = action { return .init(action: action, reach: .store, author: author) }
    return .init(action: action, reach: reach, author: author)
  }

  typealias Reach = Frame.Reach

  func reach(of action: Action) -> Reach {
    let context = action.context
    switch action {
    case .merge(_, let number): return reachOfMerge(number, into: context)
    case .mergeRemote: return .store
    case .wrongQueue, .endOfDelivery: return .here
    case .endOfEvent: return reachOfProcessing(context)
    case .step(let step, let phase):
      switch phase {
      case .flush, .willSave: return reachOfProcessing(context)
      case .commit: return reachOfCommit(in: context)
      case .finish: return .here
      case .whole: return reach(of: step.step, in: context)
      }
    }
  }

  /// Deletes that propagate may have to load what they lead to, and so may a list that listens.
  private func reachOfProcessing(_ context: ContextID) -> Reach {
    contexts[context.index].unpropagated.isEmpty && !isListenedTo(context) ? .here : .store
  }

  /// A merge asks the levels above for what it lays unsaved changes over (FL-02), for what its
  /// deletions lead to, and for lists that listen. What is clean turns into a fault, and what is no
  /// more than that is left alone (NT-17, NT-18, NT-25): then it asks for nothing, and a block that
  /// waits behind it may have the queues above (NT-24, CS-A10).
  private func reachOfMerge(_ number: Int, into context: ContextID) -> Reach {
    for id in didSaves[number].sets.updated {
      guard let slot = lookup(id, in: context) else { continue }
      if contexts[context.index].objects[slot].flags.contains(.updated) { return .store }
    }
    for id in didSaves[number].sets.deleted {
      guard let slot = lookup(id, in: context) else { continue }
      if !contexts[context.index].objects[slot].isFault { return .store }
    }
    return reachOfProcessing(context)
  }

  private func reach(of step: Step, in context: ContextID) -> Reach {
    switch step {
    case .insert(let entity, as: _):
      let insertsMore = model.entities[entity.index].hookActions.contains {
        $0.effect == .insertRelated
      }
      return insertsMore ? .store : .here
    case .get(let name, let property, as: _):
      return isRealised(name, in: context) && isFired(property, of: name, in: context)
        ? .here : .store
    case .validate(let name, _), .committedValues(let name):
      return isRealised(name, in: context) && isFired(nil, of: name, in: context)
        ? .here : .store
    case .set(let name, _, _), .increment(let name, _), .delete(let name),
      .setPrimitive(let name, _, _),
      .insertAgain(let name), .detectConflicts(let name), .changedValues(let name),
      .changedValuesForCurrentEvent(let name), .hasPersistentChangedValues(let name):
      return isRealised(name, in: context) ? .here : .store
    case .relate, .add, .remove, .replace:
      // Both sides and their old partners may have to be fired.
      return areAllFired(context) && areAllRegistered(context) ? .here : .store
    case .processPendingChanges: return reachOfProcessing(context)
    case .refresh(_, mergeChanges: false), .object, .registeredObject, .release, .reset, .rollback,
      .hasChanges, .uriRepresentation, .objectForURI, .assign,
      .executeSaveRequest, .disableUndoRegistration, .enableUndoRegistration, .setMergePolicy,
      .discard, .remember, .forget:
      return .here
    case .refresh, .refreshAllObjects, .fetch, .count, .existingObject, .obtainPermanentIDs,
      .batch, .performFetch, .mergeHistory, .undo, .redo, .removeStore, .addStore, .destroyStore,
      .setMetadata, .metadata, .refuseWrite, .forEach:
      return .store
    case .mergeChanges, .mergeRemoteChanges, .kill: return .here
    case .save, .perform, .performAndWait, .performBackgroundTask, .directly, .async, .sync, .when,
      .trying,
      .call, .tick, .sleep, .suspend, .resume, .setFlag, .enter, .leave, .wait, .notify:
      preconditionFailure("\(step) is no action: it has its own frame")
    }
  }

  private func isRealised(_ name: ObjectName, in context: ContextID) -> Bool {
    guard case .slot(let slot) = contexts[context.index].binding(of: name) else { return true }
    return !contexts[context.index].objects[slot].isFault
  }

  /// Whether a to-many relationship of a realised instance, or every one, has been used.
  private func isFired(_ property: PropertyID?, of name: ObjectName, in context: ContextID) -> Bool
  {
    guard case .slot(let slot) = contexts[context.index].binding(of: name) else { return true }
    let unfired = contexts[context.index].objects[slot].unfired
    return property.map { !unfired.contains($0.index) } ?? unfired.isEmpty
  }

  // Loops, where `allSatisfy` would read better: a closure that asks the world copies it.

  private func areAllFired(_ context: ContextID) -> Bool {
    contexts[context.index].objects.unfiredCount == 0
  }

  /// Whether every destination that a realised instance mentions is registered here.
  private func areAllRegistered(_ context: ContextID) -> Bool {
    for slot in contexts[context.index].objects.indices
    where !contexts[context.index].objects.isFree(slot) {
      let entity = contexts[context.index].objects[slot].id.entity.index
      for shape in shapes[entity] where shape.isRelationship {
        for id in destinations(of: shape, slot, in: context) where lookup(id, in: context) == nil {
          return false
        }
      }
    }
    return true
  }

  /// A child's save needs its parent alone while the parent has all that is concerned.
  private func reachOfCommit(in context: ContextID) -> Reach {
    guard let parent = contexts[context.index].parent else { return .store }
    guard quirks.contains(.ancestorCacheHidesUpdates), !isListenedTo(parent) else { return .store }
    for slot in contexts[context.index].objects.unsettled
    where !contexts[context.index].objects[slot].flags.isDisjoint(with: .changes)
      && !isSimple(slot, in: context, below: parent)
    {
      return .store
    }
    return .parent
  }

  /// Whether what a save has of a changed instance concerns its copy in the parent alone.
  private func isSimple(_ slot: Int, in context: ContextID, below parent: ContextID) -> Bool {
    let c = context.index
    let flags = contexts[c].objects[slot].flags
    if !flags.isDisjoint(with: [.deleted, .discarded, .fault]) { return false }
    let id = contexts[c].objects[slot].id
    let parentSlot = lookup(id, in: parent)
    if flags.contains(.inserted) {
      // Inserted once more, it hands over relationships too.
      if let parentSlot, contexts[parent.index].objects[parentSlot].flags.contains(.inserted) {
        return false
      }
    } else {
      guard let parentSlot, !contexts[parent.index].objects[parentSlot].isFault else {
        return false
      }
    }
    for (property, shape) in shapes[id.entity.index].enumerated() {
      // Validation may have to count members that are not loaded.
      if shape.hasCountRules, contexts[c].objects[slot].unfired.contains(property) { return false }
      if shape.isRelationship, contexts[c].objects[slot].changed.contains(property) { return false }
    }
    return true
  }
}

extension Action {
  /// Whether it asks the level above wherever its reach is not `here`. Others merely may: an
  /// observer that has the main queue merge what was saved mostly reads nothing (CC-08).
  var surelyAsksAbove: Bool {
    switch self {
    case .mergeRemote, .step(_, .commit): true
    case .step(let step, .whole):
      switch step.step {
      case .fetch, .count, .performFetch, .batch, .obtainPermanentIDs, .mergeHistory, .get, .set,
        .setPrimitive, .increment, .delete:
        true
      default: false
      }
    default: false
    }
  }
}
