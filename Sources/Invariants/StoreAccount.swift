import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Which rows the stores on disk have to have, and with which attributes, by what root saves and
/// batch requests say of themselves: an account that is kept without a look at the rows.
struct StoreAccount: Hashable {
  private struct Row: Hashable {
    let id: ObjectID
    /// By slot; null where it is no attribute that is saved.
    var values: [Value]
  }

  /// Where a row is not as it has to be.
  struct Error {
    let object: ObjectID
    var property: PropertyID? = nil
    /// What has to be there, and what is.
    var values: [Value] = []
    /// As a witness says it: nil is no row.
    let stored: Value?
  }

  /// By store and key, from 1; stores in memory have none.
  private var tables: [[Row?]]
  /// Rows that were written, or entered, since the last audit: no other can have come to differ.
  /// May have one twice.
  private var unaudited: [ObjectID] = []

  // What was looked at is no part of the account.

  static func == (a: StoreAccount, b: StoreAccount) -> Bool { a.tables == b.tables }
  func hash(into hasher: inout Hasher) { hasher.combine(tables) }

  /// What the rows are now.
  init(_ world: World) {
    tables = Array(repeating: [], count: world.stack.stores.count)
    for index in tables.indices where !world.graph.isInMemory(StoreID(index)) {
      for row in world.graph.rows(of: StoreID(index)) {
        enter(row.id, row.values, in: world)
      }
    }
  }

  /// After every action.
  mutating func follow(_ moment: Moment, in world: World) {
    guard world.graph.hasTouchedRows || moment.isThorough else { return }
    for index in tables.indices where !world.graph.isInMemory(StoreID(index)) {
      unaudited += world.graph.touchedRows(of: StoreID(index))
      guard moment.isThorough else { continue }
      for row in world.graph.rows(of: StoreID(index)) { unaudited.append(row.id) }
      for case let row? in tables[index] { unaudited.append(row.id) }
    }
  }

  private func contains(_ id: ObjectID) -> Bool {
    guard let store = id.store, id.number <= tables[store.index].count else { return false }
    assert(id.number > 0, "a row has the key \(id.number)")
    return tables[store.index][id.number - 1] != nil
  }

  private mutating func put(_ row: Row?, under id: ObjectID) {
    guard let store = id.store else { return }
    assert(id.number > 0, "a row has the key \(id.number)")
    assert(row.map { $0.id == id } ?? true, "a row stands under the ID of another")
    unaudited.append(id)
    while tables[store.index].count < id.number { tables[store.index].append(nil) }
    tables[store.index][id.number - 1] = row
  }

  // MARK: Entries

  /// Enters what an action says that it wrote.
  mutating func enter(_ moment: Moment, in world: World) {
    for event in world.graph.result.events {
      switch event {
      case .saveRequest(_, let sets):
        enter(sets, in: world)
        for evidence in world.graph.result.evidence {
          guard let write = write(evidence, in: world) else { continue }
          enter(write.new, of: write.property, in: write.object, world)
        }
      case .batched(let sets, number: _):
        enter(sets, in: world)
        if case .batch(let request) = moment.whole?.step {
          enterValues(of: sets, request, in: world)
        }
      default: continue
      }
    }
  }

  /// The store was destroyed on purpose: none of its rows has to be there.
  mutating func empty(_ store: StoreID) {
    for case let row? in tables[store.index] { unaudited.append(row.id) }
    tables[store.index] = []
  }

  private mutating func enter(_ sets: ChangeSets, in world: World) {
    for id in sets.deleted { put(nil, under: id) }
    for id in sets.inserted { enterNew(id, in: world) }
    for id in sets.updated { enterNew(id, in: world) }
  }

  /// A row that is not entered yet.
  private mutating func enterNew(_ id: ObjectID, in world: World) {
    if contains(id) || !world.graph.isOnDisk(id) { return }
    enter(id, world.model.entities[id.entity.index].defaultValues, in: world)
  }

  /// A new row.
  private mutating func enter(_ id: ObjectID, _ values: [Value], in world: World) {
    var row = Row(id: id, values: Array(repeating: .null, count: values.count))
    for property in world.model.entities[id.entity.index].storedAttributeIDs {
      let slot = world.graph.slot(of: property, in: id.entity)
      row.values[slot] = values[slot]
    }
    put(row, under: id)
  }

  private mutating func enterValues(of sets: ChangeSets, _ request: BatchRequest, in world: World) {
    switch request.kind {
    case .delete: break
    case .update(let items):
      for id in sets.updated {
        for item in items { enter(item.value, of: item.property, in: id, world) }
      }
    case .insert(let rows):
      for (id, items) in zip(sets.inserted, rows) {
        for item in items { enter(item.value, of: item.property, in: id, world) }
      }
    }
  }

  private mutating func enter(
    _ value: Value, of property: PropertyID, in id: ObjectID, _ world: World
  ) {
    assert(!id.isTemporaryID, "a row is entered under a temporary ID")
    guard world.graph.isStoredAttribute(property, of: id.entity), contains(id), let store = id.store
    else { return }
    unaudited.append(id)
    let slot = world.graph.slot(of: property, in: id.entity)
    tables[store.index][id.number - 1]?.values[slot] = value
  }

  // MARK: Audit

  /// The first row that is not as the account has it, of those that can have come to differ.
  mutating func audit(_ world: World) -> Error? {
    unaudited.sort { ($0.store?.index ?? -1, $0.number) < ($1.store?.index ?? -1, $1.number) }
    for (position, id) in unaudited.enumerated()
    where position == 0 || unaudited[position - 1] != id {
      if let error = error(of: id, in: world) { return error }
    }
    unaudited.removeAll(keepingCapacity: true)
    return errorOfDestination(in: world)
  }

  private func error(of id: ObjectID, in world: World) -> Error? {
    guard world.graph.isOnDisk(id), let store = id.store else { return nil }
    let isThere = world.graph.isStored(id)
    guard contains(id), let mine = tables[store.index][id.number - 1]?.values else {
      return isThere ? Error(object: id, stored: .null) : nil
    }
    guard isThere else { return Error(object: id, stored: nil) }
    guard let (property, there) = world.graph.difference(ofRow: id, from: mine) else { return nil }
    let new = mine[world.graph.slot(of: property, in: id.entity)]
    return Error(object: id, property: property, values: [new, there], stored: there)
  }

  /// Later saves change a to-one relationship from its other side, too, so it is only looked at
  /// when it was written; one with a to-one inverse not even then: the same save may give the
  /// destination to another object.
  private func errorOfDestination(in world: World) -> Error? {
    for evidence in world.graph.result.evidence {
      guard let write = write(evidence, in: world),
        world.graph.isWrittenFromOneSide(write.property, of: write.object.entity)
      else { continue }
      let slot = world.graph.slot(of: write.property, in: write.object.entity)
      guard let there = world.graph.storedValues(of: write.object)?[slot], there != write.new else {
        continue
      }
      return Error(
        object: write.object, property: write.property, values: [write.new, there],
        stored: there)
    }
    return nil
  }

  private struct Write {
    let object: ObjectID
    let property: PropertyID
    let new: Value
  }

  /// What the running action wrote to a store on disk; nil for what it did besides.
  private func write(_ evidence: Evidence, in world: World) -> Write? {
    guard let (change, _, new) = evidence.write, change.parent == nil else { return nil }
    let id = world.graph.permanentID(of: change.object)
    return world.graph.isOnDisk(id) ? Write(object: id, property: change.property, new: new) : nil
  }
}
