import ObjectModel
import Vocabulary

/// Insertions, deletions, hooks, and the end of an event.
extension ReferenceStack {
  /// Sets an attribute or one side of a to-one relationship of a realised instance.
  mutating func set(_ value: Value, _ property: Int, of x: ObjectID, in c: ContextID) {
    let shape = shape(of: property, of: x)
    assert(!shape.isToMany, "a to-many relationship has no single value")
    self[c, x].set(
      property, in: shape.slot, to: value, reportsEditedInsert: !editedInsertIsNotReported)
  }

  /// Notes that a property was set, even to an equal value (CT-01).
  mutating func track(_ property: Int, of x: ObjectID, in c: ContextID) {
    self[c, x].track(property, reportsEditedInsert: !editedInsertIsNotReported)
  }

  @discardableResult
  mutating func insert(_ entity: EntityID, as name: ObjectName?, in c: ContextID) -> ObjectID {
    births.append(Birth(context: c.index, name: name?.index))
    let x = ObjectID.temporary(entity, serial: births.count)
    contexts[c.index].instances.put(
      Instance(id: x, showing: shapes[entity.index].defaults))
    if let name { bind(name, to: x, in: c) }
    awaken(x, in: c)
    assert(self[c, x].isInserted, "\(x) is not inserted")
    return x
  }

  mutating func awaken(_ x: ObjectID, in c: ContextID) {
    assert(self[c, x].isInserted && !self[c, x].isFault, "\(x) awakens before it is inserted")
    events.append(.awakeFromInsert(c, x, self[c, x].values))
    followCode(.awakeFromInsert, x, in: c)
    runActions(of: .awakeFromInsert, on: x, in: c)
  }

  /// What the class does in `hook`; answers whether any of it was tracked as a change.
  @discardableResult
  mutating func runActions(of hook: Hook, on x: ObjectID, in c: ContextID) -> Bool {
    var isTracked = false
    let actions = model.entities[x.entity.index].hookActions
    for action in actions
    where action.hook == hook && !self[c, x].isFault && !self[c, x].isRemoved {
      let property = action.property.index
      if action.onlyIfNil, !isNil(property, of: x, in: c) { continue }
      switch action.effect {
      case .set(let value):
        set(value, by: action, on: x, in: c)
      case .setNext:
        guard let attribute = model.entities[x.entity.index].properties[property].attribute else {
          preconditionFailure("setNext is for attributes")
        }
        let value = attribute.value(numbered: nextHookValue)
        nextHookValue += 1
        set(value, by: action, on: x, in: c)
      case .insertRelated:
        insertRelated(property, of: x, in: c, by: hook)
      }
      if !action.isPrimitive { isTracked = true }
    }
    return isTracked
  }

  /// As the class finds out, by getting it.
  private mutating func isNil(_ property: Int, of x: ObjectID, in c: ContextID) -> Bool {
    let shape = shape(of: property, of: x)
    guard shape.isToMany else { return self[c, x].values[shape.slot].isNull }
    use(property, of: x, in: c)
    return self[c, x].collections[shape.slot].isEmpty
  }

  private mutating func set(
    _ value: Value, by action: HookAction, on x: ObjectID, in c: ContextID
  ) {
    let property = action.property
    let slot = shape(of: property.index, of: x).slot
    if action.hook == .awakeFromFetch {
      // LC-06: change processing is off.
      self[c, x].values[slot] = value
      self[c, x].base.values[slot] = value
    } else if action.isPrimitive {
      // LC-04: not a change.
      self[c, x].values[slot] = value
    } else {
      set(value, property.index, of: x, in: c)
    }
    events.append(.hookSet(c, x, property, value))
  }

  private mutating func insertRelated(
    _ property: Int, of x: ObjectID, in c: ContextID, by hook: Hook
  ) {
    // LC-06: inverses are not maintained in awakeFromFetch; inferred that nothing is related.
    guard hook != .awakeFromFetch,
      let relationship = model.entities[x.entity.index].properties[property].relationship
    else { return }
    let d = insert(relationship.destination, as: nil, in: c)
    if relationship.isToMany {
      add(d, to: property, of: x, in: c)
    } else {
      setOne(x, property, to: d, in: c)
    }
  }

  mutating func delete(_ x: ObjectID, in c: ContextID) {
    assert(!self[c, x].isFault, "\(x) is deleted before it is fired")
    // LC-13: also when it is deleted already.
    events.append(.hook(.prepareForDeletion, c, x))
    followCode(.prepareForDeletion, x, in: c)
    markDeleted(x, in: c)
  }

  /// What `delete` does after its hook.
  mutating func markDeleted(_ x: ObjectID, propagates: Bool = true, in c: ContextID) {
    if self[c, x].isRemoved { return }
    self[c, x].delete()
    assert(!contexts[c.index].unpropagatedDeletions.contains(x), "\(x) is to propagate already")
    if propagates { contexts[c.index].unpropagatedDeletions.append(x) }
  }

  // MARK: The end of an event

  /// `namesObjects` is false where a merge posts a notification that says nothing.
  mutating func processPendingChanges(
    in c: ContextID, isSaving: Bool = false, namesObjects: Bool = true
  ) {
    // RL-10: a context may wait for its own save.
    if isSaving || contexts[c.index].propagatesDeletesAtEndOfEvent { propagateDeletions(in: c) }
    if isSaving { repairCollections(in: c) }
    report(in: c, namesObjects: namesObjects)
  }

  private mutating func propagateDeletions(in c: ContextID) {
    var next = 0
    while next < contexts[c.index].unpropagatedDeletions.count {
      propagate(contexts[c.index].unpropagatedDeletions[next], in: c)
      next += 1
    }
    contexts[c.index].unpropagatedDeletions.removeAll()
  }

  private mutating func propagate(_ x: ObjectID, in c: ContextID) {
    assert(self[c, x].isRemoved, "\(x) propagates its deletion and is not deleted")
    for (property, shape) in shapes[x.entity.index].relationships {
      switch shape.deleteRule {
      case .nullify:
        guard let inverse = shape.inverse else { continue }
        for destination in destinations(property, of: x, in: c) {
          guard let d = meet(destination, in: c) else { continue }
          takeOut(x, from: inverse, of: d, in: c)
        }
      case .cascade:
        for destination in destinations(property, of: x, in: c) {
          guard let d = meet(destination, in: c) else { continue }
          delete(d, in: c)
        }
      case .deny, .noAction: continue
      }
    }
  }

  /// The instance that a deletion comes to; nil if it is deleted, as it is by now if it turned out
  /// to be inaccessible (RD-A9), or if firing it raises.
  private mutating func meet(_ destination: ObjectID, in c: ContextID) -> ObjectID? {
    let d = reach(destination, in: c)
    if self[c, d].isRemoved { return nil }
    assert(contexts[c.index].instances.contains(d), "\(d) is not registered")
    if fire(d, in: c) { return d }
    if !raisesForInaccessibleFaults(c) { becomeInaccessible(d, in: c) }
    return nil
  }

  /// Where a relationship of a realised instance leads.
  mutating func destinations(_ property: Int, of x: ObjectID, in c: ContextID) -> [ObjectID] {
    let shape = shape(of: property, of: x)
    guard shape.isToMany else { return self[c, x].values[shape.slot].objectID.map { [$0] } ?? [] }
    assert(!self[c, x].isFault, "the fault \(x) leads nowhere")
    use(property, of: x, in: c)
    return self[c, x].collections[shape.slot]
  }

  /// Posts what the running event was, has the undo manager note it, and ends it.
  private mutating func report(in c: ContextID, namesObjects: Bool) {
    let changed = changing(in: c)
    if changed.isEmpty { return }
    var sets = ChangeSets()
    var discarded: [ObjectID] = []
    var group: [UndoRecord] = []
    let canUndo = contexts[c.index].undoManager != nil
    for x in changed {
      if self[c, x].isDiscarded { discarded.note(x) }
      if canUndo, let record = UndoRecord(of: self[c, x]) { group.append(record) }
      let event = self[c, x].endEvent()
      if event.contains(.inserted) {
        sets.inserted.note(x)
      } else if event.contains(.deleted) {
        sets.deleted.note(x)
      } else {
        if event.contains(.updated) { sets.updated.note(x) }
        if event.contains(.refreshed) { sets.refreshed.note(x) }
      }
    }
    for x in discarded { contexts[c.index].leave(x) }
    contexts[c.index].undoManager?.register(group)
    assert(changing(in: c).isEmpty, "an event is over and has instances")
    if sets.isEmpty { return }
    events.append(.objectsDidChange(c, namesObjects ? sets : ChangeSets()))
    if namesObjects { tellControllers(sets, in: c) }
  }
}
