import ObjectModel
import Vocabulary

/// A child's commit. Its changes become unsaved changes of its parent, one level up (SV-01).
extension ObjectGraph {
  /// Commits the changes of a child to its parent. §commit-to-parent §save-to-parent
  mutating func saveToParent(
    _ changes: inout Changes, from context: ContextID
  ) throws(StepFailure) {
    let c = context.index
    guard let parent = contexts[c].parent else { preconditionFailure("\(context) is a root") }
    assert(
      contexts[parent.index].children.contains(context), "\(context) is no child of \(parent)")
    let conflicts = try conflicts(of: changes, in: context, with: parent)
    if quirks.contains(.inaccessibleFaultRaises) {
      try checkThatParentHas(changes, besides: conflicts, of: context, parent)
    }
    settle(conflicts, &changes, in: context)
    // §save-to-parent.1: later steps may relate one insertion to another.
    for index in changes.indices where changes[index].kind == .inserted {
      changes[index].isKnownAbove =
        !handOverInsertion(of: changes[index].slot, from: context, to: parent)
    }
    handOver(changes, from: context, to: parent)
    for change in changes.all where change.kind == .deleted {
      handOverDeletion(of: change.slot, from: context, to: parent)
    }
    processPendingChanges(parent)

    contexts[c].noteCommitted(changes)
    for change in changes.all where change.isKept {
      contexts[c].becomeClean(change.slot, by: setting)
    }
    for change in changes.all where change.kind == .deleted {
      unregister(change.slot, in: context)
    }
    contexts[c].endWatch()
  }

  /// Hands over the properties of insertions and updates. §save-to-parent.3
  private mutating func handOver(
    _ changes: Changes, from context: ContextID, to parent: ContextID
  ) {
    let c = context.index
    var ordered: [(slot: Int, parentSlot: Int, property: Int)] = []
    for change in changes.all where change.isKept {
      let object = contexts[c].objects[change.slot]
      var properties = propertiesToHandOver(of: object, isResolved: change.isResolved)
      if change.isKnownAbove { addValues(to: &properties, of: object.id) }
      if properties.contains(where: { !object.changed.contains($0) }) {
        marks.insert(.untrackedValueHandedOver)
      }
      guard
        let parentSlot = handOver(properties, of: change.slot, from: context, to: parent)
      else { continue }
      for property in properties where shapes[object.id.entity.index][property].isOrdered {
        ordered.append((change.slot, parentSlot, property))
      }
    }
    // §save-to-parent.4: the relationships now have all their members.
    for (slot, parentSlot, property) in ordered {
      let object = contexts[c].objects[slot]
      let shape = shapes[object.id.entity.index][property]
      let before = contexts[parent.index].objects[parentSlot].current.collections[shape.slot]
      contexts[parent.index].reorder(
        PropertyID(property), of: parentSlot,
        like: localizedMembers(object.current.collections[shape.slot], in: parent), by: setting)
      if contexts[parent.index].objects[parentSlot].current.collections[shape.slot] != before {
        marks.insert(.orderHandedOver)
      }
    }
  }

  private func localizedMembers(_ members: [ObjectID], in context: ContextID) -> [ObjectID] {
    members.map { localized($0, in: context) }
  }

  /// Checks access to the parent. On old systems, an update raises an error if the parent has
  /// deleted the object or cannot find it. §check-parent
  private mutating func checkThatParentHas(
    _ changes: Changes, besides conflicts: [(slot: Int, theirs: Theirs)], of context: ContextID,
    _ parent: ContextID
  ) throws(StepFailure) {
    for change in changes.all
    where change.kind == .updated && !conflicts.contains(where: { $0.slot == change.slot }) {
      let object = contexts[context.index].objects[change.slot]
      if propertiesToHandOver(of: object, isResolved: false).isEmpty { continue }
      let parentSlot = instance(object.id, in: parent)
      guard !contexts[parent.index].isPendingDeletion(parentSlot),
        fireQuietly(parentSlot, in: parent)
      else {
        marks.insert(.updateMeetsNothingAbove)
        throw StepFailure(failure: .inaccessible(object.id))
      }
    }
  }

  /// Finds the conflicts of a child's commit. Throws an error for conflicts under the error policy.
  ///
  /// If the child's policy counts, compares base values with the parent's values. Otherwise,
  /// compares only versions. §find-conflicts §parent-conflict §version-conflict
  private mutating func conflicts(
    of changes: Changes, in context: ContextID, with parent: ContextID
  ) throws(StepFailure) -> [(slot: Int, theirs: Theirs)] {
    let c = context.index
    let comparesVersions = quirks.contains(.childSaveIgnoresMergePolicy)
    var conflicts: [(slot: Int, theirs: Theirs)] = []
    if comparesVersions, !quirks.contains(.childSaveChecksVersion) { return [] }
    let slots = changes.all.filter { $0.kind == .updated || $0.kind == .deleted }.map(\.slot)
    for slot in contexts[c].sorted(slots) {
      let object = contexts[c].objects[slot]
      let isDeletion = object.flags.contains(.deleted)
      let isHandedOver = propertiesToHandOver(of: object, isResolved: false).contains {
        !shapes[object.id.entity.index][$0].isTransient
      }
      guard isDeletion || isHandedOver else { continue }
      if comparesVersions, isDeletion || object.version == 0 { continue }
      let parentSlot = instance(object.id, in: parent)
      guard !contexts[parent.index].isPendingDeletion(parentSlot),
        fireQuietly(parentSlot, in: parent)
      else {
        if !isDeletion, !comparesVersions { conflicts.append((slot, .gone)) }
        continue
      }
      let theirs = contexts[parent.index].objects[parentSlot]
      let loaded = localized(
        Loaded(values: theirs.current.values, version: theirs.version), of: object.id.entity,
        in: context)
      let hasOtherValues = shapes[object.id.entity.index].contains { shape in
        shape.kind != .toMany && !shape.isTransient
          && loaded.values[shape.slot] != object.base.values[shape.slot]
      }
      if comparesVersions ? theirs.version != object.version : hasOtherValues {
        conflicts.append((slot, .there(loaded)))
      }
    }
    if contexts[c].mergePolicy == .error, !conflicts.isEmpty {
      throw StepFailure(
        failure: .mergeConflicts(
          conflicts.map { slot, theirs in
            let object = contexts[c].objects[slot]
            var conflict = Failure.Conflict(object: object.id, oldVersion: 0, newVersion: 0)
            if comparesVersions, case .there(let loaded) = theirs {
              (conflict.oldVersion, conflict.newVersion) = (object.version, loaded.version)
            }
            conflict.objectSnapshot = object.base.values
            return conflict
          }))
    }
    return conflicts
  }

  /// Inserts an object in the parent under the same ID, and awakens it (LC-02, ID-04). Returns
  /// `false` if the parent still has the insertion from an earlier save (ID-34). §insert-in-parent
  private mutating func handOverInsertion(
    of slot: Int, from context: ContextID, to parent: ContextID
  ) -> Bool {
    let id = contexts[context.index].id(of: slot)
    let p = parent.index
    // A lookup may have left a fault in the parent, and a read an inaccessible instance.
    let parentSlot = instance(id, in: parent)
    guard
      !contexts[parent.index].isPendingDeletion(parentSlot)
        || contexts[p].objects[parentSlot].flags.isSuperset(of: .unfound)
    else { return true }
    guard !contexts[p].has(.inserted, parentSlot) else {
      marks.insert(.insertionIsKnownAbove)
      return false
    }
    contexts[p].unmark(parentSlot, as: .deleted)
    contexts[parent.index].realise(parentSlot, showing: defaults(of: id.entity), by: setting)
    assert(
      !contexts[parent.index].has([.deleted, .discarded], parentSlot), "\(id) is deleted above")
    contexts[p].unmark(parentSlot, as: [.updated, .reports])
    contexts[p].mark(parentSlot, as: [.inserted, .reportInserted])
    contexts[p].objects[parentSlot].eventStart = .absent
    contexts[p].hasReports = true
    releaseCopyAbove(parent)
    // The defaults contain no relationships, so objects that a former instance held may be released
    // (RD-A11).
    contexts[p].mayCollect = true
    if quirks.contains(.parentAwakensInsertedObject) { awakeFromInsert(parentSlot, in: parent) }
    return true
  }

  /// Adds all attributes and to-one relationships of an object that is inserted again.
  /// §properties-handed-over.1.1
  private func addValues(to properties: inout [Int], of id: ObjectID) {
    let shapes = shapes[id.entity.index]
    properties = shapes.indices.filter {
      shapes[$0].kind != .toMany || properties.contains($0)
    }
  }

  /// Hands properties over to the parent's instance. Returns its slot, or `nil` if no instance can
  /// take the properties. §hand-over
  private mutating func handOver(
    _ properties: [Int], of slot: Int, from context: ContextID, to parent: ContextID
  ) -> Int? {
    let object = contexts[context.index].objects[slot]
    noteIgnoredValues(of: object, except: properties, from: context, to: parent)
    guard !properties.isEmpty else { return nil }
    let p = parent.index
    let parentSlot = instance(object.id, in: parent)
    guard !contexts[p].isPendingDeletion(parentSlot), fireQuietly(parentSlot, in: parent)
    else {
      if object.flags.contains(.updated) {
        marks.insert(.updateMeetsNothingAbove)
        noteUnseenDeletion(by: object, properties, from: context, to: parent)
      }
      return nil
    }
    assert(!contexts[parent.index].isFault(parentSlot), "\(object.id) is handed over to a fault")
    let entity = object.id.entity
    noteOverwrites(by: object, properties, of: parentSlot, from: context, to: parent)
    if notesWrites { noteWrites(by: object, properties, of: parentSlot, from: context, to: parent) }
    result.events.append(
      .receive(
        parent, contexts[p].id(of: parentSlot), received(properties, of: object, by: parent)))
    for property in properties {
      let shape = shapes[entity.index][property]
      switch shape.kind {
      case .attribute:
        contexts[parent.index].set(
          PropertyID(property), of: parentSlot, to: object.current.values[shape.slot], by: setting)
      case .toOne:
        let value = valueForParent(object.current.values[shape.slot], parent: parent)
        setDestination(value.objectID, of: PropertyID(property), parentSlot, in: parent)
      case .toMany:
        handOverCollection(property, of: object, to: parentSlot, in: parent)
      }
    }
    return parentSlot
  }

  /// Returns the values that the parent receives. A to-many relationship has no value. §hand-over.2
  private func received(
    _ properties: [Int], of object: ManagedObject, by parent: ContextID
  ) -> [Received] {
    properties.map { property in
      let shape = shapes[object.id.entity.index][property]
      return Received(
        PropertyID(property),
        shape.kind == .toMany
          ? nil : valueForParent(object.current.values[shape.slot], parent: parent))
    }
  }

  /// Returns the changed properties to hand over, including primitive values (CT-06). A quirk
  /// excludes values equal to the base (SV-08). After a merge policy, returns only properties that
  /// still differ. §properties-handed-over
  private func propertiesToHandOver(of object: ManagedObject, isResolved: Bool) -> [Int] {
    let shapes = shapes[object.id.entity.index]
    if bugs.contains(.copiesAllPropertiesOnChildSave) { return Array(shapes.indices) }
    let isInserted = object.flags.contains(.inserted)
    let skipsEqual = quirks.contains(.childSaveIgnoresEqualValues) && !isInserted
    var properties: [Int] = []
    for (property, shape) in shapes.enumerated() {
      if object.isPrimitivelyChanged(shape, by: setting) {
        properties.append(property)
      } else if object.changed.contains(property) {
        let isDifferent = object.differs(shape, by: setting)
        let isMeant = isResolved ? isDifferent && !shape.isTransient : isDifferent || !skipsEqual
        if isMeant { properties.append(property) }
      }
    }
    return properties
  }

  /// Returns a destination by its ID in the parent, or null if the parent has deleted the
  /// destination. §hand-over.2.4.1
  func valueForParent(_ value: Value, parent: ContextID) -> Value {
    guard let id = value.objectID else { return value }
    if let slot = lookup(id, in: parent), contexts[parent.index].isPendingDeletion(slot) {
      return .null
    }
    return .object(localized(id, in: parent))
  }

  /// Hands a collection over to the parent's instance. §hand-over-collection
  private mutating func handOverCollection(
    _ property: Int, of object: ManagedObject, to parentSlot: Int, in parent: ContextID
  ) {
    let shape = shapes[object.id.entity.index][property]
    let current = object.current.collections[shape.slot]
    use(property, of: parentSlot, in: parent)
    assert(shape.kind == .toMany, "property \(property) has no members")
    if shape.hasInverse, !shape.inverseIsToMany {
      // The inverse hands over the membership.
      contexts[parent.index].track(property, of: parentSlot, by: setting)
    } else {
      let base = object.flags.contains(.inserted) ? [] : object.base.collections[shape.slot]
      for member in base where !current.contains(member) {
        remove(
          localized(member, in: parent), from: PropertyID(property), of: parentSlot, in: parent)
      }
      for member in current where !base.contains(member) {
        let id = localized(member, in: parent)
        if let slot = lookup(id, in: parent), contexts[parent.index].isPendingDeletion(slot) {
          continue
        }
        add(id, to: PropertyID(property), of: parentSlot, in: parent)
      }
      contexts[parent.index].track(property, of: parentSlot, by: setting)
    }
  }

  /// Deletes the parent's instance of a deleted object. §save-to-parent.5
  private mutating func handOverDeletion(
    of slot: Int, from context: ContextID, to parent: ContextID
  ) {
    let id = contexts[context.index].id(of: slot)
    let parentSlot = instance(id, in: parent)
    guard !contexts[parent.index].isPendingDeletion(parentSlot),
      fireQuietly(parentSlot, in: parent)
    else { return }
    // Call no hook. The parent's instance receives its hook when the parent saves (LC-23).
    if bugs.contains(.handedOverDeletionPropagatesNothing) {
      contexts[parent.index].markDeletedWithoutPropagation(parentSlot)
    } else {
      contexts[parent.index].markDeleted(parentSlot, by: setting)
    }
  }
}
