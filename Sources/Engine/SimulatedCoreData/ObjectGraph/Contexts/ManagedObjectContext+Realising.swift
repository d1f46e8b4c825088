import ObjectModel
import Vocabulary

/// Instances that take values from a level above, or discard their own values.
extension ManagedObjectContext {
  /// Realises an instance with loaded values. Its to-many relationships are unfired. §realise
  mutating func take(_ loaded: ObjectGraph.Loaded, for slot: Int, by setting: Setting) {
    let entity = objects[slot].id.entity
    assert(loaded.version >= 0, "slot \(slot) is loaded with version \(loaded.version)")
    realise(
      slot,
      showing: .init(values: loaded.values, collections: setting.emptyCollections[entity.index]),
      by: setting)
    objects[slot].version = loaded.version
    objects[slot].unfired = setting.collectionSets[entity.index]
  }

  /// Realises an instance with all relationships fired and without a row.
  mutating func realise(_ slot: Int, showing snapshot: ManagedObject.Snapshot, by setting: Setting)
  {
    assert(
      setting.fits(snapshot.values, snapshot.collections, objects[slot].id.entity),
      "slot \(slot) is to show other properties than it has")
    objects[slot].realise(showing: snapshot)
  }

  /// Makes an inaccessible instance a clean fault, without an event. §forget-inaccessibility
  mutating func forgetInaccessibility(of slot: Int) {
    assert(has(.inaccessible, slot), "slot \(slot) has found its row")
    objects[slot].current = .init()
    objects[slot].base = .init()
    objects[slot].flags.remove([.updated, .deleted, .inaccessible, .kept])
    objects[slot].flags.insert(.fault)
    mayCollect = true
  }

  /// Applies the context's changes to the stored values, value by value. Values that differ
  /// afterwards are saved. §merge-by-property §overwrite
  mutating func rebase(
    _ slot: Int, on theirs: ObjectGraph.Loaded, under policy: MergePolicy, by setting: Setting
  ) {
    let entity = objects[slot].id.entity
    for (property, shape) in setting.shapes[entity.index].enumerated()
    where shape.kind != .toMany && !shape.isTransient {
      let base = objects[slot].base.values[shape.slot]
      let found = theirs.values[shape.slot]
      let isOurs = objects[slot].current.values[shape.slot] != base
      if policy == .overwrite, !setting.bugs.contains(.overwriteMergesByProperty) {
        // §overwrite.1.2 (MP-10)
        objects[slot].changed.insert(property)
      } else if !isOurs || found != base && policy == .mergeByPropertyStoreTrump {
        objects[slot].current.values[shape.slot] = found
      }
      objects[slot].base.values[shape.slot] = found
    }
  }

  /// Discards local changes and shows a snapshot instead. §show
  mutating func becomeClean(_ slot: Int, showing theirs: ObjectGraph.Loaded, by setting: Setting) {
    assert(!has([.inserted, .discarded], slot), "an insertion takes stored values")
    let mine = objects[slot].current.values
    var theirs = theirs
    setting.keepTransients(of: mine, in: &theirs.values, of: objects[slot].id.entity)
    if setting.bugs.contains(.rollbackPolicyKeepsValues) { theirs.values = mine }
    take(theirs, for: slot, by: setting)
    objects[slot].flags.remove([.updated, .deleted])
    mayCollect = true
    assert(!has(.changes, slot), "slot \(slot) has changes after all")
  }

  /// Makes a saved object clean. §write-to-stores.12 §save-to-parent.7
  mutating func becomeClean(_ slot: Int, by setting: Setting) {
    assert(!isFault(slot), "a fault is saved")
    objects[slot].becomeSaved()
    mayCollect = true
    assert(!has(.changes, slot), "slot \(slot) is saved and has changes")
  }
}
