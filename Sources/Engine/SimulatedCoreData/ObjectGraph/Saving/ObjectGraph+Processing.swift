import ObjectModel
import Vocabulary

/// `processPendingChanges`: propagates deletions, then posts ObjectsDidChange.
extension ObjectGraph {
  /// The reason for processing. A save propagates deletions that wait for saves, undo registers a
  /// group to redo, and a merge may post a notification without objects.
  enum Occasion { case event, save, undo, redo, namelessMerge }

  /// Processes pending changes on the occasion of an event.
  mutating func processPendingChanges(_ context: ContextID) {
    processPendingChanges(context, during: .event)
  }

  /// Processes pending changes and reports the running event. §process §report
  mutating func processPendingChanges(_ context: ContextID, during occasion: Occasion) {
    if occasion == .save || contexts[context.index].propagatesDeletesAtEndOfEvent {
      if !bugs.contains(.skipsPropagation) { propagateDeletes(in: context) }
    } else if !contexts[context.index].unpropagated.isEmpty {
      marks.insert(.propagationWaitsForSave)
    }
    if occasion == .save { repairCollections(in: context) }
    guard contexts[context.index].hasReports else { return }
    registerUndo(on: occasion, in: context)
    var sets = ChangeSets()
    for slot in contexts[context.index].unsettledSlots {
      let flags = contexts[context.index].flags(of: slot)
      // Most instances have no reports. A write would mark the instance for a comparison with the
      // reference model.
      if !flags.isDisjoint(with: .reports) {
        let id = contexts[context.index].id(of: slot)
        if flags.contains(.reportInserted) {
          sets.inserted.note(id)
        } else if flags.contains(.reportDeleted) {
          sets.deleted.note(id)
        } else {
          if flags.contains(.reportUpdated) { sets.updated.note(id) }
          if flags.contains(.reportRefreshed) { sets.refreshed.note(id) }
        }
        if !bugs.contains(.keepsReports) || flags.contains(.discarded) || sets.inserted.isEmpty {
          contexts[context.index].unmark(slot, as: .reports)
        }
      }
      if contexts[context.index].objects[slot].eventStart != .none {
        contexts[context.index].objects[slot].eventStart = .none
      }
      if flags.contains(.discarded) { unregister(slot, in: context) }  // §report.4
    }
    contexts[context.index].hasReports = false
    contexts[context.index].eventStarts.removeFew()
    assert(
      sets.inserted.isStrictlyAscending && sets.updated.isStrictlyAscending
        && sets.deleted.isStrictlyAscending && sets.refreshed.isStrictlyAscending,
      "a notification names objects out of order")
    if sets.isEmpty { return }
    if occasion == .namelessMerge {
      result.events.append(.objectsDidChange(context, ChangeSets()))
    } else {
      result.events.append(.objectsDidChange(context, sets))
      tellControllers(of: context, sets)
    }
  }

  /// Propagates all deletions since the last propagation, including cascades. §process.1.1
  private mutating func propagateDeletes(in context: ContextID) {
    let c = context.index
    if contexts[c].unpropagated.isEmpty { return }
    var next = 0
    let first = contexts[c].unpropagated.count
    while next < contexts[c].unpropagated.count {
      let slot = contexts[c].unpropagated[next]
      if next < first || !bugs.contains(.cascadesOneLevel) { propagate(slot, in: context) }
      next += 1
    }
    assert(next == contexts[c].unpropagated.count, "a deletion has not propagated")
    contexts[c].unpropagated.removeAll(keepingCapacity: true)
  }

  /// Propagates the deletion of an instance over its relationships. §propagate §meet-destination
  private mutating func propagate(_ slot: Int, in context: ContextID) {
    assert(
      contexts[context.index].isPendingDeletion(slot), "slot \(slot) propagates and is not deleted")
    assert(!contexts[context.index].isFault(slot), "slot \(slot) is deleted and was not fired")
    let c = context.index
    let id = contexts[c].id(of: slot)
    for (index, shape) in shapes[id.entity.index].enumerated() where shape.isRelationship {
      guard shape.deleteRule == .cascade || shape.deleteRule == .nullify && shape.hasInverse else {
        continue
      }
      let isForgotten = shape.deleteRule == .nullify && !shape.inverseIsToMany
      if isForgotten, bugs.contains(.nullifySkipsToOnes) { continue }
      use(index, of: slot, in: context)
      for destination in destinations(of: shape, slot, in: context) {
        let other = instance(destination, in: context)
        if contexts[c].isPendingDeletion(other) { continue }
        guard fireQuietly(other, in: context) else {
          // §meet-destination.4 (RD-A9, FL-14)
          if !inaccessibleFaultsRaise(in: context) {
            marks.insert(.propagationMeetsNothing)
            markInaccessible(other, in: context)
          }
          continue
        }
        if shape.deleteRule == .cascade {
          delete(other, in: context)
        } else {
          removeInverse(of: id, at: other, shapes[id.entity.index][index], in: context)
        }
      }
    }
  }

  /// Repairs relationships by removing deleted objects that were added to them (RL-15). §repair
  private mutating func repairCollections(in context: ContextID) {
    let c = context.index
    if contexts[c].objects.changedCount == 0 { return }
    for slot in contexts[c].objects.unsettled
    where contexts[c].has([.inserted, .updated], slot) && !contexts[c].isPendingDeletion(slot) {
      let entity = contexts[c].id(of: slot).entity.index
      if contexts[c].objects[slot].changed.isDisjoint(with: collectionSets[entity]) { continue }
      for (property, shape) in shapes[entity].enumerated()
      where shape.kind == .toMany && contexts[c].objects[slot].changed.contains(property) {
        let members = contexts[c].objects[slot].current.collections[shape.slot]
        let kept = members.filter { member in
          lookup(member, in: context).map { !contexts[c].isPendingDeletion($0) } ?? true
        }
        if kept.count == members.count { continue }
        assert(kept.hasNoDuplicates, "a collection has a member twice")
        marks.insert(.collectionRepaired)
        contexts[c].startEvent(slot)
        contexts[c].objects[slot].current.collections[shape.slot] = kept
        contexts[c].track(property, of: slot, by: setting)
      }
    }
  }

  func destinations(
    of shape: PropertyShape, _ slot: Int, in context: ContextID
  ) -> [ObjectID] {
    shape.kind == .toMany
      ? contexts[context.index].objects[slot].current.collections[shape.slot]
      : contexts[context.index].objects[slot].current.values[shape.slot].objectID.map { [$0] }
        ?? []
  }
}
