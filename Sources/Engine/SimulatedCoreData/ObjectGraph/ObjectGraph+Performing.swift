import ObjectModel
import Vocabulary

/// Performance of an action, while its lane owns all the queues that the action needs.
extension ObjectGraph {
  /// Performs one action completely, and leaves the outcome in `result`.
  ///
  /// - Returns: A Boolean value that indicates whether a save continues with its next phase. `true`
  ///   for every other action.
  mutating func perform(_ action: Action) -> Bool {
    result.removeAll()
    forgetTouched()
    code?.beginAction()
    switch action {
    case .merge(let context, let number):
      merge(number, into: context)
    case .mergeRemote(let context, let number):
      mergeRemote(number, into: context)
    case .wrongQueue(let context):
      fail(with: .wrongQueue(context))
    case .endOfEvent(let context):  // §end-event
      processPendingChanges(context)
      contexts[context.index].letGoOfTouched()
    case .endOfDelivery(let context):
      contexts[context.index].endDelivery()
    case .step(let step, .whole):
      do throws(StepFailure) {
        try perform(step.step, in: step.context)
      } catch {
        fail(with: error.failure)
      }
    case .step(let step, let phase):
      assert(phase != .whole, "\(step) has no phases")
      return runSave(phase, in: step.context)
    }
    return true
  }

  mutating func fail(with failure: Failure) {
    if let mark = Mark(failure) { marks.insert(mark) }
    result.events.append(.failed(failure))
  }

  /// Performs a step that is a single action. Each case is an operation, or calls one.
  mutating func perform(_ step: Step, in context: ContextID) throws(StepFailure) {
    let c = context.index
    switch step {
    case .insert(let entity, as: let name):  // §insert
      _ = insert(entity, as: name, in: context)
    case .get(let name, let property, as: let new):
      let value = try get(property, of: name, in: context)
      if let new, let value { hold(value.objectID, as: new, in: context) }
    case .set(let name, let property, let value):  // §set
      guard let slot = try realised(name, in: context) else { return }
      contexts[c].set(property, of: slot, to: value, by: setting)
    case .increment(let name, let property, by: let amount):
      guard let slot = try realised(name, in: context) else { return }
      increment(property, of: slot, by: amount, in: context)
    case .relate(let name, let property, let reference):  // §relate
      guard let slot = try held(name, in: context) else { return }
      var destination: ObjectID?
      if let reference {
        guard let id = try self.destination(reference, from: context) else { return }
        destination = id
      }
      guard try isChangeable(slot, in: context) else { return }
      changeRelationship(property, of: slot, in: context) {
        $0.setDestination(destination, of: property, slot, in: context)
      }
    case .add(let name, let property, let reference):  // §add
      guard let slot = try held(name, in: context),
        let id = try destination(reference, from: context, isMember: true),
        try isChangeable(slot, in: context)
      else { return }
      changeRelationship(property, of: slot, in: context) {
        $0.add(id, to: property, of: slot, in: context)
      }
    case .remove(let name, let property, let reference):  // §remove
      guard let slot = try held(name, in: context),
        let id = try destination(reference, from: context),
        try isChangeable(slot, in: context)
      else { return }
      changeRelationship(property, of: slot, in: context) {
        $0.remove(id, from: property, of: slot, in: context)
      }
    case .replace(let name, let property, let references):  // §replace
      guard let slot = try held(name, in: context) else { return }
      var ids: [ObjectID] = []
      for reference in references {
        guard let id = try destination(reference, from: context, isMember: true) else { return }
        if !ids.contains(id) { ids.append(id) }
      }
      guard try isChangeable(slot, in: context) else { return }
      changeRelationship(property, of: slot, in: context) {
        $0.replace(property, of: slot, with: ids, in: context)
      }
    case .delete(let name):  // §delete
      guard let slot = try held(name, in: context) else { return }
      try fire(slot, in: context)
      delete(slot, in: context)
    case .fetch(let request, as: let new):
      let found = execute(request, in: context)
      if let new { hold(found.first, as: new, in: context) }  // §execute-fetch.1.5
    case .count(let request):  // §count
      result.events.append(.count(fetch(request, in: context).count))
    case .object(with: let reference, as: let name):  // §object-with
      guard let id = identify(reference) else { return }
      guard hasStore(for: id, in: context) else {
        throw StepFailure(failure: .unreachableStore(id))
      }
      let slot = instance(id, in: context)
      bind(name, to: slot, in: context)
    case .existingObject(with: let reference, as: let name):  // §existing-object
      guard let id = identify(reference) else { return }
      let isNew = lookup(id, in: context) == nil
      let slot = instance(id, in: context)
      let exists =
        contexts[c].isPendingDeletion(slot) || fireQuietly(slot, in: context)
      guard exists else {
        if isNew { unregister(slot, in: context) }
        throw StepFailure(failure: .missingObject(id))
      }
      bind(name, to: slot, in: context)
    case .registeredObject(for: let reference, as: let name):  // §registered-object
      guard let id = identify(reference) else { return }
      guard let slot = lookup(id, in: context) else { return result.events.append(.nothing) }
      bind(name, to: slot, in: context)
    case .processPendingChanges:
      processPendingChanges(context)
    case .refresh(let name, let mergeChanges):  // §refresh
      guard let slot = try held(name, in: context) else { return }
      guard !contexts[c].isPendingDeletion(slot) else {
        return result.events.append(.nothing)
      }
      refresh(slot, mergeChanges: mergeChanges, in: context)
    case .refreshAllObjects:
      refreshAllObjects(in: context)
    case .reset:
      reset(context)
    case .rollback:
      rollback(context)
    case .obtainPermanentIDs(let names):
      try obtainPermanentIDs(for: names, in: context)
    case .mergeChanges, .mergeRemoteChanges:
      // §merge-step.2
      result.events.append(.nothing)
    case .release(let name):  // §release
      guard contexts[c].binding(of: name) != .unbound else { return result.events.append(.nothing) }
      contexts[c].unbind(name)
    case .setPrimitive, .insertAgain, .validate, .changedValues, .committedValues,
      .changedValuesForCurrentEvent, .hasPersistentChangedValues, .hasChanges,
      .uriRepresentation, .objectForURI:
      try ask(step, in: context)
    case .undo: undo(in: context)
    case .redo: redo(in: context)
    case .disableUndoRegistration: disableUndoRegistration(in: context)
    case .enableUndoRegistration: enableUndoRegistration(in: context)
    case .assign(let name, let store): try assign(name, to: store, in: context)
    case .detectConflicts(let name): try detectConflicts(of: name, in: context)
    case .batch(let request): try execute(request, in: context)
    case .performFetch(let controller): performFetch(controller)
    // §execute-save-request
    case .executeSaveRequest: throw StepFailure(failure: .unsupportedRequest(.saveChanges))
    case .mergeHistory: mergeHistory(into: context)
    case .removeStore(let store): removeStore(store, under: context)
    case .addStore(let store): addStore(store, under: context)
    case .destroyStore(let store, let isRecreated):
      destroyStore(store, isRecreated: isRecreated, under: context)
    case .setMergePolicy(let policy): contexts[c].mergePolicy = policy  // §set-merge-policy
    case .setMetadata(let store, let number): setMetadata(number, of: store, under: context)
    case .metadata(let store): readMetadata(of: store, under: context)
    case .refuseWrite(let store, let number): refuseWrite(number, of: store, under: context)
    case .forEach(let set, let treatment): try forEach(set, treatment, in: context)
    case .remember(let variable, let set): remember(set, as: variable, in: context)
    case .forget(let variable): idSets[variable.index].removeAll()  // §forget
    case .discard: discard(context)
    case .kill: relaunch()
    case .save, .perform, .performAndWait, .performBackgroundTask, .directly, .async, .sync, .when,
      .trying,
      .call, .tick, .sleep, .suspend, .resume, .setFlag, .enter, .leave, .wait, .notify:
      preconditionFailure("\(step) is no action: it has its own frame")
    }
  }

  /// Performs a relationship step, and records the members that it added and removed.
  private mutating func changeRelationship(
    _ property: PropertyID, of slot: Int, in context: ContextID,
    _ change: (inout ObjectGraph) -> Void
  ) {
    let id = contexts[context.index].id(of: slot)
    let shape = shapes[id.entity.index][property.index]
    use(property.index, of: slot, in: context)
    assert(shape.isRelationship, "property \(property.index) of \(id) is no relationship")
    assert(!contexts[context.index].isFault(slot), "\(id) is changed before it is fired")
    let before = destinations(of: shape, slot, in: context)
    change(&self)
    let after = destinations(of: shape, slot, in: context)
    for other in before where !after.contains(other) {
      result.evidence.append(.related(context, object: id, property, other: other, isMember: false))
    }
    for other in after where !before.contains(other) {
      result.evidence.append(.related(context, object: id, property, other: other, isMember: true))
    }
  }

  mutating func bind(_ name: ObjectName, to slot: Int, in context: ContextID) {
    contexts[context.index].bind(name, to: slot)
    assert(contexts[context.index].contains(slot), "slot \(slot) is not registered")
    result.events.append(.object(contexts[context.index].id(of: slot)))
  }

  /// Binds the name of a read to the object found. Unbinds the name if no object was found. §get.5
  private mutating func hold(_ id: ObjectID?, as name: ObjectName, in context: ContextID) {
    guard let id else { return contexts[context.index].unbind(name) }
    contexts[context.index].bind(name, to: instance(id, in: context))
  }

  /// Resolves a name to its instance. If the name is unbound, reports `nothing` and returns `nil`.
  /// §resolve
  mutating func held(
    _ name: ObjectName, in context: ContextID
  ) throws(StepFailure) -> Int? {
    switch contexts[context.index].binding(of: name) {
    case .unbound:
      result.events.append(.nothing)
      return nil
    case .gone: throw StepFailure(failure: .noContext)
    case .slot(let slot):
      assert(contexts[context.index].contains(slot), "slot \(slot) is bound and not registered")
      return slot
    }
  }

  /// Resolves a name and fires its instance. Values of a deleted object can still be set (ID-25).
  mutating func realised(
    _ name: ObjectName, in context: ContextID
  ) throws(StepFailure) -> Int? {
    guard let slot = try held(name, in: context) else { return nil }
    try fire(slot, in: context)
    assert(!contexts[context.index].isFault(slot), "slot \(slot) was not realised")
    return slot
  }

  /// Fires an instance for a relationship step. If the instance is pending deletion, reports
  /// `nothing` and returns `false`. §relate.3
  private mutating func isChangeable(
    _ slot: Int, in context: ContextID
  ) throws(StepFailure) -> Bool {
    try fire(slot, in: context)
    guard !contexts[context.index].isPendingDeletion(slot) else {
      result.events.append(.nothing)
      return false
    }
    return true
  }

  /// Resolves the argument of a relationship step. If the argument is unbound or pending deletion,
  /// reports `nothing` and returns `nil`. A new member may be pending deletion, because the next
  /// save removes the member again (RL-15). §resolve-argument
  private mutating func destination(
    _ reference: HeldInstance, from context: ContextID, isMember: Bool = false
  ) throws(StepFailure) -> ObjectID? {
    if case .unbound = contexts[reference.context.index].binding(of: reference.name) {
      result.events.append(.nothing)
      return nil
    }
    guard reference.context == context else { throw StepFailure(failure: .differentContexts) }
    // §resolve-argument.4: a missing object cannot be related.
    guard let slot = try realised(reference.name, in: context) else { return nil }
    if !isMember, contexts[context.index].isPendingDeletion(slot) {
      result.events.append(.nothing)
      return nil
    }
    return contexts[context.index].id(of: slot)
  }

  /// Resolves a reference to the ID of its instance, which may have left the context. If the
  /// reference is unbound, reports `nothing` and returns `nil`. §resolve-reference
  mutating func identify(_ reference: HeldInstance) -> ObjectID? {
    guard let id = heldID(reference.context, reference.name) else {
      result.events.append(.nothing)
      return nil
    }
    return id
  }

  /// Obtains permanent IDs for named objects, or for all insertions. §obtain-permanent-ids
  private mutating func obtainPermanentIDs(
    for names: [ObjectName], in context: ContextID
  ) throws(StepFailure) {
    var temporaries = names.isEmpty ? insertedTemporaries(in: context) : []
    for name in names {
      let binding = contexts[context.index].binding(of: name)
      if binding == .unbound { return result.events.append(.nothing) }
      guard case .slot(let slot) = binding else { continue }
      let id = contexts[context.index].id(of: slot)
      if id.isTemporaryID, !temporaries.contains(id), isKnown(id, above: context) {
        temporaries.append(id)
      }
    }
    for temporary in temporaries.sorted()
    where row(of: temporary) == temporary && attachedStore(of: temporary, for: context) == nil {
      marks.insert(.noStoreForPermanentID)
      throw StepFailure(failure: .noStore(temporary.entity))
    }
    assert(temporaries.hasNoDuplicates, "an object is to become permanent twice")
    let own = bugs.contains(.obtainedIDStaysInOneContext) ? [context] : stack.chain(from: context)
    let renaming = contextsThatRename(own)
    var pairs: [(temporary: ObjectID, permanent: ObjectID)] = []
    for temporary in temporaries.sorted() {
      pairs.append((temporary, takePermanentID(for: temporary, in: context)))
    }
    rename(pairs, in: renaming)
  }

  /// Returns the temporary IDs of inserted objects that are not deleted (CT-08).
  /// §obtain-permanent-ids.2
  private func insertedTemporaries(in context: ContextID) -> [ObjectID] {
    var temporaries: [ObjectID] = []
    for slot in contexts[context.index].unsettledSlots
    where contexts[context.index].has(.inserted, slot) {
      let id = contexts[context.index].id(of: slot)
      if id.isTemporaryID { temporaries.append(id) }
    }
    return temporaries
  }

  /// Decides whether an object has been saved, or waits to be saved here or above.
  /// §obtain-permanent-ids.3.4
  private func isKnown(_ id: ObjectID, above context: ContextID) -> Bool {
    row(of: id) != id
      || stack.chain(from: context).contains { level in
        contexts[level.index].registry.slot(of: id).map {
          contexts[level.index].has(.inserted, $0)
        } ?? false
      }
  }
}
