import ObjectModel
import Vocabulary

/// Insertions, deletions, hooks, and the end of an event.
extension ReferenceStack {
  /// Notes that a property was set, even to an equal value (CT-01).
  mutating func track(_ property: Int, of x: ObjectID, in c: ContextID) {
    guard !self[c, x].isRemoved else { return }
    self[c, x].changed.insert(property)
    if !self[c, x].isInserted { self[c, x].isUpdated = true }
    // An insert that was already reported is reported as updated (NM-A2).
    if !self[c, x].event.contains(.inserted) { self[c, x].event.insert(.updated) }
  }

  @discardableResult
  mutating func insert(_ entity: EntityID, as name: ObjectName?, in c: ContextID) -> ObjectID {
    births.append(Birth(context: c.index, name: name?.index))
    let x = ObjectID.temporary(entity, serial: births.count)
    contexts[c.index].instances.put(newInstance(x))
    if let name { bind(name, to: x, in: c) }
    awaken(x, in: c)
    return x
  }

  func newInstance(_ id: ObjectID) -> Instance {
    var instance = Instance(id: id)
    instance.realise(shapes[id.entity.index].defaults)
    instance.isInserted = true
    instance.event = .inserted
    return instance
  }

  mutating func awaken(_ x: ObjectID, in c: ContextID) {
    events.append(.awakeFromInsert(c, x, self[c, x].values))
    runActions(of: .awakeFromInsert, on: x, in: c)
  }

  /// What the class does in `hook`; answers whether that changed anything.
  @discardableResult
  mutating func runActions(of hook: Hook, on x: ObjectID, in c: ContextID) -> Bool {
    var hasChanged = false
    let actions = model.entities[x.entity.index].hookActions
    for action in actions
    where action.hook == hook && !self[c, x].isFault && !self[c, x].isRemoved {
      let property = action.property.index
      let shape = shape(of: property, of: x)
      let isNil =
        shape.isToMany
        ? self[c, x].collections[shape.slot].isEmpty : self[c, x].values[shape.slot].isNull
      // LC-09: without the guard, willSave would run for ever.
      if action.onlyIfNil || hook == .willSave, !isNil { continue }
      switch action.effect {
      case .set(let value):
        set(value, property, of: x, in: c, by: hook)
        hasChanged = hasChanged || !value.isNull || !isNil
      case .setNext:
        guard let attribute = model.entities[x.entity.index].properties[property].attribute else {
          preconditionFailure("setNext is for attributes")
        }
        let value = attribute.value(numbered: nextHookValue)
        nextHookValue += 1
        set(value, property, of: x, in: c, by: hook)
        hasChanged = true
      case .insertRelated:
        insertRelated(property, of: x, in: c, by: hook)
        hasChanged = true
      }
    }
    return hasChanged
  }

  private mutating func set(
    _ value: Value, _ property: Int, of x: ObjectID, in c: ContextID, by hook: Hook
  ) {
    let slot = shape(of: property, of: x).slot
    self[c, x].values[slot] = value
    if hook == .awakeFromFetch {
      // LC-06: change processing is off.
      self[c, x].base.values[slot] = value
    } else {
      track(property, of: x, in: c)
    }
    events.append(.hookSet(c, x, PropertyID(property), value))
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
    // LC-13: also when it is deleted already.
    events.append(.hook(.prepareForDeletion, c, x))
    markDeleted(x, in: c)
  }

  /// What `delete` does after its hook.
  mutating func markDeleted(_ x: ObjectID, in c: ContextID) {
    guard !self[c, x].isRemoved else { return }
    if self[c, x].isInserted {
      self[c, x].isInserted = false
      self[c, x].isDiscarded = true
    } else {
      self[c, x].isDeleted = true
    }
    self[c, x].isUpdated = false
    // CT-09: inserted and deleted within one event, it is not mentioned at all.
    self[c, x].event = self[c, x].event.contains(.inserted) ? [] : .deleted
    contexts[c.index].unpropagatedDeletions.append(x)
  }

  // MARK: The end of an event

  mutating func processPendingChanges(in c: ContextID) {
    var next = 0
    while next < contexts[c.index].unpropagatedDeletions.count {
      propagate(contexts[c.index].unpropagatedDeletions[next], in: c)
      next += 1
    }
    contexts[c.index].unpropagatedDeletions.removeAll()
    report(in: c)
  }

  private mutating func propagate(_ x: ObjectID, in c: ContextID) {
    for shape in shapes[x.entity.index].properties where shape.isRelationship {
      switch shape.deleteRule {
      case .nullify:
        guard let inverse = shape.inverse else { continue }
        for destination in destinations(shape, of: x, in: c) {
          guard let d = reachLive(destination, in: c) else { continue }
          takeOut(x, from: inverse, of: d, in: c)
        }
      case .cascade:
        for destination in destinations(shape, of: x, in: c) {
          guard let d = reachLive(destination, in: c) else { continue }
          delete(d, in: c)
        }
      case .deny, .noAction: continue
      }
    }
  }

  /// Where a relationship of a realised instance leads.
  func destinations(_ shape: PropertyShape, of x: ObjectID, in c: ContextID) -> [ObjectID] {
    if shape.isToMany { return self[c, x].collections[shape.slot] }
    return self[c, x].values[shape.slot].objectID.map { [$0] } ?? []
  }

  /// Posts what the running event was, and ends it.
  private mutating func report(in c: ContextID) {
    var sets = ChangeSets()
    var discarded: [ObjectID] = []
    contexts[c.index].instances.changeEach { instance in
      if instance.isDiscarded { discarded.append(instance.id) }
      let event = instance.event
      instance.event = []
      if event.contains(.inserted) {
        sets.inserted.append(instance.id)
      } else if event.contains(.deleted) {
        sets.deleted.append(instance.id)
      } else {
        if event.contains(.updated) { sets.updated.append(instance.id) }
        if event.contains(.refreshed) { sets.refreshed.append(instance.id) }
      }
    }
    for x in discarded { contexts[c.index].leave(x) }
    if !sets.isEmpty { events.append(.objectsDidChange(c, sets)) }
  }
}
