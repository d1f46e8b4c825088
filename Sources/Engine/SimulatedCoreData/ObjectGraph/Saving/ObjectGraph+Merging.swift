import ObjectModel
import Vocabulary

/// `mergeChanges(fromContextDidSave:)`, called by the program or automatically.
extension ObjectGraph {
  mutating func merge(_ number: Int, into context: ContextID) {
    precondition(didSaves.indices.contains(number), "nothing was posted under this number")
    merge(didSaves[number].sets, number: number, into: context)
  }

  /// Merges the changes of a save or batch request into a context. §merge
  mutating func merge(_ sets: ChangeSets, number: Int, into context: ContextID) {
    let c = context.index
    var merged = ChangeSets()
    for id in sets.inserted where lookup(id, in: context) == nil {
      let slot = instance(id, in: context)
      contexts[c].mark(slot, as: .reportInserted)
      if quirks.contains(.mergedInsertionIsKept) {
        contexts[c].mark(slot, as: .kept)
      }
      contexts[c].hasReports = true
      merged.inserted.append(contexts[c].id(of: slot))
    }
    for id in sets.updated {
      // §merge.3.1 (NT-17, NT-18)
      guard let slot = lookup(id, in: context), !contexts[c].isPendingDeletion(slot) else {
        continue
      }
      if contexts[c].isFault(slot), !bugs.contains(.mergeRefreshesFaults) { continue }
      refresh(slot, mergeChanges: true, in: context)
      merged.refreshed.append(contexts[c].id(of: slot))
    }
    for id in sets.deleted where !bugs.contains(.mergeSkipsDeletions) {
      guard let slot = lookup(id, in: context),
        !contexts[c].has([.inserted, .deleted, .discarded], slot)
      else { continue }
      if contexts[c].isFault(slot), bugs.contains(.mergeSparesDeletedFaults) { continue }
      merged.deleted.append(contexts[c].id(of: slot))
      if contexts[c].isFault(slot) {
        markInaccessible(slot, in: context)
      } else {
        delete(slot, in: context)
      }
    }
    assert(
      merged.inserted.hasNoDuplicates && merged.refreshed.hasNoDuplicates
        && merged.deleted.hasNoDuplicates, "a merge names an object twice")
    merged.inserted.sort()
    merged.refreshed.sort()
    merged.deleted.sort()
    merged.updated = merged.refreshed
    let changed = merged.refreshed + merged.deleted
    result.evidence.append(.merged(context, number: number, changed: changed))
    processPendingChanges(
      context, during: quirks.contains(.mergeNotificationLacksObjects) ? .namelessMerge : .event)
    result.events.append(.didMergeChanges(context, merged))
    if quirks.contains(.mergeReachesChildren), !merged.isEmpty {
      announceAutomaticMerges(of: number, intoChildrenOf: context)
    }
  }

  /// Resolves a merge source to the number of a DidSave or batch result, if it exists.
  /// §merge-source
  func number(of source: MergeSource, delivered: Int?) -> Int? {
    switch source {
    case .delivered: delivered
    case .didSave(let context, let ordinal):
      number(of: ordinal, among: context, isBatch: false)
    case .batch(let context, let ordinal):
      number(of: ordinal, among: context, isBatch: true)
    case .latestBatch(let context):
      didSaves.lastIndex { $0.context == context && $0.isBatch }
    }
  }

  private func number(of ordinal: Int, among context: ContextID, isBatch: Bool) -> Int? {
    var left = ordinal
    for (number, didSave) in didSaves.enumerated()
    where didSave.context == context && didSave.isBatch == isBatch {
      left -= 1
      if left == 0 { return number }
    }
    return nil
  }
}
