import ObjectModel
import Vocabulary

/// Faults: the source of their values, and firing.
extension ObjectGraph {
  /// The values of an object that a level below loads. Collections are loaded one by one.
  struct Loaded {
    var values: [Value]
    var version: Int
  }

  /// Decides whether a leftover temporary ID has no meaning in `context` (ID-15). §stranger
  func isStranger(_ id: ObjectID, in context: ContextID) -> Bool {
    quirks.contains(.rowHasTwoInstances) && id.isTemporaryID && row(of: id) != id
      && !isAncestorOrSelf(context, ofOriginOf: id)
  }

  /// Loads an object for a context. Returns `nil` if the object is missing in the levels above.
  /// §load
  ///
  /// The nearest ancestor with the object supplies its values, including unsaved changes (FL-23).
  /// Every context on the way registers the object (FL-24). At the root, the row cache takes
  /// precedence over the store (FL-05).
  mutating func load(_ id: ObjectID, for context: ContextID) -> Loaded? {
    if isStranger(id, in: context) { return nil }
    guard let parent = contexts[context.index].parent else {
      return takeRow(of: id, for: context).map { contents(of: $0, in: context) }
    }
    if bugs.contains(.skipsAncestors), !row(of: id).isTemporaryID,
      let store = id.store, let row = stores[store.index][id]
    {
      return contents(of: row, in: context)
    }
    guard let slot = source(of: id, in: parent) else { return nil }
    let object = contexts[parent.index].objects[slot]
    var loaded = Loaded(values: object.current.values, version: object.version)
    if bugs.contains(.readsSiblings),
      let sibling = contexts[parent.index].children.first(where: {
        $0 != context && hasUnsavedValues(of: id, in: $0)
      }), let theirs = lookup(id, in: sibling)
    {
      loaded.values = contexts[sibling.index].objects[theirs].current.values
    }
    if !bugs.contains(.loadBringsTransients) {
      dropTransients(in: &loaded.values, of: object.id.entity)
    }
    assert(
      setting.fits(loaded.values, nil, object.id.entity), "\(id) was loaded with other properties")
    return localized(loaded, of: object.id.entity, in: context)
  }

  private func hasUnsavedValues(of id: ObjectID, in context: ContextID) -> Bool {
    lookup(id, in: context).map { contexts[context.index].has(.updated, $0) }
      ?? false
  }

  /// Returns the slot from which the children of `parent` load an object. Returns `nil` if the
  /// object is missing there. §source
  ///
  /// A fault that was registered for this load is unregistered if it has no row (ID-31).
  mutating func source(of id: ObjectID, in parent: ContextID) -> Int? {
    guard let slot = lookup(id, in: parent) else {
      let new = instance(id, in: parent)
      if fireQuietly(new, in: parent) { return new }
      unregister(new, in: parent)
      return nil
    }
    if contexts[parent.index].isPendingDeletion(slot) { return nil }
    if contexts[parent.index].isFault(slot) {
      guard fireQuietly(slot, in: parent) else { return nil }
    } else if !quirks.contains(.ancestorCacheHidesUpdates) {
      guard bringUpToDate(slot, in: parent) else { return nil }
    }
    assert(!contexts[parent.index].isFault(slot), "\(id) is loaded from a fault")
    return slot
  }

  /// Loads a row for a root: the cached row, or the stored row, which is then cached. §load-row
  mutating func takeRow(of id: ObjectID, for context: ContextID) -> Row? {
    let id = row(of: id)
    guard let store = id.store else { return nil }
    let coordinator = contexts[context.index].coordinator.index
    guard isAttached(store, for: context) || bugs.contains(.removedStoreStaysCached) else {
      return nil
    }
    if contexts[context.index].hasZeroStaleness, !bugs.contains(.ignoresStaleness) {
      // §load-row.3 (FL-05)
      result.storeAccess.reads = true
      if let cached = coordinators[coordinator][id],
        cached.version != stores[store.index][id]?.version
      {
        marks.insert(.staleRowReplaced)
        coordinators[coordinator][id] = stores[store.index][id]
      }
    }
    if let cached = coordinators[coordinator][id] { return cached }
    result.storeAccess.read(rows: stores[store.index][id] == nil ? 0 : 1)
    guard let stored = stores[store.index][id] else { return nil }
    coordinators[coordinator][id] = stored
    coordinators[coordinator].checkReference(of: id)
    assert(stored.id == id, "the store answers \(stored.id) for \(id)")
    return stored
  }

  /// Returns the contents of a row for `context`. §load.2.2
  func contents(of row: Row, in context: ContextID) -> Loaded {
    localized(
      Loaded(values: row.values, version: row.version), of: row.id.entity, in: context)
  }

  /// Localizes loaded values. §localize
  func localized(
    _ loaded: Loaded, of entity: EntityID, in context: ContextID
  ) -> Loaded {
    var loaded = loaded
    for property in shapes[entity.index] where property.kind == .toOne {
      loaded.values[property.slot] = localized(loaded.values[property.slot], in: context)
    }
    return loaded
  }

  /// Localizes a collection, and sorts it if it is unordered. §localize
  func localized(
    _ collection: [ObjectID], _ property: PropertyShape, in context: ContextID
  ) -> [ObjectID] {
    var result = collection.map { localized($0, in: context) }
    if !property.isOrdered { result.sort() }
    return result
  }

  func dropTransients(in values: inout [Value], of entity: EntityID) {
    for property in shapes[entity.index] where property.isTransient {
      let value = model.entities[entity.index].defaultValues[property.slot]
      // A write copies a list that is shared.
      if values[property.slot] != value { values[property.slot] = value }
    }
  }

  func defaults(of entity: EntityID) -> ManagedObject.Snapshot {
    ManagedObject.Snapshot(
      values: model.entities[entity.index].defaultValues,
      collections: setting.emptyCollections[entity.index])
  }

  func emptyCollections(of entity: EntityID) -> [[ObjectID]] {
    setting.emptyCollections[entity.index]
  }

  /// Returns a snapshot with null values and empty collections.
  func nothing(of entity: EntityID) -> ManagedObject.Snapshot {
    ManagedObject.Snapshot(
      values: Array(repeating: .null, count: model.entities[entity.index].valueCount),
      collections: setting.emptyCollections[entity.index])
  }

  /// Fires a fault for a step. Without a row, the step fails, or the instance becomes inaccessible.
  /// §fire
  mutating func fire(_ slot: Int, in context: ContextID) throws(StepFailure) {
    guard contexts[context.index].isFault(slot), !fireQuietly(slot, in: context) else {
      return
    }
    guard !inaccessibleFaultsRaise(in: context) else {
      if !contexts[context.index].shouldDeleteInaccessibleFaults {
        marks.insert(.faultRaisesBySetting)
      }
      throw StepFailure(failure: .inaccessible(contexts[context.index].id(of: slot)))
    }
    markInaccessible(slot, in: context)
    result.evidence.append(.missed(context, object: contexts[context.index].id(of: slot)))
    assert(!contexts[context.index].isFault(slot), "slot \(slot) is a fault still")
  }

  func inaccessibleFaultsRaise(in context: ContextID) -> Bool {
    quirks.contains(.inaccessibleFaultRaises)
      || !contexts[context.index].shouldDeleteInaccessibleFaults
  }

  /// Fires a fault without an error. Returns `false`, and keeps the fault, if its row is missing.
  /// §fire-quietly
  mutating func fireQuietly(_ slot: Int, in context: ContextID) -> Bool {
    assert(contexts[context.index].contains(slot), "slot \(slot) is not registered")
    guard contexts[context.index].isFault(slot) else { return true }
    let id = contexts[context.index].id(of: slot)
    if contexts[context.index].has(.inserted, slot) {  // §fire-quietly.2
      contexts[context.index].realise(slot, showing: defaults(of: id.entity), by: setting)
      return true
    }
    guard let loaded = load(id, for: context) else { return false }
    contexts[context.index].take(loaded, for: slot, by: setting)
    if bugs.contains(.toManyIsLoadedWithItsRow) { useCollections(of: slot, in: context) }
    if !bugs.contains(.forgetsAwakeFromFetch) { awakeFromFetch(slot, in: context) }
    assert(!contexts[context.index].isFault(slot), "\(id) is a fault still")
    return true
  }

  /// Marks a fault as inaccessible, so that all its values are `nil` and it counts as deleted
  /// (FL-14). §become-inaccessible
  mutating func markInaccessible(_ slot: Int, in context: ContextID) {
    assert(
      !contexts[context.index].has([.inserted, .discarded], slot), "an insertion misses its row")
    let entity = contexts[context.index].id(of: slot).entity
    contexts[context.index].realise(slot, showing: nothing(of: entity), by: setting)
    contexts[context.index].unmark(slot, as: [.updated, .reports])
    contexts[context.index].mark(
      slot,
      as: [
        .deleted, .reportDeleted, .inaccessible,
      ])
    contexts[context.index].hasReports = true
    releaseCopyAbove(context)
  }

  /// Decides whether an object exists above `context`, under either ID of its row. Registers and
  /// fires nothing. §exists-above
  func exists(_ id: ObjectID, above context: ContextID) -> Bool {
    guard let parent = contexts[context.index].parent else {
      let row = row(of: id)
      guard let store = row.store, isAttached(store, for: context) else { return false }
      return stores[store.index].contains(row)
    }
    if let slot = lookup(id, in: parent) {
      let flags = contexts[parent.index].flags(of: slot)
      if !flags.isDisjoint(with: [.deleted, .discarded]) {
        return flags.isSuperset(of: .unfound) && exists(id, above: parent)
      }
      if flags.contains(.inserted) || !flags.contains(.fault) { return true }
    }
    return exists(id, above: parent)
  }

  // MARK: Hooks

  /// Calls the hook `awakeFromFetch` of a realised instance. §call-hook
  private mutating func awakeFromFetch(_ slot: Int, in context: ContextID) {
    assert(!contexts[context.index].isFault(slot), "slot \(slot) awakens before it is realised")
    let id = contexts[context.index].id(of: slot)
    result.events.append(.hook(.awakeFromFetch, context, id))
    _ = callCode(.awakeFromFetch, id, in: context)
    // Change processing is off, so the values become part of the snapshot (LC-06). §run-actions.2.6
    for action in model.entities[id.entity.index].hookActions
    where action.hook == .awakeFromFetch && !passesOver(action, for: slot, in: context) {
      let property = shapes[id.entity.index][action.property.index]
      guard let value = value(of: action, for: slot, in: context) else { continue }
      contexts[context.index].objects[slot].current.values[property.slot] = value
      contexts[context.index].objects[slot].base.values[property.slot] = value
      result.events.append(.hookSet(context, id, action.property, value))
    }
  }

  /// Calls the hook `awakeFromInsert` of an inserted instance. §call-hook
  mutating func awakeFromInsert(_ slot: Int, in context: ContextID) {
    assert(
      contexts[context.index].has(.inserted, slot), "slot \(slot) awakens before it is inserted")
    let id = contexts[context.index].id(of: slot)
    result.events.append(
      .awakeFromInsert(context, id, contexts[context.index].objects[slot].current.values))
    _ = callCode(.awakeFromInsert, id, in: context)
    for action in model.entities[id.entity.index].hookActions
    where action.hook == .awakeFromInsert {
      if action.effect != .insertRelated {
        _ = run(action, for: slot, in: context)
      } else if !passesOver(action, for: slot, in: context) {
        insertRelated(action.property, of: slot, in: context)
      }
    }
  }

  /// Inserts an object for a hook, and relates it. §run-actions.2.3
  private mutating func insertRelated(
    _ property: PropertyID, of slot: Int, in context: ContextID
  ) {
    let id = contexts[context.index].id(of: slot)
    let shape = shapes[id.entity.index][property.index]
    assert(shape.isRelationship, "property \(property.index) of \(id) is no relationship")
    let companion = insert(shape.destination, as: nil, in: context)
    let companionID = contexts[context.index].id(of: companion)
    if shape.kind == .toOne {
      setDestination(companionID, of: property, slot, in: context)
    } else {
      add(companionID, to: property, of: slot, in: context)
    }
  }

  /// Runs an action of a hook. Returns `true` for a tracked change, and `false` for a primitive or
  /// skipped action (LC-04). §run-actions
  mutating func run(_ action: HookAction, for slot: Int, in context: ContextID) -> Bool {
    if passesOver(action, for: slot, in: context) { return false }
    guard let value = value(of: action, for: slot, in: context) else { return false }
    assert(!contexts[context.index].isFault(slot), "a hook sets a property of a fault")
    let id = contexts[context.index].id(of: slot)
    let shape = shapes[id.entity.index][action.property.index]
    if action.isPrimitive {
      marks.insert(.primitiveHookAction)
      contexts[context.index].objects[slot].current.values[shape.slot] = value
    } else {
      contexts[context.index].set(action.property, of: slot, to: value, by: setting)
    }
    result.events.append(.hookSet(context, id, action.property, value))
    return !action.isPrimitive
  }

  /// Decides whether an instance skips an action of a hook. §run-actions.2.1 §run-actions.2.2
  private func passesOver(
    _ action: HookAction, for slot: Int, in context: ContextID
  ) -> Bool {
    let c = context.index
    if contexts[c].isFault(slot) || contexts[c].isPendingDeletion(slot) {
      return true
    }
    if !action.onlyIfNil { return false }
    let shape = shapes[contexts[c].id(of: slot).entity.index][action.property.index]
    return shape.kind == .toMany
      ? !contexts[c].objects[slot].current.collections[shape.slot].isEmpty
      : !contexts[c].objects[slot].current.values[shape.slot].isNull
  }

  /// Returns the value that an action of a hook sets, or `nil` for an action that sets no value.
  private mutating func value(
    of action: HookAction, for slot: Int, in context: ContextID
  ) -> Value? {
    let id = contexts[context.index].id(of: slot)
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
