import ObjectModel
import Vocabulary

/// States that no step produces, planted to show that `brokenInvariants` detects them.
extension ObjectGraph {
  /// A rule that `plant` breaks.
  package enum Defect: CaseIterable, Sendable {
    case settledObjectIsListed, heldObjectIsListed
    case slotHoldsAnotherObject, holdCountIsHigher, isInsertedAndDeleted, faultShowsValues
    case faultHasChanges, valueIsMissing, memberIsThereTwice, unfiredCollectionHasMembers
    case eventStartOutlivesEvent, reportOutlivesEvent, cleanObjectPropagates
    case enabledTooOften, emptyUndoGroup, historyIsAhead, forwardLeadsNowhere
    case rowWithoutVersion, rowLeadsToTemporaryID, registrationIsCountedTwice, rowWaitsToLeaveCache
    case storeIsAttachedTwice, metadataForRemovedStore, writeZeroIsRefused
    case unfinishedBlocksAreFinished
  }

  /// Breaks a rule in `context`. There, `object` must be realised, with a row and with members in
  /// `collection`, and `fault` must be a fault.
  mutating func plant(
    _ defect: Defect, in context: ContextID, object: ObjectID, collection: PropertyID,
    fault: ObjectID
  ) {
    let c = context.index
    guard let slot = contexts[c].registry.slot(of: object),
      let faultSlot = contexts[c].registry.slot(of: fault)
    else { preconditionFailure("the instances to break are not registered") }
    let collectionSlot = shapes[object.entity.index][collection.index].slot
    switch defect {
    case .settledObjectIsListed: contexts[c].objects.unsettled.append(slot)
    case .heldObjectIsListed: contexts[c].objects.unheld.append(slot)
    case .slotHoldsAnotherObject: contexts[c].objects[slot].id = fault
    case .holdCountIsHigher: contexts[c].objects[slot].holdCount += 1
    case .isInsertedAndDeleted: contexts[c].mark(slot, as: [.inserted, .deleted])
    case .faultShowsValues:
      contexts[c].objects[faultSlot].current = contexts[c].objects[slot].current
    case .faultHasChanges: contexts[c].objects[faultSlot].changed.insert(0)
    case .valueIsMissing: contexts[c].objects[slot].current.values.removeLast()
    case .memberIsThereTwice:
      let members = contexts[c].objects[slot].current.collections[collectionSlot]
      contexts[c].objects[slot].current.collections[collectionSlot] = members + members
    case .unfiredCollectionHasMembers: contexts[c].objects[slot].unfired.insert(collection.index)
    case .eventStartOutlivesEvent: contexts[c].objects[slot].eventStart = .absent
    case .reportOutlivesEvent: contexts[c].mark(slot, as: .reportUpdated)
    case .cleanObjectPropagates: contexts[c].unpropagated.append(slot)
    case .enabledTooOften: contexts[c].undoManager = UndoManager(disableCount: -1)
    case .emptyUndoGroup: contexts[c].undoManager = UndoManager(undoStack: [[]])
    case .historyIsAhead: contexts[c].historyToken = didSaves.count + 1
    default: plantInTables(defect, context, object, fault)
    }
  }

  private mutating func plantInTables(
    _ defect: Defect, _ context: ContextID, _ object: ObjectID, _ fault: ObjectID
  ) {
    let id = row(of: object)
    guard let store = id.store else { preconditionFailure("\(object) has no row") }
    let coordinator = contexts[context.index].coordinator.index
    switch defect {
    case .forwardLeadsNowhere:
      identities[0].permanent = .permanent(object.entity, key: 99, in: store)
    case .rowWithoutVersion: _ = stores[store.index].modify(id) { $0.version = 0 }
    case .rowLeadsToTemporaryID:
      guard let shape = shapes[id.entity.index].first(where: { $0.kind == .toMany }) else { return }
      let member = ObjectID.temporary(shape.destination, serial: 1)
      _ = stores[store.index].modify(id) { $0.collections[shape.slot] = [member] }
    case .registrationIsCountedTwice: coordinators[coordinator].addRegistration(of: id)
    case .rowWaitsToLeaveCache: coordinators[coordinator].checkReference(of: id)
    case .storeIsAttachedTwice: coordinators[coordinator].stores.append(store)
    case .metadataForRemovedStore:
      coordinators[coordinator].stores.removeAll()
      coordinators[coordinator].pendingMetadata[store.index] = 1
    case .writeZeroIsRefused: refusals[store.index] = 0
    default: preconditionFailure("\(defect) is a defect of a context")
    }
  }
}
