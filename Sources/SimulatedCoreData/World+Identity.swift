package import ObjectModel
package import Vocabulary

/// IDs: which are the same, and how temporary ones become permanent.
extension World {
  /// The permanent ID that `id` was given, or `id` itself.
  func row(of id: ObjectID) -> ObjectID {
    id.isTemporaryID ? identities[id.number - 1].permanent ?? id : id
  }

  /// The ID that the instance in a slot has in its store, if it has one there.
  func rowID(ofSlot slot: Int, in context: ContextID) -> ObjectID {
    row(of: contexts[context.index].objects[slot].id)
  }

  /// Whether a temporary and a permanent ID of one row find the same instance in `context`.
  func forwardsIDs(in context: ContextID) -> Bool {
    !quirks.contains(.rowHasTwoInstances) || contexts[context.index].isRoot
  }

  /// The registered instance with `id`, or with the other ID of the same row where that is the
  /// same.
  func lookup(_ id: ObjectID, in context: ContextID) -> Int? {
    if let slot = contexts[context.index].registry.slot(of: id) { return slot }
    guard forwardsIDs(in: context) else { return nil }
    if id.isTemporaryID {
      let row = row(of: id)
      return row == id ? nil : contexts[context.index].registry.slot(of: row)
    }
    guard let temporary = temporaryID(of: id) else { return nil }
    return contexts[context.index].registry.slot(of: temporary)
  }

  func temporaryID(of row: ObjectID) -> ObjectID? {
    guard let store = row.store else { return nil }
    let known = temporaryIDs[store.index]
    return row.number <= known.count ? known[row.number - 1] : nil
  }

  /// The ID that a fault for `id` has once it is registered.
  private func registeringID(_ id: ObjectID, in context: ContextID) -> ObjectID {
    forwardsIDs(in: context) ? row(of: id) : id
  }

  /// `id` as `context` writes it into its values.
  func localized(_ id: ObjectID, in context: ContextID) -> ObjectID {
    if let slot = lookup(id, in: context) { return contexts[context.index].objects[slot].id }
    return registeringID(id, in: context)
  }

  func localized(_ value: Value, in context: ContextID) -> Value {
    if case .object(let id) = value { return .object(localized(id, in: context)) }
    return value
  }

  /// The instance for `id`: registered already, or made as a fault.
  mutating func instance(_ id: ObjectID, in context: ContextID) -> Int {
    if let slot = lookup(id, in: context) { return slot }
    let slot = register(.fault(registeringID(id, in: context)), in: context)
    assert(lookup(id, in: context) == slot, "\(id) is not found where it was registered")
    return slot
  }

  mutating func register(_ object: consuming ManagedObject, in context: ContextID) -> Int {
    assert(object.holdCount == 0, "a name holds an instance that is not registered")
    let coordinator = contexts[context.index].coordinator.index
    coordinators[coordinator].addRegistration(of: row(of: object.id))
    return contexts[context.index].register(object)
  }

  /// Takes an instance out of its context for good.
  mutating func unregister(_ slot: Int, in context: ContextID) {
    assert(isRegistered(slot, in: context), "slot \(slot) is not registered")
    let id = contexts[context.index].objects[slot].id
    contexts[context.index].unregister(slot)
    coordinators[contexts[context.index].coordinator.index].removeRegistration(of: row(of: id))
    // The objects that it held may go now, and its copy above.
    contexts[context.index].mayCollect = true
    if let parent = contexts[context.index].parent { contexts[parent.index].mayCollect = true }
  }

  mutating func makeTemporaryID(
    for entity: EntityID, in context: ContextID, name: ObjectName?
  ) -> ObjectID {
    identities.append(Identity(origin: context, name: name))
    return .temporary(entity, serial: identities.count)
  }

  /// What the program calls the object with this ID, in every context.
  package func name(of id: ObjectID) -> ObjectName? {
    if id.isTemporaryID { return identities[id.number - 1].name }
    return temporaryID(of: id).flatMap { identities[$0.number - 1].name }
  }

  /// Whether `context` is the one in which a temporary ID was made, or above it.
  func isAncestorOrSelf(_ context: ContextID, ofOriginOf id: ObjectID) -> Bool {
    assert(id.isTemporaryID, "\(id) has no context of origin")
    var current: ContextID? = identities[id.number - 1].origin
    while let candidate = current {
      if candidate == context { return true }
      current = contexts[candidate.index].parent
    }
    return false
  }

  // MARK: Becoming permanent

  /// The permanent ID for a temporary one: the one it already got, or the next key of its store.
  mutating func takePermanentID(for temporary: ObjectID, in context: ContextID) -> ObjectID {
    precondition(temporary.isTemporaryID, "an ID becomes permanent twice")
    if let known = identities[temporary.number - 1].permanent { return known }
    guard let store = attachedStore(of: temporary, for: context) else {
      preconditionFailure("no store takes \(model[temporary.entity].name)")
    }
    let key = stores[store.index].takeKey()
    let permanent = ObjectID.permanent(temporary.entity, key: key, in: store)
    identities[temporary.number - 1].permanent = permanent
    while temporaryIDs[store.index].count < key { temporaryIDs[store.index].append(nil) }
    assert(temporaryIDs[store.index][key - 1] == nil, "key \(key) was given out already")
    temporaryIDs[store.index][key - 1] = temporary
    // Instances that keep the temporary ID use the row's snapshot all the same.
    for index in coordinators.indices {
      let users = contexts.count {
        $0.coordinator.index == index && $0.registry.slot(of: temporary) != nil
      }
      coordinators[index].addRegistration(of: permanent, count: users)
    }
    assert(temporaryID(of: permanent) == temporary, "\(permanent) does not lead back")
    return permanent
  }

  /// Every context that the quirks let see the change, beginning with `own`.
  func contextsThatRename(_ own: [ContextID]) -> [ContextID] {
    precondition(!own.isEmpty, "no context asked for permanent IDs")
    guard !quirks.contains(.childKeepsTemporaryID) else { return own }
    let coordinator = contexts[own[0].index].coordinator
    var renaming = own
    for index in contexts.indices
    where contexts[index].coordinator == coordinator && !own.contains(ContextID(index)) {
      renaming.append(ContextID(index))
    }
    assert(Set(renaming.map(\.index)).count == renaming.count, "a context renames twice")
    return renaming
  }

  /// An ID that takes the place of another in a context.
  fileprivate struct Replacement {
    let old: ObjectID
    let new: ObjectID
    /// Whether no other instance has it.
    let isFree: Bool
  }

  /// Gives instances their permanent IDs, one after the other; then has relationships follow.
  mutating func rename(
    _ pairs: [(temporary: ObjectID, permanent: ObjectID)], in renaming: [ContextID]
  ) {
    if pairs.isEmpty { return }
    var replacements = Array(repeating: [Replacement](), count: renaming.count)
    for (temporary, permanent) in pairs {
      assert(row(of: temporary) == permanent, "\(temporary) does not lead to \(permanent)")
      for (position, context) in renaming.enumerated() {
        let index = context.index
        let slot = contexts[index].registry.slot(of: temporary)
        let isFree = contexts[index].registry.slot(of: permanent) == nil
        renameEntries(temporary, to: permanent, isFree: isFree, in: context)
        if let slot, isFree {
          contexts[index].rename(slot, to: permanent)
          events.append(.becamePermanent(context, temporary, permanent))
          assert(
            contexts[index].registry.slot(of: temporary) == nil, "\(temporary) is registered still")
        }
        replacements[position].append(
          Replacement(old: temporary, new: permanent, isFree: isFree))
      }
    }
    for (position, context) in renaming.enumerated() {
      if !bugs.contains(.leavesTemporaryIDInRelationships) {
        replace(replacements[position], in: context.index)
      }
      // Where another instance has the permanent ID, relationships lead to that one from now on.
      contexts[context.index].mayCollect = true
    }
  }

  private mutating func replace(_ all: [Replacement], in context: Int) {
    // Of many, each instance is asked what it mentions; of few, whether it mentions them.
    let places =
      all.count > 8
      ? Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.old, $0) }) : nil
    for slot in contexts[context].objects.indices where !contexts[context].objects.isFree(slot) {
      let entity = contexts[context].objects[slot].id.entity.index
      guard hasRelationships[entity] else { continue }
      let shapes = shapes[entity]
      for one in all.mentioned(by: contexts[context].objects[slot].current, shapes, places) {
        contexts[context].objects[slot].current.replace(one.old, with: one.new, of: shapes)
      }
      for one in all.mentioned(by: contexts[context].objects[slot].base, shapes, places) {
        contexts[context].objects[slot].base.replace(one.old, with: one.new, of: shapes)
      }
      guard case .at(let index) = contexts[context].objects[slot].eventStart else { continue }
      let start = contexts[context].eventStarts[index].snapshot
      for one in all.mentioned(by: start, shapes, places) {
        contexts[context].eventStarts[index].snapshot.replace(one.old, with: one.new, of: shapes)
        marks.insert(.renamedInEventStart)
      }
    }
    let shapes = shapes
    for one in all {
      let isReplaced = contexts[context].undoManager?.replace(
        one.old, with: one.new, isFree: one.isFree, shapes)
      if isReplaced == true { marks.insert(.renamedInUndoGroup) }
    }
  }
}

extension [World.Replacement] {
  /// Those whose old ID a snapshot mentions. `places` are theirs by the old IDs, if there are many.
  fileprivate func mentioned(
    by snapshot: ManagedObject.Snapshot, _ shapes: [PropertyShape], _ places: [ObjectID: Int]?
  ) -> [World.Replacement] {
    guard let places else { return filter { snapshot.mentions($0.old, shapes) } }
    var found: [World.Replacement] = []
    snapshot.forEachReference(shapes) { id in
      if let place = places[id] { found.append(self[place]) }
    }
    return found
  }
}
