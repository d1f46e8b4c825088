package import ObjectModel
package import Vocabulary

/// Planted states that no step produces. They show that `brokenInvariants` detects them.
extension ReferenceStack {
  /// A rule that `plant` breaks.
  package enum Defect: CaseIterable, Sendable {
    case nameIsUnbound, isInsertedAndDeleted, faultShowsValues, valueIsMissing
    case memberIsThereTwice, unfiredCollectionHasMembers, cleanObjectPropagates, historyIsAhead
    case enabledTooOften, birthLeadsNowhere, rowWithoutVersion, rowLeadsToTemporaryID
    case storeIsAttachedTwice, metadataForRemovedStore, cachedRowWithoutInstance
    case mergeOfNothing, writeZeroIsRefused, instanceIsElsewhere, instanceIsUnlisted
  }

  /// Breaks a rule in `c`. There, `x` must be realised, with a row and with members in the
  /// collection `slot`, and `fault` must be a fault.
  package mutating func plant(
    _ defect: Defect, in c: ContextID, object x: ObjectID, collection slot: Int, fault: ObjectID
  ) {
    guard let store = row(x).store else { preconditionFailure("\(x) has no row") }
    let coordinator = contexts[c.index].coordinator.index
    switch defect {
    case .nameIsUnbound: self[c, x].names = []
    case .isInsertedAndDeleted:
      self[c, x].isInserted = true
      self[c, x].isDeleted = true
    case .faultShowsValues: self[c, fault].values = [.null]
    case .valueIsMissing: self[c, x].values.removeLast()
    case .memberIsThereTwice: self[c, x].collections[slot] += self[c, x].collections[slot]
    case .unfiredCollectionHasMembers: self[c, x].unfired.insert(slot)
    case .cleanObjectPropagates: contexts[c.index].unpropagatedDeletions.append(x)
    case .historyIsAhead: contexts[c.index].historyToken = announcements.count + 1
    case .enabledTooOften: contexts[c.index].undoManager = UndoManager(disableCount: -1)
    case .birthLeadsNowhere: births[0].permanentID = .permanent(x.entity, key: 99, in: store)
    case .rowWithoutVersion: self[row: row(x)].version = 0
    case .rowLeadsToTemporaryID:
      self[row: row(x)].collections[slot] = [.temporary(x.entity, serial: 1)]
    case .storeIsAttachedTwice: coordinators[coordinator].stores.append(store)
    case .metadataForRemovedStore:
      coordinators[coordinator].stores.removeAll()
      coordinators[coordinator].pendingMetadata[store.index] = 1
    case .cachedRowWithoutInstance:
      let id = ObjectID.permanent(x.entity, key: 99, in: store)
      rowCaches[coordinator].put(Row(id: id, snapshot: self[row: row(x)]))
    case .mergeOfNothing: awaitedMerges = [AwaitedMerge(context: c, number: announcements.count)]
    case .instanceIsElsewhere: contexts[c.index].instances.exchangeFirstSlots()
    case .instanceIsUnlisted:
      self[c, x].isUpdated = true
      contexts[c.index].instances.forgetTouched()
    case .writeZeroIsRefused: stores[store.index].refusedWrite = 0
    }
  }
}
