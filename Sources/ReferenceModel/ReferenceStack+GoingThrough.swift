import ObjectModel
import Vocabulary

/// A step that goes through objects, as the observers and entry points of a stack do.
extension ReferenceStack {
  mutating func goThrough(_ set: ObjectSet, _ treatment: Treatment, in c: ContextID) {
    let all: [ObjectID]
    switch set {
    // There is no notification: the loop has nothing to go through.
    case .delivered, .deliveredUpdates: return
    case .saved(let number, let updatesOnly):
      let sets = announcements[number].sets
      all = updatesOnly ? sets.updated : sets.inserted + sets.updated
    case .inserted: all = pending(in: c) { $0.isInserted && !$0.isRemoved }
    case .updated: all = pending(in: c) { $0.isUpdated && !$0.isInserted && !$0.isRemoved }
    case .registered: all = contexts[c.index].instances.ids
    }
    for id in all {
      let x = reach(id, in: c)
      events.append(.object(x))
      if case .saved = set { contexts[c.index].pool.insert(x) }
      switch treatment {
      case .refresh(let mergeChanges):
        if !self[c, x].isRemoved { refresh(x, mergeChanges: mergeChanges, in: c) }
      case .touch: if !fireOrFail(x, in: c) { return }
      case .edit, .mark:
        guard let (property, mark) = model[x.entity].mark else { continue }
        if !fireOrFail(x, in: c) { return }
        let isThere = self[c, x].values[shape(of: property.index, of: x).slot] == mark
        if treatment == .mark, isThere { continue }
        self.set(mark, property.index, of: x, in: c)
        events.append(.hookSet(c, x, property, mark))
      }
    }
  }
}
