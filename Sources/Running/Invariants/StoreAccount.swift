import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The rows and attributes that the stores on disk must have, according to the reports of root
/// saves and batch requests. The account is kept without reading the rows.
struct StoreAccount: Hashable {
  private struct Row: Hashable {
    let id: ObjectID
    /// The values, indexed by slot. Null for properties that are not stored attributes.
    var values: [Value]
  }

  /// A row that differs from the account.
  struct Error {
    let object: ObjectID
    var property: PropertyID? = nil
    /// The expected value, then the stored value.
    var values: [Value] = []
    /// The stored value as in a proof line, or `nil` for no row.
    let stored: Value?
  }

  /// The rows, indexed by store and by key, from 1. Empty for in-memory stores.
  private var tables: [[Row?]]
  /// The rows that were written or entered since the last audit, which are the only ones that can
  /// differ. May contain duplicates.
  private var unaudited: [ObjectID] = []

  // Rows that remain to be audited are not part of the account.

  static func == (a: StoreAccount, b: StoreAccount) -> Bool { a.tables == b.tables }
  func hash(into hasher: inout Hasher) { hasher.combine(tables) }

  /// Creates an account of the present rows.
  init(_ world: World) {
    tables = Array(repeating: [], count: world.stack.stores.count)
    for index in tables.indices where !world.graph.isInMemory(StoreID(index)) {
      for row in world.graph.rows(of: StoreID(index)) {
        enter(row.id, row.values, in: world)
      }
    }
  }

  /// Notes the rows that an action touched. Called after every action.
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

  /// Enters the changes that an action reports.
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

  /// Removes all rows of a store that was destroyed on purpose.
  mutating func empty(_ store: StoreID) {
    for case let row? in tables[store.index] { unaudited.append(row.id) }
    tables[store.index] = []
  }

  private mutating func enter(_ sets: ChangeSets, in world: World) {
    for id in sets.deleted { put(nil, under: id) }
    for id in sets.inserted { enterNew(id, in: world) }
    for id in sets.updated { enterNew(id, in: world) }
  }

  /// Enters a new row, unless it is already entered.
  private mutating func enterNew(_ id: ObjectID, in world: World) {
    if contains(id) || !world.graph.isOnDisk(id) { return }
    enter(id, world.model.entities[id.entity.index].defaultValues, in: world)
  }

  /// Enters a row with these values.
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
      for case .recorded(let id, record: let index) in world.graph.result.evidence {
        enter(rows[index], of: request.entity, in: id, world)
      }
    }
  }

  /// Enters the values of a record, and the defaults of the attributes that the record leaves out.
  /// A row of another entity takes the attributes that both entities inherit.
  private mutating func enter(
    _ record: [PropertyValue], of entity: EntityID, in id: ObjectID, _ world: World
  ) {
    let model = world.model
    var shared = entity
    while !model.entity(id.entity, inherits: shared), let parent = model[shared].parent {
      shared = parent
    }
    for property in model.entities[shared.index].storedAttributeIDs {
      let value =
        record.first { $0.property == property }?.value
        ?? model[entity].defaultValues[world.graph.slot(of: property, in: entity)]
      enter(value, of: property, in: id, world)
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

  /// Returns the first row that differs from the account, among the rows that can differ.
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
    let isStored = world.graph.isStored(id)
    guard contains(id), let mine = tables[store.index][id.number - 1]?.values else {
      return isStored ? Error(object: id, stored: .null) : nil
    }
    guard isStored else { return Error(object: id, stored: nil) }
    guard let (property, there) = world.graph.difference(ofRow: id, from: mine) else { return nil }
    let new = mine[world.graph.slot(of: property, in: id.entity)]
    return Error(object: id, property: property, values: [new, there], stored: there)
  }

  /// Checks to-one relationships that were just written. Later saves also change them from their
  /// other side. Relationships with a to-one inverse are skipped, because the same save may give
  /// the destination to another object.
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

  /// Returns the value that the running action wrote to a store on disk, or `nil` for other
  /// evidence.
  private func write(_ evidence: Evidence, in world: World) -> Write? {
    guard let (change, _, new) = evidence.write, change.parent == nil else { return nil }
    let id = world.graph.permanentID(of: change.object)
    return world.graph.isOnDisk(id) ? Write(object: id, property: change.property, new: new) : nil
  }
}
