import ObjectModel
import Vocabulary

/// Saving, told once, in order. Four phases, so that observers run in between and may block:
///
/// 1. *flush*: pending changes are processed; ObjectsDidChange (SV-16).
/// 2. *willSave*: the objects, round by round until none changes itself any more; ContextWillSave.
/// 3. *commit*: validation, conflicts, then one level up: to the parent, or to the stores. Either
///    all of it happens or nothing (SV-18).
/// 4. *finish*: the objects' `didSave`, DidSave, and merges into contexts that follow automatically.
extension World {
  /// Whether the save goes on with its next phase.
  mutating func runSave(_ phase: Phase, in context: ContextID) -> Bool {
    switch phase {
    case .flush: processPendingChanges(context)
    case .willSave: runWillSave(in: context)
    case .commit:
      do throws(Interruption) {
        try commit(context)
      } catch {
        events.append(.failed(error.failure))
        return false
      }
    case .finish: finishSave(in: context)
    case .whole: preconditionFailure("a save has phases")
    }
    return true
  }

  private mutating func runWillSave(in context: ContextID) {
    let c = context.index
    var round = contexts[c].order.filter {
      !contexts[c].objects[$0].flags.isDisjoint(with: [.inserted, .updated, .deleted])
    }
    while !round.isEmpty {
      var changedAgain: [Int] = []
      for slot in round {
        let id = contexts[c].objects[slot].id
        events.append(.hook(.willSave, context, id))
        var hasChanged = false
        for action in model.entities[id.entity.index].hookActions where action.hook == .willSave {
          if contexts[c].objects[slot].isFault || contexts[c].objects[slot].isDoomed { continue }
          if run(action, for: slot, in: context) { hasChanged = true }
        }
        if hasChanged { changedAgain.append(slot) }
      }
      round = changedAgain
    }
    processPendingChanges(context)
    events.append(.contextWillSave(context))
  }

  /// What a commit is about, as slots in ID order.
  struct Changes {
    var inserted: [Int] = []
    var updated: [Int] = []
    var deleted: [Int] = []
    /// Those of them on which a merge policy has decided.
    var resolved: [Int] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
    var kept: [Int] { inserted + updated }
  }

  private mutating func commit(_ context: ContextID) throws(Interruption) {
    let c = context.index
    processPendingChanges(context)
    contexts[c].committed = ChangeSets()
    var changes = Changes()
    for slot in contexts[c].order {
      let flags = contexts[c].objects[slot].flags
      if flags.contains(.inserted) {
        changes.inserted.append(slot)
        _ = fireQuietly(slot, in: context)
      } else if flags.contains(.deleted) {
        changes.deleted.append(slot)
      } else if flags.contains(.updated) {
        changes.updated.append(slot)
      }
    }
    guard !changes.isEmpty else { return }
    try validate(changes, in: context)
    if contexts[c].isRoot {
      try saveToStore(&changes, from: context)
    } else {
      try saveToParent(&changes, from: context)
    }
  }

  private mutating func finishSave(in context: ContextID) {
    let c = context.index
    let sets = contexts[c].committed
    contexts[c].committed = ChangeSets()
    for id in (sets.inserted + sets.updated + sets.deleted).sorted() {
      events.append(.hook(.didSave, context, id))
    }
    let number = didSaves.count
    didSaves.append(DidSave(context: context, sets: sets))
    events.append(.didSave(context, sets, number: number))
    events.append(.saved)
    enqueueAutomaticMerges(of: number, from: context)
  }

  // MARK: Validation

  private func validate(_ changes: Changes, in context: ContextID) throws(Interruption) {
    var issues: [Failure.Issue] = []
    for slot in changes.kept {
      let object = contexts[context.index].objects[slot]
      for (index, property) in model.entities[object.id.entity.index].properties.enumerated() {
        if let code = problem(with: property, of: object) {
          issues.append(Failure.Issue(code, object.id, PropertyID(index)))
        }
      }
    }
    if !bugs.contains(.ignoresDeny) {
      for slot in changes.deleted { issues += deniedDeletes(of: slot, in: context) }
    }
    if !issues.isEmpty { throw Interruption(failure: .validation(issues)) }
  }

  private func problem(with property: Property, of object: ManagedObject) -> ErrorCode? {
    switch property.kind {
    case .attribute(let attribute):
      let value = object.current.values[property.slot]
      if value.isNull {
        return attribute.isOptional || attribute.isTransient || bugs.contains(.skipsMandatoryCheck)
          ? nil : .validationMissingMandatoryProperty
      }
      return problem(with: value, in: attribute)
    case .relationship(let relationship):
      if relationship.isToMany {
        let count = object.current.collections[property.slot].count
        if relationship.maximumCount > 0, count > relationship.maximumCount {
          return .validationRelationshipExceedsMaximumCount
        }
        if count == 0, relationship.isOptional { return nil }
        let minimum = max(relationship.minimumCount, relationship.isOptional ? 0 : 1)
        return count < minimum ? .validationRelationshipLacksMinimumCount : nil
      }
      let isMissing = object.current.values[property.slot].isNull && !relationship.isOptional
      return isMissing ? .validationMissingMandatoryProperty : nil
    }
  }

  /// Whether a value is beyond the attribute's limits.
  private func problem(with value: Value, in attribute: Attribute) -> ErrorCode? {
    if case .string(let symbol) = value {
      let length = Int64(model.symbols.text(of: symbol).count)
      if case .integer(let limit)? = attribute.maximum, length > limit {
        return .validationStringTooLong
      }
      if case .integer(let limit)? = attribute.minimum, length < limit {
        return .validationStringTooShort
      }
      return nil
    }
    let isDate = attribute.type == .date
    if let limit = attribute.maximum, valueOrder.order.precedes(limit, value) {
      return isDate ? .validationDateTooLate : .validationNumberTooLarge
    }
    if let limit = attribute.minimum, valueOrder.order.precedes(value, limit) {
      return isDate ? .validationDateTooSoon : .validationNumberTooSmall
    }
    return nil
  }

  private func deniedDeletes(of slot: Int, in context: ContextID) -> [Failure.Issue] {
    let id = contexts[context.index].objects[slot].id
    var issues: [Failure.Issue] = []
    for (index, shape) in shapes[id.entity.index].enumerated() where shape.deleteRule == .deny {
      let isDenied = destinations(of: shape, slot, in: context).contains { destination in
        guard let other = lookup(destination, in: context) else { return true }
        return !contexts[context.index].objects[other].isDoomed
      }
      if isDenied {
        issues.append(
          Failure.Issue(.validationRelationshipDeniedDelete, id, PropertyID(index)))
      }
    }
    return issues
  }

  // MARK: What really changed

  /// Whether a persistent property was set to something else than it was (CT-02).
  func isReallyChanged(_ property: Int, of object: ManagedObject) -> Bool {
    let shape = shapes[object.id.entity.index][property]
    return object.changed.contains(property) && !shape.isTransient && differs(shape, in: object)
  }

  func differs(_ shape: PropertyShape, in object: ManagedObject) -> Bool {
    shape.kind == .toMany
      ? object.current.collections[shape.slot] != object.base.collections[shape.slot]
      : object.current.values[shape.slot] != object.base.values[shape.slot]
  }

  /// Whether a save has something of this object to hand on.
  func isWritten(_ object: ManagedObject) -> Bool {
    object.flags.contains(.inserted)
      || shapes[object.id.entity.index].indices.contains { isReallyChanged($0, of: object) }
  }

  // MARK: Conflicts

  /// What a save finds above it for an object.
  enum Theirs {
    case gone
    case there(Loaded)
  }

  /// Settles one conflict by the merge policy; false if the object is not saved after all.
  ///
  /// Both kinds of save use it: a root's towards its store, and a child's towards its parent where
  /// the profile lets the child's policy count.
  mutating func resolve(
    _ slot: Int, against theirs: Theirs, by policy: MergePolicy, in context: ContextID
  ) -> Bool {
    let c = context.index
    let isDeletion = contexts[c].objects[slot].flags.contains(.deleted)
    let trump: MergePolicy = bugs.contains(.swapsTrumps) ? swapped(policy) : policy
    switch theirs {
    case .gone:
      let hadRow = !row(of: contexts[c].objects[slot].id).isTemporaryID
      if policy == .overwrite, contexts[c].isRoot, hadRow { return true }
      unregister(slot, in: context)
      return false
    case .there(let loaded) where isDeletion:
      if policy == .overwrite || trump == .mergeByPropertyObjectTrump { return true }
      becomeClean(slot, showing: loaded, in: context)
      return false
    case .there(let loaded):
      noteLosses(of: slot, against: loaded, by: policy, in: context)
      if policy == .rollback {
        becomeClean(slot, showing: loaded, in: context)
        return false
      }
      rebase(slot, on: loaded, by: trump, in: context)
      return true
    }
  }

  /// What a policy drops of ours, or replaces of theirs though we never saw it.
  private mutating func noteLosses(
    of slot: Int, against theirs: Loaded, by policy: MergePolicy, in context: ContextID
  ) {
    let object = contexts[context.index].objects[slot]
    for (property, shape) in shapes[object.id.entity.index].enumerated()
    where shape.kind == .attribute && !shape.isTransient {
      let base = object.base.values[shape.slot]
      let ours = object.current.values[shape.slot]
      let found = theirs.snapshot.values[shape.slot]
      guard ours != found else { continue }
      let isOurs = isReallyChanged(property, of: object)
      let change = Evidence.Change(
        context: context, object: object.id, property: PropertyID(property),
        parent: contexts[context.index].parent)
      switch policy {
      case .overwrite where found != base,
        .mergeByPropertyObjectTrump where isOurs && found != base:
        evidence.append(.overwrote(change, base: base, replaced: found, new: ours))
      case .rollback where isOurs, .mergeByPropertyStoreTrump where isOurs && found != base:
        evidence.append(.ignored(change, wanted: ours, found: found))
      default: break
      }
    }
  }

  private func swapped(_ policy: MergePolicy) -> MergePolicy {
    switch policy {
    case .mergeByPropertyStoreTrump: .mergeByPropertyObjectTrump
    case .mergeByPropertyObjectTrump: .mergeByPropertyStoreTrump
    default: policy
    }
  }

  /// Lays our changes over theirs, value by value; what is different then is what gets saved.
  private mutating func rebase(
    _ slot: Int, on theirs: Loaded, by policy: MergePolicy, in context: ContextID
  ) {
    let c = context.index
    let entity = contexts[c].objects[slot].id.entity
    for (property, shape) in shapes[entity.index].enumerated()
    where shape.kind != .toMany && !shape.isTransient {
      let base = contexts[c].objects[slot].base.values[shape.slot]
      let found = theirs.snapshot.values[shape.slot]
      let isOurs = contexts[c].objects[slot].current.values[shape.slot] != base
      if policy == .overwrite {
        // All of ours counts, also what was not touched (MP-10).
        contexts[c].objects[slot].changed.insert(property)
      } else if !isOurs || found != base && policy == .mergeByPropertyStoreTrump {
        contexts[c].objects[slot].current.values[shape.slot] = found
      }
      contexts[c].objects[slot].base.values[shape.slot] = found
    }
  }

  /// Drops the local changes and shows what is there.
  private mutating func becomeClean(
    _ slot: Int, showing theirs: Loaded, in context: ContextID
  ) {
    let c = context.index
    let mine = contexts[c].objects[slot].current
    var theirs = theirs
    keepTransients(of: mine, in: &theirs.snapshot, of: contexts[c].objects[slot].id.entity)
    if bugs.contains(.rollbackPolicyKeepsValues) { theirs.snapshot.values = mine.values }
    take(theirs, for: slot, in: context)
    contexts[c].objects[slot].flags.remove([.updated, .deleted])
    contexts[c].mayCollect = true
  }

  func keepTransients(
    of mine: ManagedObject.Snapshot, in snapshot: inout ManagedObject.Snapshot, of entity: EntityID
  ) {
    for shape in shapes[entity.index] where shape.isTransient {
      snapshot.values[shape.slot] = mine.values[shape.slot]
    }
  }

  /// The object is saved: what it shows is its base now.
  mutating func becomeClean(_ slot: Int, in context: ContextID) {
    let c = context.index
    contexts[c].objects[slot].base = contexts[c].objects[slot].current
    contexts[c].objects[slot].changed.removeAll()
    contexts[c].objects[slot].flags.remove([.inserted, .updated])
    contexts[c].mayCollect = true
  }
}
