import ObjectModel
import Vocabulary

/// Faults: where their values come from, and how they are fired.
extension World {
  /// What a level below gets to see of an object.
  struct Loaded {
    var snapshot: ManagedObject.Snapshot
    var version: Int
  }

  /// Asks the levels above `context` for an object; nil if it is missing there.
  ///
  /// The nearest ancestor that has it answers, unsaved changes and all (FL-23), and every context
  /// on the way registers it (FL-24). At the root the row cache outranks the store (FL-05).
  mutating func load(_ id: ObjectID, for context: ContextID) -> Loaded? {
    if quirks.contains(.rowHasTwoInstances), id.isTemporaryID, row(of: id) != id,
      !isAncestorOrSelf(context, ofOriginOf: id)
    {
      return nil
    }
    guard let parent = contexts[context.index].parent else { return loadRow(of: id, for: context) }
    if bugs.contains(.skipsAncestors), !row(of: id).isTemporaryID,
      let store = id.store, let row = stores[store.index][id]
    {
      return localized(
        Loaded(
          snapshot: .init(values: row.values, collections: row.collections), version: row.version),
        of: id.entity, in: context)
    }
    let slot = instance(id, in: parent)
    if contexts[parent.index].objects[slot].isDoomed { return nil }
    if contexts[parent.index].objects[slot].isFault {
      guard fireQuietly(slot, in: parent) else { return nil }
    } else if !quirks.contains(.ancestorCacheHidesUpdates) {
      guard bringUpToDate(slot, in: parent) else { return nil }
    }
    let object = contexts[parent.index].objects[slot]
    var loaded = Loaded(snapshot: object.current, version: object.version)
    dropTransients(in: &loaded.snapshot, of: object.id.entity)
    return localized(loaded, of: object.id.entity, in: context)
  }

  private mutating func loadRow(of id: ObjectID, for context: ContextID) -> Loaded? {
    let id = row(of: id)
    guard let store = id.store else { return nil }
    let coordinator = contexts[context.index].coordinator.index
    let row: Row
    if let cached = coordinators[coordinator][id] {
      row = cached
    } else if let stored = stores[store.index][id] {
      row = stored
      coordinators[coordinator][id] = stored
      coordinators[coordinator].checkReference(of: id)
    } else {
      return nil
    }
    let loaded = Loaded(
      snapshot: .init(values: row.values, collections: row.collections), version: row.version)
    return localized(loaded, of: id.entity, in: context)
  }

  func localized(
    _ loaded: Loaded, of entity: EntityID, in context: ContextID
  ) -> Loaded {
    var loaded = loaded
    for property in shapes[entity.index] where property.isRelationship {
      if property.kind == .toOne {
        loaded.snapshot.values[property.slot] =
          localized(loaded.snapshot.values[property.slot], in: context)
      } else if !loaded.snapshot.collections[property.slot].isEmpty {
        loaded.snapshot.collections[property.slot] =
          localized(loaded.snapshot.collections[property.slot], property, in: context)
      }
    }
    return loaded
  }

  func localized(
    _ collection: [ObjectID], _ property: PropertyShape, in context: ContextID
  ) -> [ObjectID] {
    var result = collection.map { localized($0, in: context) }
    if !property.isOrdered { result.sort() }
    return result
  }

  func dropTransients(in snapshot: inout ManagedObject.Snapshot, of entity: EntityID) {
    let defaults = model.entities[entity.index].defaultValues
    for property in shapes[entity.index] where property.isTransient {
      snapshot.values[property.slot] = defaults[property.slot]
    }
  }

  func defaults(of entity: EntityID) -> ManagedObject.Snapshot {
    ManagedObject.Snapshot(
      values: model.entities[entity.index].defaultValues,
      collections: Array(repeating: [], count: model.entities[entity.index].collectionCount))
  }

  /// Makes sure that an instance is realised, for a step of the program.
  mutating func fire(_ slot: Int, in context: ContextID) throws(Interruption) {
    guard contexts[context.index].objects[slot].isFault, !fireQuietly(slot, in: context) else {
      return
    }
    let id = contexts[context.index].objects[slot].id
    if quirks.contains(.inaccessibleFaultRaises) {
      throw Interruption(failure: .inaccessible(id))
    }
    markInaccessible(slot, in: context)
  }

  /// Makes sure that an instance is realised; false, and still a fault, if its row is missing.
  mutating func fireQuietly(_ slot: Int, in context: ContextID) -> Bool {
    guard contexts[context.index].objects[slot].isFault else { return true }
    let id = contexts[context.index].objects[slot].id
    if contexts[context.index].objects[slot].flags.contains(.inserted) {
      let defaults = defaults(of: id.entity)
      contexts[context.index].objects[slot].current = defaults
      contexts[context.index].objects[slot].base = defaults
      contexts[context.index].objects[slot].flags.remove(.fault)
      return true
    }
    guard let loaded = load(id, for: context) else { return false }
    take(loaded, for: slot, in: context)
    if !bugs.contains(.forgetsAwakeFromFetch) { awakeFromFetch(slot, in: context) }
    return true
  }

  /// The instance shows just what was loaded.
  mutating func take(_ loaded: Loaded, for slot: Int, in context: ContextID) {
    contexts[context.index].objects[slot].current = loaded.snapshot
    contexts[context.index].objects[slot].base = loaded.snapshot
    contexts[context.index].objects[slot].version = loaded.version
    contexts[context.index].objects[slot].changed.removeAll()
    contexts[context.index].objects[slot].flags.remove(.fault)
  }

  /// The row is gone: the object reads nil and counts as deleted (FL-14).
  mutating func markInaccessible(_ slot: Int, in context: ContextID) {
    let entity = contexts[context.index].objects[slot].id.entity
    let nothing = ManagedObject.Snapshot(
      values: Array(repeating: .null, count: model.entities[entity.index].valueCount),
      collections: Array(repeating: [], count: model.entities[entity.index].collectionCount))
    take(Loaded(snapshot: nothing, version: 0), for: slot, in: context)
    contexts[context.index].objects[slot].flags.remove(.updated)
    contexts[context.index].objects[slot].flags.insert([.deleted, .reportDeleted])
    contexts[context.index].hasReports = true
  }

  // MARK: Hooks

  private mutating func awakeFromFetch(_ slot: Int, in context: ContextID) {
    let id = contexts[context.index].objects[slot].id
    events.append(.hook(.awakeFromFetch, context, id))
    // Change processing is off: the values become part of the snapshot (LC-06).
    for action in model.entities[id.entity.index].hookActions where action.hook == .awakeFromFetch {
      let property = shapes[id.entity.index][action.property.index]
      guard let value = value(of: action, for: slot, in: context) else { continue }
      contexts[context.index].objects[slot].current.values[property.slot] = value
      contexts[context.index].objects[slot].base.values[property.slot] = value
      events.append(.hookSet(context, id, action.property, value))
    }
  }

  mutating func awakeFromInsert(_ slot: Int, in context: ContextID) {
    let id = contexts[context.index].objects[slot].id
    events.append(
      .awakeFromInsert(context, id, contexts[context.index].objects[slot].current.values))
    for action in model.entities[id.entity.index].hookActions where action.hook == .awakeFromInsert
    {
      if action.effect == .insertRelated {
        insertRelated(action.property, of: slot, in: context)
      } else {
        _ = run(action, for: slot, in: context)
      }
    }
  }

  private mutating func insertRelated(
    _ property: PropertyID, of slot: Int, in context: ContextID
  ) {
    let id = contexts[context.index].objects[slot].id
    let shape = shapes[id.entity.index][property.index]
    let companion = insert(shape.destination, as: nil, in: context)
    let companionID = contexts[context.index].objects[companion].id
    if shape.kind == .toOne {
      setDestination(companionID, of: property, slot, in: context)
    } else {
      add(companionID, to: property, of: slot, in: context)
    }
  }

  /// Runs a hook's assignment as a tracked change; false if its guard skipped it.
  mutating func run(_ action: HookAction, for slot: Int, in context: ContextID) -> Bool {
    guard let value = value(of: action, for: slot, in: context) else { return false }
    let id = contexts[context.index].objects[slot].id
    let shape = shapes[id.entity.index][action.property.index]
    contexts[context.index].objects[slot].current.values[shape.slot] = value
    track(action.property.index, of: slot, in: context)
    events.append(.hookSet(context, id, action.property, value))
    return true
  }

  private mutating func value(
    of action: HookAction, for slot: Int, in context: ContextID
  ) -> Value? {
    let id = contexts[context.index].objects[slot].id
    let shape = shapes[id.entity.index][action.property.index]
    let isGuarded = action.onlyIfNil || action.hook == .willSave
    if isGuarded, !contexts[context.index].objects[slot].current.values[shape.slot].isNull {
      return nil
    }
    switch action.effect {
    case .set(let value): return value
    case .setNext:
      let attribute = model.entities[id.entity.index].properties[action.property.index].attribute
      defer { nextHookNumber += 1 }
      return attribute?.value(numbered: nextHookNumber)
    case .insertRelated: return nil
    }
  }
}
