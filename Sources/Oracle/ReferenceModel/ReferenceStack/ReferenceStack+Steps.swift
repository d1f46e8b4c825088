import ObjectModel
import Vocabulary

/// Performs steps, with one branch for each kind. Branches resolve names and append events.
extension ReferenceStack {
  /// Performs a step of context `c`. Each branch cites its operation, unless the called function
  /// does.
  mutating func run(_ step: Step, _ phase: Phase, in c: ContextID) {
    switch step {
    // §insert
    case .insert(let entity, let name):
      insert(entity, as: name, in: c)
    case .get(let name, let property, let new):
      get(property.index, of: name, in: c)
      if let new { nameAnswer(new, in: c) }
    // §set
    case .set(let name, let property, let value):
      guard let x = resolve(name, in: c), fireOrFail(x, in: c) else { return }
      set(value, property.index, of: x, in: c)
    case .increment(let name, let property, by: let amount):
      guard let x = resolve(name, in: c), fireOrFail(x, in: c) else { return }
      add(amount, to: property, of: x, in: c)
    // §relate
    case .relate(let name, let property, let reference):
      guard let x = resolve(name, in: c) else { return }
      var destination: ObjectID? = nil
      if let reference {
        destination = resolve(argument: reference, in: c)
        if destination == nil { return }
      }
      guard fireForChange(x, in: c) else { return }
      setOne(x, property.index, to: destination, in: c)
    // §add
    case .add(let name, let property, let reference):
      guard let x = resolve(name, in: c), let d = resolve(member: reference, in: c),
        fireForChange(x, in: c)
      else { return }
      add(d, to: property.index, of: x, in: c)
    // §remove
    case .remove(let name, let property, let reference):
      guard let x = resolve(name, in: c), let d = resolve(argument: reference, in: c),
        fireForChange(x, in: c)
      else { return }
      remove(d, from: property.index, of: x, in: c)
    // §replace
    case .replace(let name, let property, let references):
      guard let x = resolve(name, in: c) else { return }
      var list: [ObjectID] = []
      for reference in references {
        guard let d = resolve(member: reference, in: c) else { return }
        if !list.contains(d) { list.append(d) }
      }
      guard fireForChange(x, in: c) else { return }
      replace(property.index, of: x, with: list, in: c)
    // §delete
    case .delete(let name):
      guard let x = resolve(name, in: c), fireOrFail(x, in: c) else { return }
      delete(x, in: c)

    case .fetch(let request, let new):
      execute(request, in: c)
      if let new { nameAnswer(new, in: c) }
    case .count(let request): count(request, in: c)
    // §object-with
    case .object(let reference, let name):
      guard let id = id(of: reference) else { return }
      if lookup(id, in: c) == nil, !row(id).isTemporaryID, !isWithinReach(row(id), of: c) {
        events.append(.failed(.unreachableStore(id)))
      } else {
        answer(reach(id, in: c), as: name, in: c)
      }
    // §existing-object
    case .existingObject(let reference, let name):
      guard let id = id(of: reference) else { return }
      let wasRegistered = lookup(id, in: c) != nil
      let x = reach(id, in: c)
      // §existing-object.4: a doomed instance is a valid answer (ID-26).
      guard self[c, x].isRemoved || fire(x, in: c) else {
        if !wasRegistered { contexts[c.index].leave(x) }
        events.append(.failed(.missingObject(id)))
        return
      }
      answer(x, as: name, in: c)
    // §registered-object
    case .registeredObject(let reference, let name):
      guard let id = id(of: reference) else { return }
      guard let x = lookup(id, in: c) else {
        events.append(.nothing)
        return
      }
      answer(x, as: name, in: c)

    case .processPendingChanges:
      processPendingChanges(in: c)
    case .save:
      save(phase, in: c)
    // §refresh
    case .refresh(let name, let mergeChanges):
      guard let x = resolve(name, in: c) else { return }
      guard !self[c, x].isRemoved else {
        events.append(.nothing)
        return
      }
      refresh(x, mergeChanges: mergeChanges, in: c)
    // §refresh-all
    case .refreshAllObjects:
      for x in contexts[c.index].instances.ids where !self[c, x].isRemoved {
        refresh(x, mergeChanges: true, in: c)
      }
    case .reset:
      reset(c)
    case .rollback:
      rollback(c)
    case .obtainPermanentIDs(let names):
      obtainPermanentIDs(names, in: c)
    case .mergeChanges, .mergeRemoteChanges:
      // §merge-step.2: a merge whose source exists arrives as another action.
      events.append(.nothing)
    // §release
    case .release(let name):
      guard contexts[c.index].binding(name) != nil else {
        events.append(.nothing)
        return
      }
      contexts[c.index].release(name)
    case .setPrimitive, .insertAgain, .validate, .changedValues, .committedValues,
      .changedValuesForCurrentEvent, .hasPersistentChangedValues, .hasChanges,
      .uriRepresentation, .objectForURI:
      ask(step, in: c)
    case .undo: undo(c)
    case .redo: redo(c)
    case .disableUndoRegistration: disableUndoRegistration(c)
    case .enableUndoRegistration: enableUndoRegistration(c)
    case .assign(let name, let store): assign(name, to: store, in: c)
    case .detectConflicts(let name): detectConflicts(name, in: c)
    case .batch(let request): execute(request, in: c)
    case .performFetch(let controller): performFetch(controller, in: c)
    // §execute-save-request
    case .executeSaveRequest: events.append(.failed(.unsupportedRequest(.saveChanges)))
    case .mergeHistory: mergeHistory(c)
    case .removeStore(let store): removeStore(store, in: c)
    case .addStore(let store): addStore(store, in: c)
    case .destroyStore(let store, let isRecreated): destroyStore(store, isRecreated, in: c)
    // §set-merge-policy
    case .setMergePolicy(let policy): contexts[c.index].mergePolicy = policy
    case .setMetadata(let store, let number): setMetadata(number, of: store, in: c)
    case .metadata(let store): metadata(of: store, in: c)
    case .refuseWrite(let store, let number): refuseWrite(number, of: store, in: c)
    // §discard
    case .discard:
      if contexts[c.index].children.isEmpty {
        contexts[c.index].discard(declaredPolicy: stack.contexts[c.index].mergePolicy)
        emptyControllers(of: c)
      } else {
        events.append(.nothing)
      }
    case .kill: kill()
    case .forEach(let set, let treatment): goThrough(set, treatment, in: c)
    case .remember(let variable, let set): note(set, in: variable, c)
    // §forget
    case .forget(let variable): notedIDs[variable] = nil
    case .perform, .performAndWait, .performBackgroundTask, .directly, .async, .sync, .when,
      .trying, .call,
      .tick, .sleep, .suspend, .resume, .setFlag, .enter, .leave, .wait, .notify:
      preconditionFailure("\(step) is no action")
    }
  }

  /// Increments an attribute. Null counts as 0, and the greatest number of the type stays
  /// unchanged. §increment
  private mutating func add(
    _ amount: Int64, to property: PropertyID, of x: ObjectID, in c: ContextID
  ) {
    let old = self[c, x].values[shape(of: property.index, of: x).slot]
    var new = Value.integer(amount)
    if case .integer(let number) = old {
      // §increment.4: a sum that the type does not have leaves the value.
      let most = model[x.entity][property].attribute?.type.greatestInteger ?? Int64.max
      let sum = number.addingReportingOverflow(amount)
      let isNumber = !sum.overflow && (-most - 1...most).contains(sum.partialValue)
      new = isNumber ? .integer(sum.partialValue) : old
    }
    set(new, property.index, of: x, in: c)
    events.append(.value(new))
  }

  /// Gets a property of the object under `name`. §get
  private mutating func get(_ property: Int, of name: ObjectName, in c: ContextID) {
    // §get.1
    if goneObjectReadsDefaults, let binding = contexts[c.index].binding(name), binding.isGone {
      let shape = shapes[binding.id.entity.index]
      answer(property, of: binding.id, shape.defaults.values, shape.defaults.collections)
      return
    }
    guard let x = resolve(name, in: c), fireOrFail(x, in: c) else { return }
    if shape(of: property, of: x).isToMany { use(property, of: x, in: c) }
    answer(property, of: x, self[c, x].values, self[c, x].collections)
  }

  private mutating func answer(
    _ property: Int, of x: ObjectID, _ values: [Value], _ collections: [[ObjectID]]
  ) {
    let shape = shape(of: property, of: x)
    events.append(
      shape.isToMany ? .collection(collections[shape.slot]) : .value(values[shape.slot]))
  }

  /// Resolves a name. Returns nil after `nothing` or a failure, which ends the step. §resolve
  mutating func resolve(_ name: ObjectName, in c: ContextID) -> ObjectID? {
    guard let binding = contexts[c.index].binding(name) else {
      events.append(.nothing)
      return nil
    }
    guard !binding.isGone else {
      events.append(.failed(.noContext))
      return nil
    }
    return binding.id
  }

  /// Resolves the argument of a relationship step. Returns nil if the step has ended.
  /// §resolve-argument
  private mutating func resolve(argument: HeldInstance, in c: ContextID) -> ObjectID? {
    guard let d = resolve(member: argument, in: c) else { return nil }
    // §resolve-argument.5
    guard !self[c, d].isRemoved else {
      events.append(.nothing)
      return nil
    }
    return d
  }

  /// Resolves a new member of a to-many relationship, which may be doomed until a save (RL-15).
  /// Returns nil if the step has ended. §resolve-argument
  private mutating func resolve(member: HeldInstance, in c: ContextID) -> ObjectID? {
    guard let binding = contexts[member.context.index].binding(member.name) else {
      events.append(.nothing)
      return nil
    }
    guard member.context == c else {
      // A child and its parent are different contexts, too (RL-02).
      events.append(.failed(.differentContexts))
      return nil
    }
    guard !binding.isGone else {
      events.append(.failed(.noContext))
      return nil
    }
    return fireOrFail(binding.id, in: c) ? binding.id : nil
  }

  /// Resolves a reference to an ID, even if the instance is gone. Returns nil if the step has
  /// ended. §resolve-reference
  mutating func id(of reference: HeldInstance) -> ObjectID? {
    guard let binding = contexts[reference.context.index].binding(reference.name) else {
      events.append(.nothing)
      return nil
    }
    return binding.id
  }

  /// Fires `x` for a step that refuses doomed objects. Returns false if the step has ended. §add.3
  mutating func fireForChange(_ x: ObjectID, in c: ContextID) -> Bool {
    guard fireOrFail(x, in: c) else { return false }
    guard !self[c, x].isRemoved else {
      events.append(.nothing)
      return false
    }
    return true
  }

  /// Binds a name to an object and reports the object.
  mutating func answer(_ x: ObjectID, as name: ObjectName, in c: ContextID) {
    bind(name, to: x, in: c)
    events.append(.object(x))
  }

  /// Binds a result of a fetch to the name of the object, unless a registered instance has that
  /// name in `c`. §bind-results
  mutating func bindUnderItsName(_ x: ObjectID, in c: ContextID) {
    guard let name = name(of: x), contexts[c.index].binding(name)?.isGone != false else { return }
    bind(name, to: x, in: c)
  }

  /// Binds `name` to the object that the step has just reported. Unbinds `name` if the step found
  /// no object. After a failure, the name keeps its binding. §get.5, §execute-fetch.1.5,
  /// §execute-fetch.1.6
  private mutating func nameAnswer(_ name: ObjectName, in c: ContextID) {
    let found: ObjectID?
    switch events.last {
    case .value(let value)?: found = value.objectID
    case .objects(let ids)?: found = ids.first
    default: return
    }
    if let found { return bind(name, to: reach(found, in: c), in: c) }
    if contexts[c.index].binding(name) == nil { return }
    needsCollection = true
    contexts[c.index].release(name)
  }

  /// Binds a name. §bind
  mutating func bind(_ name: ObjectName, to x: ObjectID, in c: ContextID) {
    // The instance that loses the name may have to leave its context.
    if contexts[c.index].binding(name) != nil { needsCollection = true }
    contexts[c.index].bind(name, to: x)
  }
}
