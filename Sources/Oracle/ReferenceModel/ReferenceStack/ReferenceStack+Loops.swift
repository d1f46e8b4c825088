import ObjectModel
import Vocabulary

/// Steps that go through a set of objects.
extension ReferenceStack {
  /// Applies a treatment to each object of a set. §for-each, §treat
  mutating func goThrough(_ set: ObjectSet, _ treatment: Treatment, in c: ContextID) {
    for id in members(of: set, in: c) {
      if treatment == .delete {
        deleteIfPresent(id, isForeign: set.isForeign, in: c)
        continue
      }
      let x = reach(id, in: c)
      events.append(.object(x))
      if set.isForeign { contexts[c.index].pool.insert(x) }
      switch treatment {
      case .delete: preconditionFailure("deletions of a loop are on their own")
      case .refresh(let mergeChanges):
        if !self[c, x].isRemoved { refresh(x, mergeChanges: mergeChanges, in: c) }
      case .touch: if !fireOrFail(x, in: c) { return }
      case .edit, .mark:
        guard let (property, mark) = model[x.entity].mark else { continue }
        if !fireOrFail(x, in: c) { return }
        let isMarked = self[c, x].values[shape(of: property.index, of: x).slot] == mark
        if treatment == .mark, isMarked { continue }
        self.set(mark, property.index, of: x, in: c)
        events.append(.hookSet(c, x, property, mark))
      }
    }
  }

  /// Deletes an object of a loop. Skips an object that is doomed, or whose row is missing, without
  /// an event. §delete-in-loop
  private mutating func deleteIfPresent(_ id: ObjectID, isForeign: Bool, in c: ContextID) {
    let wasRegistered = lookup(id, in: c) != nil
    let x = reach(id, in: c)
    if self[c, x].isRemoved { return }
    guard fire(x, in: c) else {
      if !wasRegistered { contexts[c.index].leave(x) }
      return
    }
    events.append(.object(x))
    if isForeign { contexts[c.index].pool.insert(x) }
    delete(x, in: c)
  }

  /// Remembers the objects of a set by their present IDs. The IDs do not change when the objects
  /// become permanent. §remember
  mutating func note(_ set: ObjectSet, in variable: IDSetID, _ c: ContextID) {
    var noted = notedIDs[variable] ?? []
    let before = noted.count
    for id in members(of: set, in: c) where !noted.contains(id) { noted.append(id) }
    notedIDs[variable] = noted
    events.append(.objectIDs(Array(noted[before...])))
  }

  /// Finds the members of a set. §members
  private mutating func members(of set: ObjectSet, in c: ContextID) -> [ObjectID] {
    switch set {
    // §members.1.1
    case .delivered, .deliveredUpdates: []
    case .saved(let number, updatesOnly: true): announcements[number].sets.updated
    case .saved(let number, updatesOnly: false):
      announcements[number].sets.inserted + announcements[number].sets.updated
    case .remembered(let variable): notedIDs[variable] ?? []
    case .inserted: pending(in: c) { $0.isInserted && !$0.isRemoved }
    case .updated: pending(in: c) { $0.isUpdated && !$0.isInserted && !$0.isRemoved }
    case .registered: contexts[c.index].instances.ids
    }
  }
}

extension ObjectSet {
  /// A Boolean value that indicates whether the event pool holds the objects of a loop.
  /// §for-each.2.4
  fileprivate var isForeign: Bool {
    switch self {
    case .saved, .remembered: true
    case .delivered, .deliveredUpdates, .inserted, .updated, .registered: false
    }
  }
}
