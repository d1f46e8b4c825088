import ObjectModel
import Vocabulary

/// Inserts and deletes objects, calls hooks, and processes pending changes.
extension ReferenceStack {
  /// Sets an attribute, or a to-one relationship without its inverse, of a realised instance.
  /// §set-value
  mutating func set(_ value: Value, _ property: Int, of x: ObjectID, in c: ContextID) {
    let shape = shape(of: property, of: x)
    assert(!shape.isToMany, "a to-many relationship has no single value")
    self[c, x].set(
      property, in: shape.slot, to: value, reportsEditedInsert: !editedInsertIsNotReported)
  }

  /// Tracks a change of a property, even to an equal value (CT-01). §track
  mutating func track(_ property: Int, of x: ObjectID, in c: ContextID) {
    self[c, x].track(property, reportsEditedInsert: !editedInsertIsNotReported)
  }

  /// Inserts an instance, and binds it to `name` if a name is given. §insert-object
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

  /// Calls the hook `awakeFromInsert` of a realised insertion. §call-hook
  mutating func awaken(_ x: ObjectID, in c: ContextID) {
    assert(self[c, x].isInserted && !self[c, x].isFault, "\(x) awakens before it is inserted")
    events.append(.awakeFromInsert(c, x, self[c, x].values))
    followCode(.awakeFromInsert, x, in: c)
    runActions(of: .awakeFromInsert, on: x, in: c)
  }

  /// Runs the actions of a hook, and returns whether one was tracked as a change. §run-actions
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

  /// Returns true if a property is null or an empty collection. A class reads the property through
  /// its accessor, which uses the relationship. §run-actions.2.2
  private mutating func isNil(_ property: Int, of x: ObjectID, in c: ContextID) -> Bool {
    let shape = shape(of: property, of: x)
    guard shape.isToMany else { return self[c, x].values[shape.slot].isNull }
    use(property, of: x, in: c)
    return self[c, x].collections[shape.slot].isEmpty
  }

  /// Sets an attribute by an action of a hook. §run-actions.2.6 to §run-actions.2.9
  private mutating func set(
    _ value: Value, by action: HookAction, on x: ObjectID, in c: ContextID
  ) {
    let property = action.property
    let slot = shape(of: property.index, of: x).slot
    if action.hook == .awakeFromFetch {
      // §run-actions.2.6 (LC-06)
      self[c, x].values[slot] = value
      self[c, x].base.values[slot] = value
    } else if action.isPrimitive {
      // §run-actions.2.7 (LC-04)
      self[c, x].values[slot] = value
    } else {
      set(value, property.index, of: x, in: c)
    }
    events.append(.hookSet(c, x, property, value))
  }

  /// Inserts an object and relates `x` to it. §run-actions.2.3
  private mutating func insertRelated(
    _ property: Int, of x: ObjectID, in c: ContextID, by hook: Hook
  ) {
    // LC-06: awakeFromFetch does not maintain inverses. The model infers that no object is related.
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

  /// Deletes a realised instance. §delete-object
  mutating func delete(_ x: ObjectID, in c: ContextID) {
    assert(!self[c, x].isFault, "\(x) is deleted before it is fired")
    // §delete-object.1: the hook of a doomed instance is called, too (LC-13).
    events.append(.hook(.prepareForDeletion, c, x))
    followCode(.prepareForDeletion, x, in: c)
    markDeleted(x, in: c)
  }

  /// Marks an instance as deleted, unless it is doomed. §mark-deleted
  mutating func markDeleted(_ x: ObjectID, propagates: Bool = true, in c: ContextID) {
    if self[c, x].isRemoved { return }
    self[c, x].delete()
    assert(!contexts[c.index].unpropagatedDeletions.contains(x), "\(x) is to propagate already")
    if propagates { contexts[c.index].unpropagatedDeletions.append(x) }
  }

  // MARK: The end of an event

  /// Processes pending changes of `c`. §process
  ///
  /// Pass `false` for `namesObjects` for a nameless merge, which posts a notification without
  /// objects.
  mutating func processPendingChanges(
    in c: ContextID, isSaving: Bool = false, namesObjects: Bool = true
  ) {
    // §process.1 (RL-10)
    if isSaving || contexts[c.index].propagatesDeletesAtEndOfEvent { propagateDeletions(in: c) }
    if isSaving { repairCollections(in: c) }
    report(in: c, namesObjects: namesObjects)
  }

  /// Propagates deletions in order, including those that a cascade appends. §process.1.1
  private mutating func propagateDeletions(in c: ContextID) {
    var next = 0
    while next < contexts[c.index].unpropagatedDeletions.count {
      propagate(contexts[c.index].unpropagatedDeletions[next], in: c)
      next += 1
    }
    contexts[c.index].unpropagatedDeletions.removeAll()
  }

  /// Propagates the deletion of a doomed instance. §propagate
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

  /// Fires a destination of a deletion. Returns nil if the destination is doomed, or becomes
  /// inaccessible (RD-A9). §meet-destination
  private mutating func meet(_ destination: ObjectID, in c: ContextID) -> ObjectID? {
    let d = reach(destination, in: c)
    if self[c, d].isRemoved { return nil }
    assert(contexts[c.index].instances.contains(d), "\(d) is not registered")
    if fire(d, in: c) { return d }
    if !raisesForInaccessibleFaults(c) { becomeInaccessible(d, in: c) }
    return nil
  }

  /// Returns the destinations of a relationship of a realised instance. §propagate.1.3
  mutating func destinations(_ property: Int, of x: ObjectID, in c: ContextID) -> [ObjectID] {
    let shape = shape(of: property, of: x)
    guard shape.isToMany else { return self[c, x].values[shape.slot].objectID.map { [$0] } ?? [] }
    assert(!self[c, x].isFault, "the fault \(x) leads nowhere")
    use(property, of: x, in: c)
    return self[c, x].collections[shape.slot]
  }

  /// Reports the running event of `c`, registers an undo group for it, and ends it. §report
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
    // §report.6, §report.7
    events.append(.objectsDidChange(c, namesObjects ? sets : ChangeSets()))
    if namesObjects { tellControllers(sets, in: c) }
  }
}
