import ObjectModel
import Vocabulary

/// Weak registration: releases instances and entries of row caches.
extension ReferenceStack {
  /// Releases instances that are not needed, and row-cache entries of rows that no context has
  /// (FL-15, FL-20). §collect
  mutating func collect(after action: Action) {
    let acting = action.context.index
    for index in contexts.indices.reversed() {
      contexts[index].updateLists()
      // §collect.1.1 (FL-18)
      if contexts[index].lists.loose.isEmpty || contexts[index].retainsRegisteredObjects {
        continue
      }
      guard index == acting || isTouched(index) || isTouchedBelow(index) else { continue }
      for id in unneeded(in: ContextID(index)) {
        assert(!self[ContextID(index), id].isHeld, "\(id) leaves and is held")
        contexts[index].leave(id)
      }
    }
    for coordinator in rowCaches.indices {
      for id in rowCaches[coordinator].touched { dropRow(id, of: coordinator) }
    }
    for index in contexts.indices where isTouched(index) {
      let coordinator = contexts[index].coordinator.index
      if rowCaches[coordinator].isEmpty { continue }
      for id in contexts[index].instances.removed { dropRow(row(id), of: coordinator) }
    }
  }

  /// Returns the instances that are not needed. §collect.1.2
  private func unneeded(in c: ContextID) -> [ObjectID] {
    contexts[c.index].lists.loose.filter { !isKept($0, in: c) }
  }

  /// Removes a row-cache entry if no context has registered an instance of the row. §collect.2
  private mutating func dropRow(_ id: ObjectID, of coordinator: Int) {
    guard rowCaches[coordinator].contains(id), !isRowRegistered(id, below: coordinator) else {
      return
    }
    rowCaches[coordinator].remove(id)
  }

  /// Returns true if the action touched instances of this context.
  private func isTouched(_ context: Int) -> Bool { !contexts[context].instances.touched.isEmpty }

  private func isTouchedBelow(_ context: Int) -> Bool {
    for child in contexts[context].children where isTouched(child.index) { return true }
    return false
  }

  /// Decides whether an instance that its context does not hold by itself is needed for another
  /// reason. §needed
  private func isKept(_ x: ObjectID, in c: ContextID) -> Bool {
    contexts[c.index].undoManager?.mentions(x) == true || isPassedDown(x, from: c)
      || isListed(x, in: c) || isInRetainCycle(x, in: c)
      || contexts[c.index].pool.contains(x)
      || contexts[c.index].deliveries.contains { $0.contains(x) }
  }

  func isRowRegistered(_ id: ObjectID, below coordinator: Int) -> Bool {
    for index in contexts.indices where contexts[index].coordinator.index == coordinator {
      if isRowRegistered(id, in: ContextID(index)) { return true }
    }
    return false
  }

  /// Decides whether two instances hold each other over a relationship and its inverse (RD-A11).
  /// §retain-cycle
  private func isInRetainCycle(_ x: ObjectID, in c: ContextID) -> Bool {
    if self[c, x].isFault { return false }
    for (_, shape) in shapes[x.entity.index].relationships {
      guard let inverse = shape.inverse else { continue }
      for id in held(by: x, in: shape, c) where contexts[c.index].instances.contains(id) {
        if held(by: id, in: self.shape(of: inverse, of: id), c).contains(x) { return true }
      }
    }
    return false
  }

  /// Returns the destinations that a realised instance shows for a relationship.
  private func held(by x: ObjectID, in shape: PropertyShape, _ c: ContextID) -> [ObjectID] {
    if self[c, x].isFault || !shape.isRelationship { return [] }
    if shape.isToMany { return self[c, x].collections[shape.slot] }
    return self[c, x].values[shape.slot].objectID.map { [$0] } ?? []
  }

  /// Decides whether a child takes the row of `x` from `c`, under either of its IDs. §needed.9
  private func isPassedDown(_ x: ObjectID, from c: ContextID) -> Bool {
    let row = row(x)
    let t = temporaryID(of: row)
    for child in contexts[c.index].children {
      if isFromAbove(row, in: child) { return true }
      if let t, isFromAbove(t, in: child) { return true }
    }
    return false
  }

  /// Decides whether an instance takes its values from above. It does unless the context has
  /// inserted the instance or failed to find its row. §from-above
  private func isFromAbove(_ id: ObjectID, in c: ContextID) -> Bool {
    guard let position = contexts[c.index].instances.position(of: id) else { return false }
    return !contexts[c.index].instances[position].isInserted
      && !contexts[c.index].instances[position].isInaccessible
  }

  private func isRowRegistered(_ id: ObjectID, in c: ContextID) -> Bool {
    contexts[c.index].instances.contains(id) || otherID(id, in: c) != nil
  }
}
