import ObjectModel
import Vocabulary

/// Invariants: facts that are stored twice, and documented rules. They hold after every action,
/// where a debug build checks them.
extension ReferenceStack {
  /// Traps unless every invariant holds.
  package func checkInvariants() {
    var broken = BrokenRules()
    check(&broken)
    broken.trapIfAny()
  }

  /// Returns the broken rules as sentences.
  package func brokenInvariants() -> [String] {
    var broken = BrokenRules()
    check(&broken)
    return broken.sentences
  }

  private func check(_ broken: inout BrokenRules) {
    checkBirths(&broken)
    for index in stores.indices { checkStore(index, &broken) }
    for index in coordinators.indices { checkCoordinator(index, &broken) }
    for index in contexts.indices { check(ContextID(index), &broken) }
    for index in lists.indices { checkList(index, &broken) }
    broken.require(nextHookValue >= 1, "hooks take number \(nextHookValue)")
    for merge in awaitedMerges {
      broken.require(
        announcements.indices.contains(merge.number), "a merge of nothing is awaited")
      broken.require(
        contexts.indices.contains(merge.context.index), "a merge into no context is awaited")
    }
  }

  // MARK: IDs

  private func checkBirths(_ broken: inout BrokenRules) {
    for (index, birth) in births.enumerated() {
      broken.require(
        contexts.indices.contains(birth.context), "an object was inserted into no context")
      guard let permanentID = birth.permanentID else { continue }
      broken.require(isGivenOut(permanentID), "\(permanentID) was not given out")
      guard isGivenOut(permanentID) else { continue }
      broken.require(
        temporaryID(of: permanentID)?.number == index + 1,
        "\(permanentID) does not lead back to the temporary ID \(index + 1)")
    }
    for (store, temporaryIDs) in stores.map(\.temporaryIDs).enumerated() {
      for (index, t) in temporaryIDs.enumerated() {
        guard let t else { continue }
        let p = births.indices.contains(t.number - 1) ? forward(t) : nil
        broken.require(
          p?.number == index + 1 && p?.store == StoreID(store),
          "\(t) does not lead to key \(index + 1) of store \(store)")
      }
    }
  }

  /// Returns true if `id` was ever created, as a temporary ID or as a key of its store.
  private func isGivenOut(_ id: ObjectID) -> Bool {
    guard shapes.indices.contains(id.entity.index), id.number >= 1 else { return false }
    guard let store = id.store else { return id.number <= births.count }
    return stores.indices.contains(store.index)
      && id.number <= stores[store.index].temporaryIDs.count
  }

  // MARK: Stores

  private func checkStore(_ index: Int, _ broken: inout BrokenRules) {
    let store = stores[index]
    store.rows.checkInvariants("store \(index)", &broken)
    broken.require(
      store.refusedWrite.map { $0 >= 1 } ?? true, "store \(index) refuses a write before the next")
    broken.require(
      store.firstKey <= store.temporaryIDs.count + 1, "store \(index) begins with a key to come")
    for row in store.rows {
      broken.require(row.id.number >= store.firstKey, "\(row.id) is of a store that is destroyed")
      broken.require(
        row.id.store?.index == index && isGivenOut(row.id),
        "store \(index) has not given out \(row.id)")
      checkRow(row, &broken)
    }
  }

  private func checkRow(_ row: Row, _ broken: inout BrokenRules) {
    broken.require(row.snapshot.version >= 1, "the row \(row.id) has version 0")
    guard fits(row.snapshot.values, row.snapshot.collections, row.id.entity) else {
      return broken.require(false, "the row \(row.id) does not fit its entity")
    }
    let destinations =
      row.snapshot.values.compactMap(\.objectID) + row.snapshot.collections.joined()
    broken.require(
      !destinations.contains { $0.isTemporaryID }, "the row \(row.id) leads to a temporary ID")
    checkOrder(of: row.snapshot.collections, row.id, &broken)
  }

  /// Returns true if values and collections have one place for each property of the entity.
  func fits(_ values: [Value], _ collections: [[ObjectID]], _ entity: EntityID) -> Bool {
    values.count == shapes[entity.index].defaults.values.count
      && collections.count == shapes[entity.index].defaults.collections.count
  }

  /// Checks that an unordered collection is sorted by ID and that no collection contains a member
  /// twice.
  private func checkOrder(
    of collections: [[ObjectID]], _ id: ObjectID, _ broken: inout BrokenRules
  ) {
    for (slot, members) in collections.enumerated() {
      broken.require(
        shapes[id.entity.index].isOrderedCollection[slot]
          ? members.hasNoDuplicates : members.isStrictlyAscending,
        "a relationship of \(id) has a member twice or out of order")
    }
  }

  private func checkCoordinator(_ index: Int, _ broken: inout BrokenRules) {
    let attached = coordinators[index].stores
    broken.require(Set(attached.map(\.index)).count == attached.count, "a store is attached twice")
    for store in stores.indices where !attached.contains(StoreID(store)) {
      broken.require(
        coordinators[index].pendingMetadata[store] == nil,
        "metadata waits for store \(store), which is not attached")
    }
    rowCaches[index].checkInvariants("a row cache", &broken)
    for row in rowCaches[index] {
      guard isGivenOut(row.id) else {
        broken.require(false, "\(row.id) is cached and was not given out")
        continue
      }
      checkRow(row, &broken)
      broken.require(
        row.id.store.map(attached.contains) ?? false,
        "\(row.id) is cached and its store is not attached")
      broken.require(
        isRowRegistered(row.id, below: index), "\(row.id) is cached and has no instance")
    }
  }

  private func checkList(_ index: Int, _ broken: inout BrokenRules) {
    let list = lists[index]
    let request = stack.controllers[index].request
    broken.require(
      list.isListening || list.entries.isEmpty, "list \(index) shows objects and does not listen")
    broken.require(list.entries.map(\.id).hasNoDuplicates, "list \(index) shows an object twice")
    for entry in list.entries {
      broken.require(
        entry.sortValues.count == request.sortDescriptors.count,
        "list \(index) does not sort \(entry.id) by each descriptor")
    }
  }

  // MARK: Contexts

  private func check(_ c: ContextID, _ broken: inout BrokenRules) {
    let context = contexts[c.index]
    context.checkInvariants(&broken)
    broken.require(
      context.chain.first == c && context.chain.last.map { contexts[$0.index].isRoot } == true,
      "the chain of context \(c.index) is not from it to a root")
    broken.require(
      (0...announcements.count).contains(context.historyToken),
      "context \(c.index) has seen \(context.historyToken) of \(announcements.count) announcements")
    for instance in context.instances {
      guard isGivenOut(instance.id) else {
        broken.require(false, "\(instance.id) is registered and was not given out")
        continue
      }
      if !comparesExactly(c), let t = temporaryID(of: row(instance.id)), t != instance.id {
        broken.require(
          !context.instances.contains(t), "\(instance.id) and \(t) are two instances of one row")
      }
      if !instance.isFault { checkRealised(instance, &broken) }
    }
  }

  private func checkRealised(_ instance: Instance, _ broken: inout BrokenRules) {
    guard fits(instance.values, instance.collections, instance.id.entity),
      fits(instance.base.values, instance.base.collections, instance.id.entity)
    else { return broken.require(false, "\(instance.id) does not fit its entity") }
    checkOrder(of: instance.collections, instance.id, &broken)
    checkOrder(of: instance.base.collections, instance.id, &broken)
    for (property, shape) in shapes[instance.id.entity.index].relationships
    where shape.isToMany && instance.unfired.contains(shape.slot) {
      broken.require(
        instance.collections[shape.slot].isEmpty && instance.base.collections[shape.slot].isEmpty,
        "property \(property) of \(instance.id) shows members before it is fired")
      broken.require(
        !instance.changed.contains(property),
        "property \(property) of \(instance.id) is changed before it is fired")
    }
  }
}
