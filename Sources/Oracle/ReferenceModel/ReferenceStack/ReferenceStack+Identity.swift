import Determinism
import ObjectModel
import Vocabulary

/// Compares and localizes IDs, and makes temporary IDs permanent.
extension ReferenceStack {
  /// Returns the permanent ID of the object with the temporary `id`. Returns nil for other IDs.
  func forward(_ id: ObjectID) -> ObjectID? {
    id.isTemporaryID ? births[id.number - 1].permanentID : nil
  }

  /// Maps an ID to its row. §row
  func row(_ id: ObjectID) -> ObjectID { forward(id) ?? id }

  func rows(_ ids: [ObjectID]) -> [ObjectID] { ids.map { row($0) } }

  /// Returns the temporary ID that became the permanent `id`.
  func temporaryID(of id: ObjectID) -> ObjectID? {
    guard let store = id.store else { return nil }
    return stores[store.index].temporaryIDs[id.number - 1]
  }

  /// The name under which the object was inserted.
  func name(of id: ObjectID) -> ObjectName? {
    guard let t = id.isTemporaryID ? id : temporaryID(of: id) else { return nil }
    return births[t.number - 1].name.map { ObjectName($0) }
  }

  /// Decides whether a temporary and a permanent ID of one row name two instances in `c` (ID-17).
  /// §same
  func comparesExactly(_ c: ContextID) -> Bool {
    rowHasTwoInstances && !contexts[c.index].isRoot
  }

  /// Looks up the registered instance that `id` names in `c`. §lookup
  func lookup(_ id: ObjectID, in c: ContextID) -> ObjectID? {
    if contexts[c.index].instances.contains(id) { return id }
    return comparesExactly(c) ? nil : otherID(id, in: c)
  }

  /// Returns the other ID under which an instance of the same row is registered.
  func otherID(_ id: ObjectID, in c: ContextID) -> ObjectID? {
    let row = row(id)
    if row != id, contexts[c.index].instances.contains(row) { return row }
    if let t = temporaryID(of: row), t != id, contexts[c.index].instances.contains(t) { return t }
    return nil
  }

  /// Localizes an ID. Returns the ID that the object has, or would have, in `c`. §local-id
  func localize(_ id: ObjectID, in c: ContextID) -> ObjectID {
    lookup(id, in: c) ?? (comparesExactly(c) ? id : row(id))
  }

  /// Finds the instance that `id` names in `c`, or registers a fault. §find
  mutating func reach(_ id: ObjectID, in c: ContextID) -> ObjectID {
    if let x = lookup(id, in: c) { return x }
    let x = localize(id, in: c)
    register(Instance(id: x), in: c)
    assert(lookup(id, in: c) == x, "\(id) is not found under the ID that it was registered with")
    return x
  }

  /// Finds an instance and fires it quietly. Returns nil if the instance is doomed in `c`, or if
  /// its row is missing.
  mutating func reachLive(_ id: ObjectID, in c: ContextID) -> ObjectID? {
    let x = reach(id, in: c)
    return !self[c, x].isRemoved && fire(x, in: c) ? x : nil
  }

  /// Registers an instance in `c`, without an event. §register
  mutating func register(_ instance: consuming Instance, in c: ContextID) {
    needsCollection = true
    let id = instance.id
    contexts[c.index].instances.put(instance)
    assert(contexts[c.index].instances.contains(id), "\(id) was not registered")
  }

  /// Localizes values and collections of another level in `c`. §localize
  func localized(_ snapshot: Snapshot, of entity: EntityID, in c: ContextID) -> Snapshot {
    replacingIDs(in: snapshot, of: entity, by: .localIDs(c))
  }

  /// Localizes the collection in `slot` in `c`. §localize.2, §localize.3
  func localized(
    _ collection: [ObjectID], _ slot: Int, of entity: EntityID, in c: ContextID
  ) -> [ObjectID] {
    replacingIDs(in: collection, slot, of: entity, by: .localIDs(c))
  }

  /// Returns the collection in `slot` with the IDs of rows.
  func inRows(_ collection: [ObjectID], _ slot: Int, of entity: EntityID) -> [ObjectID] {
    replacingIDs(in: collection, slot, of: entity, by: .rows)
  }

  /// The IDs that replace other IDs. A closure that reads the stack would copy the stack.
  private enum Replacement {
    case rows
    case localIDs(ContextID)
    /// The permanent IDs of these temporary IDs, which must be sorted.
    case permanentIDs([ObjectID])
  }

  private func substitute(for id: ObjectID, by replacement: Replacement) -> ObjectID {
    switch replacement {
    case .rows: row(id)
    case .localIDs(let c): localize(id, in: c)
    case .permanentIDs(let old): old.containsInOrder(id) ? row(id) : id
    }
  }

  private func replacingIDs(
    in snapshot: Snapshot, of entity: EntityID, by replacement: Replacement
  ) -> Snapshot {
    // Usually all IDs stay. A loop that writes would copy the lists first, even without a change.
    guard isChanged(snapshot, of: entity, by: replacement) else { return snapshot }
    var result = snapshot
    replaceIDs(&result.values, &result.collections, of: entity, by: replacement)
    return result
  }

  private func isChanged(
    _ snapshot: Snapshot, of entity: EntityID, by replacement: Replacement
  ) -> Bool {
    if shapes[entity.index].relationships.isEmpty { return false }
    for value in snapshot.values {
      if case .object(let id) = value, substitute(for: id, by: replacement) != id { return true }
    }
    return snapshot.collections.contains { isChanged($0, by: replacement) }
  }

  private func replacingIDs(
    in collection: [ObjectID], _ slot: Int, of entity: EntityID, by replacement: Replacement
  ) -> [ObjectID] {
    guard isChanged(collection, by: replacement) else { return collection }
    var result = collection
    replaceIDs(&result, slot, of: entity, by: replacement)
    return result
  }

  private func replaceIDs(
    _ values: inout [Value], _ collections: inout [[ObjectID]], of entity: EntityID,
    by replacement: Replacement
  ) {
    for slot in values.indices {
      guard let id = values[slot].objectID else { continue }
      let new = substitute(for: id, by: replacement)
      if new != id { values[slot] = .object(new) }
    }
    for slot in collections.indices where isChanged(collections[slot], by: replacement) {
      replaceIDs(&collections[slot], slot, of: entity, by: replacement)
    }
  }

  private func isChanged(_ collection: [ObjectID], by replacement: Replacement) -> Bool {
    for id in collection where substitute(for: id, by: replacement) != id { return true }
    return false
  }

  private func replaceIDs(
    _ collection: inout [ObjectID], _ slot: Int, of entity: EntityID, by replacement: Replacement
  ) {
    var new: [ObjectID] = []
    for id in collection {
      let substitute = substitute(for: id, by: replacement)
      if !new.contains(substitute) { new.append(substitute) }
    }
    assert(new.hasNoDuplicates, "a collection has a member twice")
    if !shapes[entity.index].isOrderedCollection[slot] { new.sort() }
    collection = new
  }

  // MARK: Permanent IDs

  /// Obtains permanent IDs for the named objects of `c`, or for all its insertions.
  /// §obtain-permanent-ids
  mutating func obtainPermanentIDs(_ names: [ObjectName], in c: ContextID) {
    var temporaryIDs: [ObjectID] = []
    if names.isEmpty {
      // §obtain-permanent-ids.2 (CT-08)
      temporaryIDs = pending(in: c) {
        $0.isInserted && !$0.isRemoved && $0.id.isTemporaryID
      }
    }
    for name in names {
      guard let binding = contexts[c.index].binding(name) else {
        events.append(.nothing)
        return
      }
      if !binding.isGone, binding.id.isTemporaryID, !temporaryIDs.contains(binding.id),
        awaitsSaving(binding.id, in: c)
      {
        temporaryIDs.append(binding.id)
      }
    }
    temporaryIDs.sort()
    assert(temporaryIDs.isStrictlyAscending, "an object is to become permanent twice")
    // §obtain-permanent-ids.5 (ID-13)
    for t in temporaryIDs where !isAtHome(t, under: c) {
      events.append(.failed(.noStore(t.entity)))
      return
    }
    let affected = contextsAffected(first: contexts[c.index].chain)
    becomePermanent(temporaryIDs, under: c, in: affected)
  }

  /// Returns true if a store has the row of `t`, or if an attached store will take it.
  /// §obtain-permanent-ids.5.1
  private func isAtHome(_ t: ObjectID, under c: ContextID) -> Bool {
    if forward(t) != nil { return true }
    guard let store = store(of: t, under: c) else { return false }
    return isAttached(store, above: c)
  }

  /// Returns true if `t` is forwarded, or if `c` or an ancestor has it inserted. A temporary ID of
  /// another branch is registered at none of these levels. §obtain-permanent-ids.3.4
  private func awaitsSaving(_ t: ObjectID, in c: ContextID) -> Bool {
    if forward(t) != nil { return true }
    for level in contexts[c.index].chain {
      if let instance = contexts[level.index].instances[t], instance.isInserted { return true }
    }
    return false
  }

  /// Determines the renaming contexts. If permanent IDs reach every context at once, `first` is
  /// followed by all other contexts of the coordinator. §renaming-contexts
  func contextsAffected(first: [ContextID]) -> [ContextID] {
    guard !childKeepsTemporaryID else { return first }
    precondition(!first.isEmpty, "no context asked for permanent IDs")
    return first + contexts[first[0].index].relatives.filter { !first.contains($0) }
  }

  /// Makes temporary IDs permanent in the affected contexts. The IDs must be sorted.
  /// §become-permanent
  mutating func becomePermanent(
    _ temporaryIDs: [ObjectID], under c: ContextID, in affected: [ContextID]
  ) {
    guard !temporaryIDs.isEmpty else { return }
    for t in temporaryIDs {
      // Not `??`, whose right side would change the stack in a closure and copy it.
      let known = forward(t)
      let p = if let known { known } else { nextPermanentID(for: t, under: c) }
      assert(forward(t) == p && temporaryID(of: p) == t, "\(t) and \(p) are not of one row")
      assert(p.entity == t.entity, "\(t) changes its entity")
      for context in affected {
        // §become-permanent.1.3.2
        let isTaken = contexts[context.index].instances.contains(p)
        let isRenamed = contexts[context.index].rename(t, to: p)
        renameEntries(t, to: p, isFree: !isTaken, in: context)
        if isRenamed { contexts[context.index].saved.rename(t, to: p) }
        if !isTaken { contexts[context.index].undoManager?.rename(t, to: p) }
        if isRenamed { events.append(.becamePermanent(context, t, p)) }
      }
    }
    for context in affected { replaceByPermanentIDs(temporaryIDs, in: context) }
  }

  /// Gives `t` a permanent ID of its store. §become-permanent.1.1
  private mutating func nextPermanentID(for t: ObjectID, under c: ContextID) -> ObjectID {
    precondition(t.isTemporaryID, "an ID becomes permanent twice")
    assert(births[t.number - 1].permanentID == nil, "\(t) has a permanent ID already")
    guard let store = store(of: t, under: c) else {
      preconditionFailure("no store takes \(t)")
    }
    let p = nextPermanentID(of: t.entity, in: store, insteadOf: t)
    births[t.number - 1].permanentID = p
    return p
  }

  /// Returns the next permanent ID of `store`. `t` is the object's temporary ID, or nil for a row
  /// that never had one.
  mutating func nextPermanentID(
    of entity: EntityID, in store: StoreID, insteadOf t: ObjectID?
  ) -> ObjectID {
    if stores[store.index].temporaryIDs.isEmpty {
      stores[store.index].temporaryIDs.reserveCapacity(8)
    }
    stores[store.index].temporaryIDs.append(t)
    return .permanent(entity, key: stores[store.index].temporaryIDs.count, in: store)
  }

  /// Replaces temporary IDs with permanent IDs in the references of `c`. §become-permanent.2
  private mutating func replaceByPermanentIDs(_ temporaryIDs: [ObjectID], in c: ContextID) {
    let replacement = Replacement.permanentIDs(temporaryIDs)
    for x in pending(in: c) where self[c, x].leads(to: { temporaryIDs.containsInOrder($0) }) {
      var instance = self[c, x]
      replaceIDs(&instance.values, &instance.collections, of: x.entity, by: replacement)
      replaceIDs(&instance.base.values, &instance.base.collections, of: x.entity, by: replacement)
      if case .present(var state)? = instance.eventStart {
        replaceIDs(&state.values, &state.collections, of: x.entity, by: replacement)
        instance.eventStart = .present(state)
      }
      self[c, x] = instance
    }
    var undoManager: UndoManager? = nil
    swap(&undoManager, &contexts[c.index].undoManager)
    if undoManager != nil { replaceIDs(in: &undoManager, by: replacement) }
    swap(&undoManager, &contexts[c.index].undoManager)
  }

  private func replaceIDs(in undoManager: inout UndoManager?, by replacement: Replacement) {
    undoManager?.changeEachState { entity, state in
      replaceIDs(&state.values, &state.collections, of: entity, by: replacement)
    }
  }
}
