import ObjectModel
import Vocabulary

/// The levels above a context from which an action has to be answered.
enum Reach: UInt8, Hashable, Sendable {
  case here
  /// The parent of the context, or the coordinator of a root.
  case parent
  case store
}

/// How far up an action has to ask: the lane that performs the action needs the queues up to there.
extension ObjectGraph {
  /// Determines the queues of an action, as the level up to which it asks. §needed-queues
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

  /// Determines the queues of processing: deletions may load their destinations, and a list that
  /// listens may load objects. §processing-queues
  private func reachOfProcessing(_ context: ContextID) -> Reach {
    contexts[context.index].unpropagated.isEmpty && !isListenedTo(context) ? .here : .store
  }

  /// Determines the queues of a merge. §needed-queues.2
  ///
  /// A merge asks the levels above to rebase unsaved changes (FL-02), to propagate deletions, and
  /// for lists that listen. It turns clean objects into faults, and leaves faults alone (NT-17,
  /// NT-18, NT-25). Then it asks for nothing, and a block that waits behind it may have the queues
  /// above (NT-24, CS-A10).
  private func reachOfMerge(_ number: Int, into context: ContextID) -> Reach {
    for id in didSaves[number].sets.updated {
      guard let slot = lookup(id, in: context) else { continue }
      if contexts[context.index].has(.updated, slot) { return .store }
    }
    for id in didSaves[number].sets.deleted {
      guard let slot = lookup(id, in: context) else { continue }
      if !contexts[context.index].isFault(slot) { return .store }
    }
    return reachOfProcessing(context)
  }

  /// Determines the queues of a step, as the level up to which it asks. §needed-queues.7
  private func reach(of step: Step, in context: ContextID) -> Reach {
    switch step {
    case .insert(let entity, as: _):
      let insertsMore = model.entities[entity.index].hookActions.contains {
        $0.effect == .insertRelated
      }
      return insertsMore ? .store : .here
    case .get(let name, let property, as: _):
      return isRealised(name, in: context) && contexts[context.index].isFired(property, of: name)
        ? .here : .store
    case .validate(let name, _), .committedValues(let name):
      return isRealised(name, in: context) && contexts[context.index].isFired(nil, of: name)
        ? .here : .store
    case .set(let name, _, _), .increment(let name, _), .delete(let name),
      .setPrimitive(let name, _, _),
      .insertAgain(let name), .detectConflicts(let name), .changedValues(let name),
      .changedValuesForCurrentEvent(let name), .hasPersistentChangedValues(let name):
      return isRealised(name, in: context) ? .here : .store
    case .relate, .add, .remove, .replace:
      // §needed-queues.11: both sides and their old partners may have to be fired.
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
    return !contexts[context.index].isFault(slot)
  }

  // Loops, where `allSatisfy` would read better: a closure that asks the world copies it.

  private func areAllFired(_ context: ContextID) -> Bool {
    contexts[context.index].objects.unfiredCount == 0
  }

  /// Whether every destination that a realised instance mentions is registered here.
  private func areAllRegistered(_ context: ContextID) -> Bool {
    for slot in contexts[context.index].objects.indices
    where !contexts[context.index].objects.isFree(slot) {
      let entity = contexts[context.index].id(of: slot).entity.index
      for shape in shapes[entity] where shape.isRelationship {
        for id in destinations(of: shape, slot, in: context) where lookup(id, in: context) == nil {
          return false
        }
      }
    }
    return true
  }

  /// Determines the queues of a commit: a child's needs its parent alone while the parent has all
  /// objects concerned. §commit-queues
  private func reachOfCommit(in context: ContextID) -> Reach {
    guard let parent = contexts[context.index].parent else { return .store }
    guard quirks.contains(.ancestorCacheHidesUpdates), !isListenedTo(parent) else { return .store }
    for slot in contexts[context.index].objects.unsettled
    where contexts[context.index].has(.changes, slot)
      && !isSimple(slot, in: context, below: parent)
    {
      return .store
    }
    return .parent
  }

  /// Decides whether the commit of a changed instance concerns its copy in the parent alone.
  /// §commit-queues.4
  private func isSimple(_ slot: Int, in context: ContextID, below parent: ContextID) -> Bool {
    let c = context.index
    let flags = contexts[c].flags(of: slot)
    if !flags.isDisjoint(with: [.deleted, .discarded, .fault]) { return false }
    let id = contexts[c].id(of: slot)
    let parentSlot = lookup(id, in: parent)
    if flags.contains(.inserted) {
      // §commit-queues.4.2: inserted again, it hands over relationships too.
      if let parentSlot, contexts[parent.index].has(.inserted, parentSlot) {
        return false
      }
    } else {
      guard let parentSlot, !contexts[parent.index].isFault(parentSlot) else {
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
