package import ObjectModel
package import Vocabulary

/// Queries by invariants and generators, beyond the observations of a program.
extension ObjectGraph {
  /// A registered instance with its unsaved changes.
  package struct Inspection {
    package let view: InstanceView
    package let isPendingDeletion: Bool
    /// The row version with which the instance was loaded or saved.
    package let version: Int
    fileprivate let changed: PropertySet
    fileprivate let unfired: PropertySet
    fileprivate let baseValues: [Value]

    /// Returns a Boolean value that indicates whether the property was set since the object was
    /// last loaded or saved.
    package func isChanged(_ property: PropertyID) -> Bool { changed.contains(property.index) }

    /// Returns a Boolean value that indicates whether the property is an unfired to-many
    /// relationship, which shows no members.
    package func isUnfired(_ property: PropertyID) -> Bool { unfired.contains(property.index) }

    /// Returns the value of an attribute or to-one relationship when the object was last loaded or
    /// saved.
    package func baseValue(of property: PropertyID, in graph: ObjectGraph) -> Value? {
      let slot = graph.slot(of: property, in: view.id.entity)
      return slot < baseValues.count ? baseValues[slot] : nil
    }
  }

  /// Returns the instance of the row or object `id` in a context, under either of its IDs.
  package func inspect(_ id: ObjectID, in context: ContextID) -> Inspection? {
    guard let slot = slotOfRow(id, in: context) else { return nil }
    return inspection(of: slot, in: context)
  }

  /// Returns the instance that reports exactly this ID.
  package func inspect(exactly id: ObjectID, in context: ContextID) -> Inspection? {
    guard let slot = contexts[context.index].registry.slot(of: id) else { return nil }
    return inspection(of: slot, in: context)
  }

  /// Reads each part in place, as `view(ofSlot:in:)` does.
  private func inspection(of slot: Int, in context: ContextID) -> Inspection {
    let c = context.index
    return Inspection(
      view: view(ofSlot: slot, in: context),
      isPendingDeletion: contexts[c].isPendingDeletion(slot),
      version: contexts[c].version(of: slot), changed: contexts[c].objects[slot].changed,
      unfired: contexts[c].objects[slot].unfired,
      baseValues: contexts[c].objects[slot].base.values)
  }

  /// Returns a Boolean value that indicates whether a class writes the property in
  /// `awakeFromFetch`.
  package func isWrittenByFetches(_ property: PropertyID, of entity: EntityID) -> Bool {
    model.entities[entity.index].hookActions.contains {
      $0.property == property && $0.hook == .awakeFromFetch
    }
  }

  /// Returns a Boolean value that indicates whether a class may write the property in any hook.
  package func isWrittenByHooks(_ property: PropertyID, of entity: EntityID) -> Bool {
    model.entities[entity.index].hookActions.contains { $0.property == property }
  }

  /// Returns the slot of an instance of the same row, even if a quirk separates the row's IDs.
  func slotOfRow(_ id: ObjectID, in context: ContextID) -> Int? {
    if let slot = contexts[context.index].registry.slot(of: id) { return slot }
    let row = row(of: id)
    if row != id, let slot = contexts[context.index].registry.slot(of: row) { return slot }
    return temporaryID(of: row).flatMap { contexts[context.index].registry.slot(of: $0) }
  }

  package func isRegistered(exactly id: ObjectID, in context: ContextID) -> Bool {
    contexts[context.index].registry.slot(of: id) != nil
  }

  package func permanentID(of id: ObjectID) -> ObjectID { row(of: id) }

  package func originalTemporaryID(of id: ObjectID) -> ObjectID? {
    id.isTemporaryID ? id : temporaryID(of: id)
  }

  /// Returns the IDs in a variable, in the order in which they were added.
  package func remembered(_ variable: IDSetID) -> [ObjectID] { idSets[variable.index] }

  /// Returns a Boolean value that indicates whether `id` is a foreign temporary ID. Its object was
  /// inserted neither in `context`, nor above or below it.
  package func isForeignTemporaryID(_ id: ObjectID, to context: ContextID) -> Bool {
    guard id.isTemporaryID, !isAncestorOrSelf(context, ofOriginOf: id) else { return false }
    return !isAtOrBelow(identities[id.number - 1].origin, context)
  }

  package func registeredIDs(in context: ContextID) -> [ObjectID] {
    contexts[context.index].registeredSlots.map { contexts[context.index].id(of: $0) }
  }

  /// Returns the rows that have two instances in a context, in the order of their temporary IDs.
  package func rowsWithTwoInstances(in context: ContextID) -> [ObjectID] {
    let c = context.index
    var temporaryIDs: [ObjectID] = []
    for slot in contexts[c].objects.indices where !contexts[c].objects.isFree(slot) {
      let id = contexts[c].id(of: slot)
      if id.isTemporaryID, let row = identities[id.number - 1].permanent,
        contexts[c].registry.slot(of: row) != nil
      {
        temporaryIDs.append(id)
      }
    }
    if temporaryIDs.isEmpty { return [] }
    return temporaryIDs.sorted().map { row(of: $0) }
  }

  package func storedValues(of id: ObjectID) -> [Value]? {
    let row = row(of: id)
    return row.store.flatMap { stores[$0.index][row]?.values }
  }

  /// Returns the rows of a store, in the order in which they received their IDs.
  package func storedIDs(of store: StoreID) -> [ObjectID] { stores[store.index].ids }

  /// Returns the members of a to-many relationship of a row, by the relationship's slot.
  package func storedMembers(of id: ObjectID, slot: Int) -> [ObjectID] {
    let row = row(of: id)
    return row.store.flatMap { stores[$0.index][row]?.collections[slot] } ?? []
  }

  /// Returns the store of an object, or the store to which the object would be saved.
  package func store(for id: ObjectID, in context: ContextID) -> StoreID? {
    store(of: id, for: context)
  }

  /// Returns the stores of a context's coordinator that accept an entity.
  package func takers(of entity: EntityID, for context: ContextID) -> [StoreID] {
    coordinators[contexts[context.index].coordinator.index].stores.filter { takes(entity, $0) }
  }

  /// Returns a Boolean value that indicates whether a context's coordinator has the store of a row,
  /// and not a store in its place.
  package func isReachable(_ id: ObjectID, from context: ContextID) -> Bool {
    isInReach(row(of: id), for: context)
  }

  /// Returns a Boolean value that indicates whether the row cache of a context's coordinator and
  /// the store have different versions of the row.
  package func isCacheBehind(_ id: ObjectID, above context: ContextID) -> Bool {
    let row = row(of: id)
    let cached = coordinators[contexts[context.index].coordinator.index][row]
    return cached.map { $0.version != storedRow(of: row)?.version } ?? false
  }

  package func storedRow(of id: ObjectID) -> RowView? {
    let row = row(of: id)
    return row.store.flatMap { stores[$0.index][row] }.map {
      RowView(id: $0.id, version: $0.version, values: $0.values, collections: $0.collections)
    }
  }

  package func storedVersion(of id: ObjectID) -> Int? {
    let row = row(of: id)
    return row.store.flatMap { stores[$0.index][row]?.version }
  }

  /// Returns a property of `model` without copying the entity.
  package func property(_ property: PropertyID, of entity: EntityID) -> Property {
    model.entities[entity.index].properties[property.index]
  }

  package func isToMany(_ property: PropertyID, of entity: EntityID) -> Bool {
    shapes[entity.index][property.index].kind == .toMany
  }

  package func slot(of property: PropertyID, in entity: EntityID) -> Int {
    shapes[entity.index][property.index].slot
  }

  /// A name that is bound in a context, and the state of its instance that a generator needs.
  package struct Held {
    package let name: ObjectName
    package let id: ObjectID
    package let isRegistered: Bool
    package let isPendingDeletion: Bool
  }

  /// Returns the bound names that fit, in order.
  package func held(
    in context: ContextID, where fits: (Held) -> Bool = { _ in true }
  ) -> [Held] {
    var result: [Held] = []
    result.reserveCapacity(contexts[context.index].bindings.count)
    for index in contexts[context.index].bindings.indices {
      if let held = held(ObjectName(index), in: context), fits(held) { result.append(held) }
    }
    return result
  }

  /// Returns the number of bound names that fit, without making a list.
  package func heldCount(in context: ContextID, where fits: (Held) -> Bool) -> Int {
    var count = 0
    for index in contexts[context.index].bindings.indices {
      if let held = held(ObjectName(index), in: context), fits(held) { count += 1 }
    }
    return count
  }

  /// Returns the bound name with this number, from 0, among those that fit. Returns `nil` if fewer
  /// fit.
  package func held(number: Int, in context: ContextID, where fits: (Held) -> Bool) -> Held? {
    var left = number
    for index in contexts[context.index].bindings.indices {
      guard let held = held(ObjectName(index), in: context), fits(held) else { continue }
      if left == 0 { return held }
      left -= 1
    }
    return nil
  }

  /// Returns `nil` if the name is not bound. Inlined, because a call would copy the context.
  @inline(__always) private func held(_ name: ObjectName, in context: ContextID) -> Held? {
    let c = context.index
    switch contexts[c].bindings[name.index] {
    case .unbound: return nil
    case .gone(let id):
      return Held(name: name, id: id, isRegistered: false, isPendingDeletion: true)
    case .slot(let slot):
      return Held(
        name: name, id: contexts[c].id(of: slot), isRegistered: true,
        isPendingDeletion: contexts[c].isPendingDeletion(slot))
    }
  }

  package var didSaveTotal: Int { didSaves.count }

  /// Returns the context that posted this DidSave or executed this batch request.
  package func poster(of number: Int) -> ContextID { didSaves[number].context }

  /// Returns a Boolean value that indicates whether the context had the changes of this DidSave
  /// without a merge: the context has saved them, or they come from a child. Batch requests change
  /// no context.
  package func had(changesOf number: Int, in context: ContextID) -> Bool {
    let didSave = didSaves[number]
    if didSave.isBatch { return false }
    return didSave.context == context || parent(of: didSave.context) == context
  }

  /// Returns a Boolean value that indicates whether this DidSave or batch result reports the
  /// deletion of the object.
  package func tells(_ number: Int, ofDeletionOf id: ObjectID) -> Bool {
    didSaves[number].sets.deleted.contains { row(of: $0) == row(of: id) }
  }

  /// Returns the number of batch requests that a context has executed.
  package func batchCount(of context: ContextID) -> Int {
    didSaves.count { $0.context == context && $0.isBatch }
  }
}

extension ObjectGraph {
  /// Returns the numbers of events that a context can undo and redo.
  package func undoCounts(of context: ContextID) -> (undo: Int, redo: Int) {
    let manager = contexts[context.index].undoManager
    return (manager?.undoStack.count ?? 0, manager?.redoStack.count ?? 0)
  }

  /// Returns a Boolean value that indicates whether a relationship of a held instance is not loaded
  /// yet.
  package func hasFault(
    _ name: ObjectName, _ property: PropertyID, in context: ContextID
  ) -> Bool {
    guard case .slot(let slot) = contexts[context.index].binding(of: name) else { return false }
    let object = contexts[context.index].objects[slot]
    return object.isFault || object.unfired.contains(property.index)
  }
}
