import ObjectModel
import Vocabulary

/// Evidence of values that a save wrote, replaced or omitted, for the invariants about lost data.
extension ObjectGraph {
  /// Records the context's values that a merge policy drops. Also records values that the policy
  /// replaces although the context has not seen them.
  mutating func noteLosses(
    of slot: Int, against theirs: Loaded, by policy: MergePolicy, in context: ContextID
  ) {
    let object = contexts[context.index].objects[slot]
    for (property, shape) in shapes[object.id.entity.index].enumerated()
    where shape.kind == .attribute && !shape.isTransient {
      let base = object.base.values[shape.slot]
      let ours = object.current.values[shape.slot]
      let found = theirs.values[shape.slot]
      guard ours != found else { continue }
      let isOurs = object.isReallyChanged(property, by: setting)
      let change = Evidence.Change(
        context: context, object: object.id, property: PropertyID(property),
        parent: contexts[context.index].parent)
      switch policy {
      case .overwrite where found != base,
        .mergeByPropertyObjectTrump where isOurs && found != base:
        result.evidence.append(.overwrote(change, base: base, replaced: found, new: ours))
      case .rollback where isOurs, .mergeByPropertyStoreTrump where isOurs && found != base:
        result.evidence.append(.ignored(change, wanted: ours, found: found))
      default: break
      }
    }
  }

  // MARK: To the parent

  /// Records values that a save omits because they equal the loaded values, although the parent has
  /// other values.
  mutating func noteIgnoredValues(
    of object: ManagedObject, except handedOver: [Int], from context: ContextID,
    to parent: ContextID
  ) {
    guard object.flags.contains(.updated),
      let parentSlot = slotOfRow(object.id, in: parent)
    else { return }
    let theirs = contexts[parent.index].objects[parentSlot]
    if theirs.isPendingDeletion || theirs.isFault { return }
    for (property, shape) in shapes[object.id.entity.index].enumerated()
    where shape.kind == .attribute && !shape.isTransient && object.changed.contains(property) {
      let wanted = object.current.values[shape.slot]
      let found = contexts[parent.index].objects[parentSlot].current.values[shape.slot]
      if wanted != found, !handedOver.contains(property) {
        let change = Evidence.Change(
          context: context, object: object.id, property: PropertyID(property), parent: parent)
        result.evidence.append(.ignored(change, wanted: wanted, found: found))
      }
    }
  }

  /// Records values that are lost because the parent has deleted the object, or cannot find it
  /// (FL-26).
  mutating func noteUnseenDeletion(
    by object: ManagedObject, _ properties: [Int], from context: ContextID, to parent: ContextID
  ) {
    for property in properties {
      let shape = shapes[object.id.entity.index][property]
      guard shape.kind == .attribute, !shape.isTransient else { continue }
      let wanted = object.current.values[shape.slot]
      if wanted.isNull { continue }
      let change = Evidence.Change(
        context: context, object: object.id, property: PropertyID(property), parent: parent)
      result.evidence.append(.ignored(change, wanted: wanted, found: nil))
    }
  }

  mutating func noteOverwrites(
    by object: ManagedObject, _ properties: [Int], of parentSlot: Int, from context: ContextID,
    to parent: ContextID
  ) {
    guard object.flags.contains(.updated) else { return }
    for property in properties {
      let shape = shapes[object.id.entity.index][property]
      guard shape.kind == .attribute, !shape.isTransient else { continue }
      let base = object.base.values[shape.slot]
      let replaced = contexts[parent.index].objects[parentSlot].current.values[shape.slot]
      let new = object.current.values[shape.slot]
      if replaced != base, replaced != new {
        let change = Evidence.Change(
          context: context, object: object.id, property: PropertyID(property), parent: parent)
        result.evidence.append(.overwrote(change, base: base, replaced: replaced, new: new))
      }
    }
  }

  mutating func noteWrites(
    by object: ManagedObject, _ properties: [Int], of parentSlot: Int, from context: ContextID,
    to parent: ContextID
  ) {
    for property in properties {
      let shape = shapes[object.id.entity.index][property]
      guard shape.kind != .toMany, !shape.isTransient else { continue }
      let old = contexts[parent.index].objects[parentSlot].current.values[shape.slot]
      let mine = object.current.values[shape.slot]
      let new = shape.kind == .toOne ? valueForParent(mine, parent: parent) : mine
      if new == old { continue }
      let change = Evidence.Change(
        context: context, object: object.id, property: PropertyID(property), parent: parent)
      result.evidence.append(.wrote(change, old: old, new: new))
    }
  }

  // MARK: To the stores

  mutating func noteWrites(
    of object: ManagedObject, over old: Row?, isWhole: Bool, from context: ContextID
  ) {
    var values = object.current.values
    dropTransients(in: &values, of: object.id.entity)
    let before = old?.values ?? model.entities[object.id.entity.index].defaultValues
    for (property, shape) in shapes[object.id.entity.index].enumerated()
    where shape.kind != .toMany {
      let new =
        shape.kind == .attribute
        ? values[shape.slot]
        : rowOfDestination(
          values[shape.slot], insteadOf: before[shape.slot].objectID, isWhole: isWhole
        ).map { .object($0) } ?? .null
      if new == before[shape.slot] { continue }
      let change = Evidence.Change(
        context: context, object: object.id, property: PropertyID(property), parent: nil)
      result.evidence.append(.wrote(change, old: before[shape.slot], new: new))
    }
  }
}
