import ObjectModel
import Vocabulary

/// To-many relationships. Each is a separate fault, which its first use fires without firing a
/// member (RL-16, FR-A9).
extension ReferenceStack {
  /// Uses a to-many relationship of the realised instance `x`. Fires the relationship if it is
  /// unfired, without a change. §use
  ///
  /// The callers are the operations of §uses.
  mutating func use(_ property: Int, of x: ObjectID, in c: ContextID) {
    let slot = shape(of: property, of: x).slot
    assert(shape(of: property, of: x).isToMany, "property \(property) of \(x) has no members")
    assert(!self[c, x].isFault, "a relationship of the fault \(x) is used")
    guard self[c, x].unfired.contains(slot) else { return }
    let members = loadCollection(property, of: x, in: c)
    self[c, x].fireCollection(slot, members ?? [])
  }

  /// Loads a to-many relationship of `id` for `c`. Returns nil if `id` is missing above.
  /// §load-collection
  mutating func loadCollection(
    _ property: Int, of id: ObjectID, in c: ContextID
  ) -> [ObjectID]? {
    if isStranger(id, in: c) { return nil }
    let slot = shape(of: property, of: id).slot
    guard let parent = contexts[c.index].parent else {
      guard let loaded = loadRow(row(id), in: c) else { return nil }
      return localized(loaded.collections[slot], slot, of: id.entity, in: c)
    }
    guard let y = source(of: id, in: parent) else { return nil }
    use(property, of: y, in: parent)
    return localized(self[parent, y].collections[slot], slot, of: id.entity, in: c)
  }

  /// Rebases a to-many relationship that has unsaved changes. Loaded members replace the base
  /// (FL-02). §rebase.1.1
  mutating func rebaseCollection(_ property: Int, of x: ObjectID, in c: ContextID) {
    let shape = shape(of: property, of: x)
    assert(shape.isToMany, "property \(property) of \(x) has no members")
    use(property, of: x, in: c)
    let new = loadCollection(property, of: x, in: c) ?? []
    self[c, x].collections[shape.slot] = reapplied(
      from: self[c, x].base.collections[shape.slot], to: self[c, x].collections[shape.slot],
      on: new, isOrdered: shape.isOrdered)
    self[c, x].base.collections[shape.slot] = new
  }

  /// Applies the additions and removals between `old` and `new` to `target`. §reapply
  private func reapplied(
    from old: [ObjectID], to new: [ObjectID], on target: [ObjectID], isOrdered: Bool
  ) -> [ObjectID] {
    var result = target.filter { !old.contains($0) || new.contains($0) }
    for id in new where !old.contains(id) && !result.contains(id) { result.append(id) }
    if !isOrdered { result.sort() }
    assert(result.hasNoDuplicates, "a collection has a member twice")
    return result
  }
}
