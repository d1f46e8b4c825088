import ObjectModel
import Vocabulary

/// The levels above a context that an action asks.
enum Reach: UInt8, Hashable, Sendable {
  case here
  /// The parent of the context, or the coordinator of a root.
  case parent
  case store
}

/// The reach of actions. The lane that performs an action needs the queues of all levels in reach.
extension ObjectGraph {
  /// Determines the queues of an action, as the highest level that it asks. §needed-queues
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

  /// Determines the queues of processing. Deletions may load their destinations, and a listening
  /// controller may load objects. §processing-queues
  private func reachOfProcessing(_ context: ContextID) -> Reach {
    contexts[context.index].unpropagated.isEmpty && !isListenedTo(context) ? .here : .store
  }

  /// Determines the queues of a merge. §needed-queues.2
  ///
  /// A merge asks the levels above to rebase unsaved changes (FL-02), to propagate deletions, and
  /// to update listening controllers. Other merges only turn clean objects into faults, and ignore
  /// faults (NT-17, NT-18, NT-25). Such merges ask nothing, so a block that waits behind them may
  /// own the queues above (NT-24, CS-A10).
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

  /// Determines the queues of a step, as the highest level that it asks. §needed-queues.7
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
    case .set(let name, _, _), .increment(let name, _, by: _), .delete(let name),
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

  // Loops instead of `allSatisfy`, because a closure that reads the graph copies it.

  private func areAllFired(_ context: ContextID) -> Bool {
    contexts[context.index].objects.unfiredCount == 0
  }

  /// Returns a Boolean value that indicates whether all destinations of the context's realised
  /// instances are registered in the context.
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

  /// Determines the queues of a commit. A child's commit needs only its parent's queue if the
  /// parent has all objects concerned. §commit-queues
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

  /// Decides whether the commit of a changed instance affects only its copy in the parent.
  /// §commit-queues.4
  private func isSimple(_ slot: Int, in context: ContextID, below parent: ContextID) -> Bool {
    let c = context.index
    let flags = contexts[c].flags(of: slot)
    if !flags.isDisjoint(with: [.deleted, .discarded, .fault]) { return false }
    let id = contexts[c].id(of: slot)
    let parentSlot = lookup(id, in: parent)
    if flags.contains(.inserted) {
      // §commit-queues.4.2: an object that is inserted again also hands over relationships.
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
