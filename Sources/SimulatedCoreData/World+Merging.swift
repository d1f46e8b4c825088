import ObjectModel
import Vocabulary

/// `mergeChanges(fromContextDidSave:)`, called by the program or automatically.
extension World {
  mutating func merge(_ number: Int, into context: ContextID) {
    let c = context.index
    let sets = didSaves[number].sets
    var merged = ChangeSets()
    for id in sets.inserted where lookup(id, in: context) == nil {
      let slot = instance(id, in: context)
      contexts[c].objects[slot].flags.insert(.reportInserted)
      contexts[c].hasReports = true
      merged.inserted.append(contexts[c].objects[slot].id)
    }
    for id in sets.updated {
      // What is not registered, or only as a fault, is left alone (NT-17, NT-18).
      guard let slot = lookup(id, in: context), !contexts[c].objects[slot].isDoomed else {
        continue
      }
      if contexts[c].objects[slot].isFault, !bugs.contains(.mergeRefreshesFaults) { continue }
      refresh(slot, mergeChanges: true, in: context)
      merged.refreshed.append(contexts[c].objects[slot].id)
    }
    for id in sets.deleted where !bugs.contains(.mergeSkipsDeletions) {
      guard let slot = lookup(id, in: context),
        contexts[c].objects[slot].flags.isDisjoint(with: [.inserted, .deleted, .discarded])
      else { continue }
      merged.deleted.append(contexts[c].objects[slot].id)
      if contexts[c].objects[slot].isFault {
        markInaccessible(slot, in: context)
      } else {
        delete(slot, in: context)
      }
    }
    merged.inserted.sort()
    merged.refreshed.sort()
    merged.deleted.sort()
    merged.updated = merged.refreshed
    processPendingChanges(context)
    events.append(.didMergeChanges(context, merged))
  }

  /// The DidSave that a `mergeChanges` step means, if it was posted already.
  func didSaveNumber(of source: MergeSource, delivered: Int?) -> Int? {
    switch source {
    case .delivered: return delivered
    case .didSave(let context, let ordinal):
      let numbers = didSaves.indices.filter { didSaves[$0].context == context }
      return 1...max(numbers.count, 1) ~= ordinal && ordinal <= numbers.count
        ? numbers[ordinal - 1] : nil
    }
  }
}
