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

    init(_ id: ObjectID, _ values: [Value], in world: World) {
      self.id = id
      self.values = Array(repeating: .null, count: values.count)
      for property in world.model.entities[id.entity.index].storedAttributeIDs {
        let slot = world.slot(of: property, in: id.entity)
        self.values[slot] = values[slot]
      }
    }
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

  /// What the rows are now.
  init(_ world: World) {
    tables = Array(repeating: [], count: world.stack.stores.count)
    for (index, store) in world.stack.stores.enumerated() where !store.isInMemory {
      for row in world.rows(of: StoreID(index)) {
        self[row.id] = Row(row.id, row.values, in: world)
      }
    }
  }

  private subscript(id: ObjectID) -> Row? {
    get {
      guard let store = id.store, id.number <= tables[store.index].count else { return nil }
      assert(id.number > 0, "a row has the key \(id.number)")
      return tables[store.index][id.number - 1]
    }
    set {
      guard let store = id.store else { return }
      assert(id.number > 0, "a row has the key \(id.number)")
      assert(newValue.map { $0.id == id } ?? true, "a row stands under the ID of another")
      while tables[store.index].count < id.number { tables[store.index].append(nil) }
      tables[store.index][id.number - 1] = newValue
    }
  }

  // MARK: Entries

  /// Enters what an action says that it wrote.
  mutating func enter(_ moment: Moment, in world: World) {
    for event in world.events {
      switch event {
      case .saveRequest(_, let sets):
        enter(sets, in: world)
        for change in writes(in: world) {
          enter(change.new, of: change.property, in: change.object, world)
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

  private mutating func enter(_ sets: ChangeSets, in world: World) {
    for id in sets.deleted { self[id] = nil }
    for id in sets.inserted + sets.updated where self[id] == nil && isOnDisk(id, in: world) {
      self[id] = Row(id, world.model[id.entity].defaultValues, in: world)
    }
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
    let property = world.model[id.entity][property]
    if property.attribute?.isTransient == false { self[id]?.values[property.slot] = value }
  }

  // MARK: Audit

  /// The first row that is not as the account has it.
  func error(in world: World) -> Error? {
    let found = StoreAccount(world)
    assert(tables.count == found.tables.count, "a store has come or gone")
    for (mine, theirs) in zip(tables, found.tables) where mine != theirs {
      for index in 0..<max(mine.count, theirs.count) {
        let mine = index < mine.count ? mine[index] : nil
        let theirs = index < theirs.count ? theirs[index] : nil
        if mine != theirs { return error(mine, theirs, in: world) }
      }
    }
    return errorOfDestination(in: world)
  }

  private func error(_ mine: Row?, _ theirs: Row?, in world: World) -> Error? {
    guard let mine else { return theirs.map { Error(object: $0.id, stored: .null) } }
    guard let theirs else { return Error(object: mine.id, stored: nil) }
    assert(mine.id == theirs.id, "two rows are compared as one")
    assert(mine.values.count == theirs.values.count, "rows of one entity have different slots")
    for (number, property) in world.model[mine.id.entity].properties.enumerated()
    where property.attribute != nil {
      let (new, there) = (mine.values[property.slot], theirs.values[property.slot])
      if new == there { continue }
      return Error(
        object: mine.id, property: PropertyID(number), values: [new, there], stored: there)
    }
    return nil
  }

  /// Later saves change a to-one relationship from its other side, too, so it is only looked at
  /// when it was written; one with a to-one inverse not even then: the same save may give the
  /// destination to another object.
  private func errorOfDestination(in world: World) -> Error? {
    for change in writes(in: world) where world.isWrittenFromOneSide(change.property, change.object)
    {
      let slot = world.slot(of: change.property, in: change.object.entity)
      guard let there = world.storedValues(of: change.object)?[slot], there != change.new else {
        continue
      }
      return Error(
        object: change.object, property: change.property, values: [change.new, there],
        stored: there)
    }
    return nil
  }

  private struct Write {
    let object: ObjectID
    let property: PropertyID
    let new: Value
  }

  /// Those of the running action to stores on disk.
  private func writes(in world: World) -> [Write] {
    world.evidence.compactMap { evidence in
      guard let (change, _, new) = evidence.write, change.parent == nil else { return nil }
      let id = world.permanentID(of: change.object)
      return isOnDisk(id, in: world)
        ? Write(object: id, property: change.property, new: new) : nil
    }
  }

  private func isOnDisk(_ id: ObjectID, in world: World) -> Bool {
    id.store.map { !world.stack.stores[$0.index].isInMemory } ?? false
  }
}

extension World {
  /// Whether it is a to-one relationship whose inverse, if it has any, is to-many.
  fileprivate func isWrittenFromOneSide(_ property: PropertyID, _ id: ObjectID) -> Bool {
    guard let relationship = model[id.entity][property].relationship, !relationship.isToMany else {
      return false
    }
    return relationship.inverse.map { model[relationship.destination][$0].isToMany } ?? true
  }
}
