import ObjectModel
import Vocabulary

/// Checks of facts that are stored twice, and of documented rules, which a debug build makes after
/// every action.
extension ObjectGraph {
  func checkInvariants(_ broken: inout BrokenRules) {
    checkTables(&broken)
    checkIDTables(&broken)
    for index in stores.indices { checkStore(index, &broken) }
    for index in coordinators.indices {
      coordinators[index].checkInvariants(
        userCounts: userCounts(below: index),
        keepsRemoved: bugs.contains(.removedStoreStaysCached), &broken)
    }
    for context in contexts {
      context.checkInvariants(&broken)
      for slot in contexts[context.id.index].registeredSlots {
        checkInstance(context.objects[slot], of: context, &broken)
      }
      checkReports(of: context, &broken)
    }
    for index in controllers.indices { checkController(index, &broken) }
  }

  private func checkTables(_ broken: inout BrokenRules) {
    broken.require(
      metadata.count == stores.count && refusals.count == stores.count
        && temporaryIDs.count == stores.count,
      "not every store has metadata, refusals and temporary IDs")
    broken.require(
      contexts.count == stack.contexts.count && coordinators.count == stack.coordinators.count
        && controllers.count == stack.controllers.count,
      "the graph has other parts than its stack")
    for case let number? in refusals {
      broken.require(number >= 1, "a store refuses write \(number)")
    }
    broken.require(nextHookNumber >= 1, "hooks take number \(nextHookNumber)")
    for (index, context) in contexts.enumerated() {
      broken.require(context.id.index == index, "context \(index) is called \(context.id.index)")
      broken.require(
        (0...didSaves.count).contains(context.historyToken),
        "context \(index) has seen \(context.historyToken) of \(didSaves.count) notifications")
    }
  }

  // MARK: IDs

  private func checkIDTables(_ broken: inout BrokenRules) {
    for (index, identity) in identities.enumerated() {
      guard let permanent = identity.permanent else { continue }
      broken.require(!permanent.isTemporaryID, "\(permanent) counts as a permanent ID")
      broken.require(
        temporaryID(of: permanent)?.number == index + 1,
        "\(permanent) does not lead back to the temporary ID \(index + 1)")
    }
    for (store, known) in temporaryIDs.enumerated() {
      broken.require(
        known.count <= stores[store].keyCount, "store \(store) has temporary IDs for unused keys")
      for (index, temporary) in known.enumerated() {
        guard let temporary else { continue }
        let forward = identities.indices.contains(temporary.number - 1) ? row(of: temporary) : nil
        broken.require(
          forward?.number == index + 1 && forward?.store == StoreID(store),
          "\(temporary) does not lead to key \(index + 1) of store \(store)")
      }
    }
  }

  private func isGivenOut(_ id: ObjectID) -> Bool {
    guard model.entities.indices.contains(id.entity.index), id.number >= 1 else { return false }
    guard let store = id.store else { return id.number <= identities.count }
    return stores.indices.contains(store.index) && id.number <= stores[store.index].keyCount
  }

  /// Returns the number of instances of each row below a coordinator, indexed by store and key.
  private func userCounts(below coordinator: Int) -> [[Int]] {
    var counts = stores.map { Array(repeating: 0, count: $0.keyCount) }
    for context in contexts where context.coordinator.index == coordinator {
      for id in registeredIDs(in: context.id) where isGivenOut(id) {
        let row = row(of: id)
        guard let store = row.store, row.number <= counts[store.index].count else { continue }
        counts[store.index][row.number - 1] += 1
      }
    }
    return counts
  }

  // MARK: Rows

  private func checkStore(_ index: Int, _ broken: inout BrokenRules) {
    stores[index].checkInvariants(ofStore: index, &broken)
    for id in stores[index].ids {
      broken.require(isGivenOut(id), "the row \(id) has a key that its store has not given out")
      guard isGivenOut(id), let row = stores[index][id] else { continue }
      let entity = model.entities[id.entity.index]
      guard
        row.values.count == entity.valueCount, row.collections.count == entity.collectionCount
      else {
        broken.require(false, "the row \(id) does not fit its entity")
        continue
      }
      for shape in shapes[id.entity.index] where shape.isRelationship {
        let destinations =
          shape.kind == .toMany
          ? row.collections[shape.slot] : row.values[shape.slot].objectID.map { [$0] } ?? []
        broken.require(
          !destinations.contains { $0.isTemporaryID }, "the row \(id) leads to a temporary ID")
        checkOrder(of: destinations, shape, id, &broken)
      }
    }
  }

  /// Checks that an unordered collection is sorted by ID and that no collection contains a member
  /// twice.
  private func checkOrder(
    of members: [ObjectID], _ shape: PropertyShape, _ id: ObjectID, _ broken: inout BrokenRules
  ) {
    broken.require(
      shape.isOrdered ? members.hasNoDuplicates : members.isStrictlyAscending,
      "a relationship of \(id) has a member twice or out of order")
  }

  // MARK: Instances

  private func checkInstance(
    _ object: ManagedObject, of context: ManagedObjectContext, _ broken: inout BrokenRules
  ) {
    guard isGivenOut(object.id) else {
      return broken.require(false, "\(object.id) is registered and was not given out")
    }
    if forwardsIDs(in: context.id), let temporary = temporaryID(of: row(of: object.id)) {
      broken.require(
        temporary == object.id || context.registry.slot(of: temporary) == nil,
        "\(object.id) and \(temporary) are two instances of a row in context \(context.id.index)")
    }
    if object.isFault { return }
    let entity = model.entities[object.id.entity.index]
    guard
      [object.current, object.base].allSatisfy({
        $0.values.count == entity.valueCount && $0.collections.count == entity.collectionCount
      })
    else { return broken.require(false, "\(object.id) does not fit its entity") }
    for (property, shape) in shapes[object.id.entity.index].enumerated() {
      guard shape.kind == .toMany else {
        broken.require(
          !object.unfired.contains(property), "property \(property) of \(object.id) is unfired")
        continue
      }
      if object.unfired.contains(property) {
        broken.require(
          object.current.collections[shape.slot].isEmpty
            && object.base.collections[shape.slot].isEmpty,
          "property \(property) of \(object.id) shows members before it is fired")
        broken.require(
          !object.changed.contains(property) || bugs.contains(.mergeOverwritesChanges),
          "property \(property) of \(object.id) is changed before it is fired")
      }
      checkOrder(of: object.current.collections[shape.slot], shape, object.id, &broken)
      checkOrder(of: object.base.collections[shape.slot], shape, object.id, &broken)
    }
  }

  /// Checks two rules that planted bugs break on purpose.
  private func checkReports(of context: ManagedObjectContext, _ broken: inout BrokenRules) {
    let leavesReports = bugs.contains(.keepsReports) || bugs.contains(.rollbackKeepsInsertions)
    if !context.hasReports, !leavesReports {
      for slot in contexts[context.id.index].unsettledSlots {
        broken.require(
          context.objects[slot].flags.isDisjoint(with: .reports),
          "\(context.objects[slot].id) is to be reported and no event is running")
      }
    }
    if bugs.contains(.skipsPropagation) { return }
    for slot in context.unpropagated where context.contains(slot) {
      broken.require(
        context.objects[slot].isPendingDeletion,
        "\(context.objects[slot].id) is to propagate its deletion and is not deleted")
    }
  }

  private func checkController(_ index: Int, _ broken: inout BrokenRules) {
    let controller = controllers[index]
    let request = stack.controllers[index].request
    broken.require(
      controller.isListening || controller.entries.isEmpty,
      "controller \(index) shows objects and does not listen")
    broken.require(
      controller.entries.map(\.id).hasNoDuplicates, "controller \(index) shows an object twice")
    for entry in controller.entries {
      broken.require(
        entry.sortValues.count == request.sortDescriptors.count,
        "controller \(index) does not sort \(entry.id) by each descriptor")
    }
  }
}
