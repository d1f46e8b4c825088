package import ObjectModel
package import Vocabulary

/// IDs: which IDs identify the same row, and how temporary IDs become permanent.
extension ObjectGraph {
  /// Maps an ID to its row: the permanent ID that `id` was given, or `id` itself. §row
  func row(of id: ObjectID) -> ObjectID {
    id.isTemporaryID ? identities[id.number - 1].permanent ?? id : id
  }

  /// Returns the permanent ID of the instance in a slot, or its temporary ID if it has no permanent
  /// ID.
  func rowID(ofSlot slot: Int, in context: ContextID) -> ObjectID {
    row(of: contexts[context.index].id(of: slot))
  }

  /// Decides whether the two IDs of one row find the same instance in `context`. §same
  func forwardsIDs(in context: ContextID) -> Bool {
    !quirks.contains(.rowHasTwoInstances) || contexts[context.index].isRoot
  }

  /// Looks up the registered instance with `id`, or with the other ID of its row if both IDs are
  /// the same in `context`. §lookup
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

  /// Returns the ID with which a fault for `id` is registered. §local-id.2
  private func registeringID(_ id: ObjectID, in context: ContextID) -> ObjectID {
    forwardsIDs(in: context) ? row(of: id) : id
  }

  /// Localizes an ID: returns `id` as `context` writes it into its values. §local-id
  func localized(_ id: ObjectID, in context: ContextID) -> ObjectID {
    if let slot = lookup(id, in: context) { return contexts[context.index].id(of: slot) }
    return registeringID(id, in: context)
  }

  /// Localizes the destination of a to-one relationship. §localize.1
  func localized(_ value: Value, in context: ContextID) -> Value {
    if case .object(let id) = value { return .object(localized(id, in: context)) }
    return value
  }

  /// Finds the instance for `id`, or registers a fault for it. §find
  mutating func instance(_ id: ObjectID, in context: ContextID) -> Int {
    if let slot = lookup(id, in: context) { return slot }
    let slot = register(.fault(registeringID(id, in: context)), in: context)
    assert(lookup(id, in: context) == slot, "\(id) is not found where it was registered")
    return slot
  }

  /// Registers an instance, and counts it for the row cache. §register
  mutating func register(_ object: consuming ManagedObject, in context: ContextID) -> Int {
    assert(object.holdCount == 0, "a name holds an instance that is not registered")
    let coordinator = contexts[context.index].coordinator.index
    coordinators[coordinator].addRegistration(of: row(of: object.id))
    return contexts[context.index].register(object)
  }

  /// Removes an instance from its context permanently. §leave
  mutating func unregister(_ slot: Int, in context: ContextID) {
    assert(contexts[context.index].contains(slot), "slot \(slot) is not registered")
    let id = contexts[context.index].id(of: slot)
    contexts[context.index].unregister(slot)
    coordinators[contexts[context.index].coordinator.index].removeRegistration(of: row(of: id))
    // Objects that the instance held may now be released, and so may its copy above.
    contexts[context.index].mayCollect = true
    if let parent = contexts[context.index].parent { contexts[parent.index].mayCollect = true }
  }

  mutating func makeTemporaryID(
    for entity: EntityID, in context: ContextID, name: ObjectName?
  ) -> ObjectID {
    identities.append(Identity(origin: context, name: name))
    return .temporary(entity, serial: identities.count)
  }

  /// Returns the name of the object with this ID in the program, in every context.
  /// §bind-results.2.1
  package func name(of id: ObjectID) -> ObjectName? {
    if id.isTemporaryID { return identities[id.number - 1].name }
    return temporaryID(of: id).flatMap { identities[$0.number - 1].name }
  }

  /// Decides whether `context` inserted the object with a temporary ID, or is above its inserting
  /// context. §stranger.3
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

  /// Returns the permanent ID for a temporary ID. A temporary ID without one receives the next key
  /// of its store. §become-permanent.1.1
  mutating func takePermanentID(for temporary: ObjectID, in context: ContextID) -> ObjectID {
    precondition(temporary.isTemporaryID, "an ID becomes permanent twice")
    if let known = identities[temporary.number - 1].permanent { return known }
    guard let store = attachedStore(of: temporary, for: context) else {
      preconditionFailure("no store takes \(model[temporary.entity].name)")
    }
    let key = stores[store.index].takeKey()
    let permanent = ObjectID.permanent(temporary.entity, key: key, in: store)
    identities[temporary.number - 1].permanent = permanent
    if temporaryIDs[store.index].isEmpty { temporaryIDs[store.index].reserveCapacity(max(8, key)) }
    while temporaryIDs[store.index].count < key { temporaryIDs[store.index].append(nil) }
    assert(temporaryIDs[store.index][key - 1] == nil, "key \(key) was given out already")
    temporaryIDs[store.index][key - 1] = temporary
    // Instances that keep the temporary ID also use the row's snapshot.
    for index in coordinators.indices {
      let users = contexts.count {
        $0.coordinator.index == index && $0.registry.slot(of: temporary) != nil
      }
      coordinators[index].addRegistration(of: permanent, count: users)
    }
    assert(temporaryID(of: permanent) == temporary, "\(permanent) does not lead back")
    return permanent
  }

  /// Determines the contexts that rename, beginning with `own`. §renaming-contexts
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

  /// Makes temporary IDs permanent. Renames instances in order, then updates relationships.
  /// §become-permanent
  ///
  /// - Parameter pairs: The temporary and permanent IDs, sorted by temporary ID.
  mutating func rename(
    _ pairs: [(temporary: ObjectID, permanent: ObjectID)], in renaming: [ContextID]
  ) {
    if pairs.isEmpty { return }
    // Permanent IDs that another instance of the context already has. §become-permanent.1.3.2
    var taken: [(context: ContextID, permanent: ObjectID)] = []
    for (temporary, permanent) in pairs {
      assert(row(of: temporary) == permanent, "\(temporary) does not lead to \(permanent)")
      for context in renaming {
        let index = context.index
        let slot = contexts[index].registry.slot(of: temporary)
        let isFree = contexts[index].registry.slot(of: permanent) == nil
        if !isFree { taken.append((context, permanent)) }
        renameEntries(temporary, to: permanent, isFree: isFree, in: context)
        if let slot, isFree {
          contexts[index].rename(slot, to: permanent)
          result.events.append(.becamePermanent(context, temporary, permanent))
          assert(
            contexts[index].registry.slot(of: temporary) == nil, "\(temporary) is registered still")
        }
      }
    }
    for context in renaming {
      if !bugs.contains(.leavesTemporaryIDInRelationships) {
        replaceReferences(pairs, in: context.index)
        for (temporary, permanent) in pairs where contexts[context.index].undoManager != nil {
          let isFree = !taken.contains { $0 == (context, permanent) }
          replaceInUndo(temporary, with: permanent, isFree: isFree, in: context.index)
        }
      }
      // Relationships may now lead to another instance, which already had the permanent ID.
      contexts[context.index].mayCollect = true
    }
  }

  /// Replaces temporary IDs in the values and event starts of a context. §become-permanent.2
  private mutating func replaceReferences(
    _ pairs: [(temporary: ObjectID, permanent: ObjectID)], in context: Int
  ) {
    guard hasRelationships.contains(true) else { return }
    for slot in contexts[context].objects.indices where !contexts[context].objects.isFree(slot) {
      let entity = contexts[context].id(of: slot).entity.index
      guard hasRelationships[entity] else { continue }
      let shapes = shapes[entity]
      for id in contexts[context].objects[slot].current.temporaryIDs(shapes) {
        guard let new = ObjectGraph.permanentID(of: id, in: pairs) else { continue }
        contexts[context].objects[slot].current.replace(id, with: new, of: shapes)
      }
      for id in contexts[context].objects[slot].base.temporaryIDs(shapes) {
        guard let new = ObjectGraph.permanentID(of: id, in: pairs) else { continue }
        contexts[context].objects[slot].base.replace(id, with: new, of: shapes)
      }
      guard case .at(let index) = contexts[context].objects[slot].eventStart else { continue }
      for id in contexts[context].eventStarts[index].snapshot.temporaryIDs(shapes) {
        guard let new = ObjectGraph.permanentID(of: id, in: pairs) else { continue }
        contexts[context].eventStarts[index].snapshot.replace(id, with: new, of: shapes)
        marks.insert(.renamedInEventStart)
      }
    }
  }

  /// Replaces a temporary ID in the undo groups of a context. §become-permanent.1.3.3
  private mutating func replaceInUndo(
    _ temporary: ObjectID, with permanent: ObjectID, isFree: Bool, in context: Int
  ) {
    let shapes = shapes
    let isReplaced = contexts[context].undoManager?.replace(
      temporary, with: permanent, isFree: isFree, shapes)
    if isReplaced == true { marks.insert(.renamedInUndoGroup) }
  }

  /// Returns the permanent ID for `id` in `pairs`, which must be sorted by temporary ID. Returns
  /// `nil` if `pairs` does not contain `id`.
  private static func permanentID(
    of id: ObjectID, in pairs: [(temporary: ObjectID, permanent: ObjectID)]
  ) -> ObjectID? {
    var (low, high) = (0, pairs.count)
    while low < high {
      let middle = (low + high) / 2
      if pairs[middle].temporary < id { low = middle + 1 } else { high = middle }
    }
    return low < pairs.count && pairs[low].temporary == id ? pairs[low].permanent : nil
  }
}
