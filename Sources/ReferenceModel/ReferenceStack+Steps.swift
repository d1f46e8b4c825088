import ObjectModel
import Vocabulary

/// One branch a step: names are resolved here, and answers given.
extension ReferenceStack {
  mutating func run(_ step: Step, _ phase: Phase, in c: ContextID) {
    switch step {
    case .get, .set, .relate, .add, .remove, .replace, .insert: break
    default: needsCollection = true
    }
    switch step {
    case .insert(let entity, let name):
      insert(entity, as: name, in: c)
    case .get(let name, let property):
      guard let x = resolve(name, in: c), fireOrFail(x, in: c) else { return }
      let shape = shape(of: property.index, of: x)
      if shape.isToMany {
        events.append(.collection(self[c, x].collections[shape.slot]))
      } else {
        events.append(.value(self[c, x].values[shape.slot]))
      }
    case .set(let name, let property, let value):
      guard let x = resolve(name, in: c), fireForChange(x, in: c) else { return }
      self[c, x].values[shape(of: property.index, of: x).slot] = value
      track(property.index, of: x, in: c)
    case .relate(let name, let property, let reference):
      guard let x = resolve(name, in: c) else { return }
      var destination: ObjectID? = nil
      if let reference {
        destination = resolve(argument: reference, in: c)
        if destination == nil { return }
      }
      guard fireForChange(x, in: c) else { return }
      setOne(x, property.index, to: destination, in: c)
    case .add(let name, let property, let reference):
      guard let x = resolve(name, in: c), let d = resolve(argument: reference, in: c),
        fireForChange(x, in: c)
      else { return }
      add(d, to: property.index, of: x, in: c)
    case .remove(let name, let property, let reference):
      guard let x = resolve(name, in: c), let d = resolve(argument: reference, in: c),
        fireForChange(x, in: c)
      else { return }
      remove(d, from: property.index, of: x, in: c)
    case .replace(let name, let property, let references):
      guard let x = resolve(name, in: c) else { return }
      var list: [ObjectID] = []
      for reference in references {
        guard let d = resolve(argument: reference, in: c) else { return }
        if !list.contains(d) { list.append(d) }
      }
      guard fireForChange(x, in: c) else { return }
      replace(property.index, of: x, with: list, in: c)
    case .delete(let name):
      guard let x = resolve(name, in: c), fireOrFail(x, in: c) else { return }
      delete(x, in: c)

    case .fetch(let request):
      let found = fetch(query(request), in: c)
      // FE-08. A count has no use for values.
      if !request.returnsObjectsAsFaults {
        for x in found { _ = fire(x, in: c) }
      }
      for id in found { bindUnderItsName(id, in: c) }
      events.append(.objects(found))
    case .count(let request):
      events.append(.count(fetch(query(request), in: c).count))
    case .object(let reference, let name):
      guard let id = id(of: reference) else { return }
      answer(reach(id, in: c), as: name, in: c)
    case .existingObject(let reference, let name):
      guard let id = id(of: reference) else { return }
      // What is deleted here is still an answer (ID-26).
      let x = reach(id, in: c)
      guard self[c, x].isRemoved || fire(x, in: c) else {
        events.append(.failed(.missingObject(id)))
        return
      }
      answer(x, as: name, in: c)
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
    case .refresh(let name, let mergeChanges):
      guard let x = resolve(name, in: c) else { return }
      guard !self[c, x].isRemoved else {
        events.append(.nothing)
        return
      }
      refresh(x, mergeChanges: mergeChanges, in: c)
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
    case .mergeChanges:
      // What can be resolved arrives as `Action.merge`.
      events.append(.nothing)
    case .release(let name):
      guard contexts[c.index].binding(name) != nil else {
        events.append(.nothing)
        return
      }
      contexts[c.index].release(name)
    case .perform, .performAndWait, .tick, .sleep:
      preconditionFailure("\(step) is no action")
    }
  }

  /// The instance under `name`; without one, the step has had its answer.
  private mutating func resolve(_ name: ObjectName, in c: ContextID) -> ObjectID? {
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

  /// The instance that a relationship is to lead to; without one, the step has had its answer.
  private mutating func resolve(argument: Reference, in c: ContextID) -> ObjectID? {
    guard let binding = contexts[argument.context.index].binding(argument.name) else {
      events.append(.nothing)
      return nil
    }
    guard argument.context == c else {
      // RL-02: child and parent are different contexts, too.
      events.append(.failed(.differentContexts))
      return nil
    }
    guard !binding.isGone else {
      events.append(.failed(.noContext))
      return nil
    }
    // CT-14: nothing can be related to what does not exist.
    guard fireForChange(binding.id, in: c) else { return nil }
    return binding.id
  }

  /// The ID behind `reference`, even of an instance that is gone; without one, the step has had its
  /// answer.
  private mutating func id(of reference: Reference) -> ObjectID? {
    guard let binding = contexts[reference.context.index].binding(reference.name) else {
      events.append(.nothing)
      return nil
    }
    return binding.id
  }

  /// Fires `x`; false if that fails or if a deleted object is not to be changed.
  private mutating func fireForChange(_ x: ObjectID, in c: ContextID) -> Bool {
    guard fireOrFail(x, in: c) else { return false }
    guard !self[c, x].isRemoved else {
      events.append(.nothing)
      return false
    }
    return true
  }

  private mutating func answer(_ x: ObjectID, as name: ObjectName, in c: ContextID) {
    bind(name, to: x, in: c)
    events.append(.object(x))
  }

  /// Binds what a fetch found to its program name, unless a live one has that name here.
  private mutating func bindUnderItsName(_ x: ObjectID, in c: ContextID) {
    guard let name = name(of: x), contexts[c.index].binding(name)?.isGone != false else { return }
    bind(name, to: x, in: c)
  }

  mutating func bind(_ name: ObjectName, to x: ObjectID, in c: ContextID) {
    // An instance that loses a name may be nobody's.
    if contexts[c.index].binding(name) != nil { needsCollection = true }
    contexts[c.index].bind(name, to: x)
  }
}
