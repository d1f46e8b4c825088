package import ObjectModel
package import Vocabulary

/// What invariants ask after most actions, answered in place: without a copy of an instance, a row
/// or the stack.
extension ObjectGraph {
  // MARK: Contexts

  /// Whether `context` is `ancestor`, or below it.
  package func isAtOrBelow(_ ancestor: ContextID, _ context: ContextID) -> Bool {
    var current = context
    while current != ancestor {
      guard let parent = contexts[current.index].parent else { return false }
      current = parent
    }
    return true
  }

  // MARK: Properties

  package func isTransient(_ property: PropertyID, of entity: EntityID) -> Bool {
    shapes[entity.index][property.index].isTransient
  }

  package func isStoredAttribute(_ property: PropertyID, of entity: EntityID) -> Bool {
    let shape = shapes[entity.index][property.index]
    return shape.kind == .attribute && !shape.isTransient
  }

  /// Whether it is a to-one relationship whose inverse, if it has any, is to-many.
  package func isWrittenFromOneSide(_ property: PropertyID, of entity: EntityID) -> Bool {
    let shape = shapes[entity.index][property.index]
    return shape.kind == .toOne && (!shape.hasInverse || shape.inverseIsToMany)
  }

  // MARK: Instances

  /// Whether the context has an instance of the row or object.
  package func hasInstance(of id: ObjectID, in context: ContextID) -> Bool {
    slotOfRow(id, in: context) != nil
  }

  /// Likewise, one that is not to be deleted.
  package func keepsInstance(of id: ObjectID, in context: ContextID) -> Bool {
    guard let slot = slotOfRow(id, in: context) else { return false }
    return !contexts[context.index].isPendingDeletion(slot)
  }

  /// Whether the context has an instance of the row or object that is no fault.
  package func isRealized(_ id: ObjectID, in context: ContextID) -> Bool {
    guard let slot = slotOfRow(id, in: context) else { return false }
    return !contexts[context.index].isFault(slot)
  }

  /// True if the context has an instance of the row or object that is inserted, and not to be
  /// deleted.
  package func showsInsertion(of id: ObjectID, in context: ContextID) -> Bool {
    guard let slot = slotOfRow(id, in: context) else { return false }
    let flags = contexts[context.index].flags(of: slot)
    return flags.contains(.inserted) && flags.isDisjoint(with: [.deleted, .discarded])
  }

  /// True if it has one that is to be deleted.
  package func showsDeletion(of id: ObjectID, in context: ContextID) -> Bool {
    guard let slot = slotOfRow(id, in: context) else { return false }
    return contexts[context.index].isPendingDeletion(slot)
  }

  /// The value of an attribute or to-one in the context's instance of the row or object; nil if the
  /// instance is a fault, to be deleted or missing.
  package func shownValue(
    of property: PropertyID, _ id: ObjectID, in context: ContextID
  ) -> Value? {
    guard let slot = slotOfRow(id, in: context) else { return nil }
    let c = context.index
    if contexts[c].isPendingDeletion(slot) || contexts[c].isFault(slot) {
      return nil
    }
    return contexts[c].objects[slot].current.values[shapes[id.entity.index][property.index].slot]
  }

  /// Whether the property was set, and not saved, in an instance above that of `context`.
  package func isChangedAbove(
    _ context: ContextID, _ id: ObjectID, _ property: PropertyID
  ) -> Bool {
    var above = contexts[context.index].parent
    while let ancestor = above {
      if let slot = slotOfRow(id, in: ancestor),
        contexts[ancestor.index].objects[slot].changed.contains(property.index)
      {
        return true
      }
      above = contexts[ancestor.index].parent
    }
    return false
  }

  /// Whether new objects have this value in an attribute or to-one.
  package func isDefault(_ value: Value, of property: PropertyID, in entity: EntityID) -> Bool {
    model.entities[entity.index].defaultValues[shapes[entity.index][property.index].slot] == value
  }

  /// What an attribute or to-one had when the instance of the row or object `id` was last loaded
  /// or saved; nil if there is no such instance, or it is a fault.
  package func baseValue(
    of property: PropertyID, _ id: ObjectID, in context: ContextID
  ) -> Value? {
    guard let slot = slotOfRow(id, in: context) else { return nil }
    let place = shapes[id.entity.index][property.index].slot
    let c = context.index
    guard place < contexts[c].objects[slot].base.values.count else { return nil }
    return contexts[c].objects[slot].base.values[place]
  }

  /// Whether the row of the instance that reports `id` has each stored attribute as the instance
  /// has it.
  package func showsItsRow(_ id: ObjectID, in context: ContextID) -> Bool {
    let (c, entity, row) = (context.index, id.entity.index, row(of: id))
    guard let slot = slotOfRow(id, in: context), let store = row.store,
      let stored = stores[store.index][row],
      stored.values.count == contexts[c].objects[slot].current.values.count
    else { return false }
    for index in model.entities[entity].storedAttributeIDs.indices {
      let property = model.entities[entity].storedAttributeIDs[index].index
      let place = shapes[entity][property].slot
      if stored.values[place] != contexts[c].objects[slot].current.values[place] { return false }
    }
    return true
  }

  // MARK: Rows

  /// Whether there is a row with just this ID.
  package func isStored(_ id: ObjectID) -> Bool {
    guard let store = id.store else { return false }
    return stores[store.index][id] != nil
  }

  /// The first stored attribute in which the row with just this ID has another value than `values`
  /// has in its slot, and that value.
  package func difference(
    ofRow id: ObjectID, from values: [Value]
  ) -> (property: PropertyID, stored: Value)? {
    guard let store = id.store, let row = stores[store.index][id] else { return nil }
    let entity = id.entity.index
    assert(row.values.count == values.count, "rows of one entity have different slots")
    for index in model.entities[entity].storedAttributeIDs.indices {
      let property = model.entities[entity].storedAttributeIDs[index]
      let slot = shapes[entity][property.index].slot
      if row.values[slot] != values[slot] { return (property, row.values[slot]) }
    }
    return nil
  }

  package func isInMemory(_ store: StoreID) -> Bool { stack.stores[store.index].isInMemory }

  /// Whether it is the ID of a row in a store on disk.
  package func isOnDisk(_ id: ObjectID) -> Bool {
    guard let store = id.store else { return false }
    return !isInMemory(store)
  }

  /// Relationships of rows to rows whose inverses do not lead back, by store, row and property; one
  /// for each destination. Costs a look at all rows that have inverses.
  package func oneSidedRelationships() -> [(object: ObjectID, property: PropertyID)] {
    var found: [(object: ObjectID, property: PropertyID)] = []
    for store in stores.indices {
      for position in stores[store].ids.indices {
        let id = stores[store].ids[position]
        guard setting.hasInverses[id.entity.index], let row = stores[store][id] else { continue }
        for property in shapes[id.entity.index].indices {
          let shape = shapes[id.entity.index][property]
          guard shape.hasInverse else { continue }
          if shape.kind == .toMany {
            for destination in row.collections[shape.slot]
            where !leads(from: destination, shape, to: id) {
              found.append((id, PropertyID(property)))
            }
          } else if let destination = row.values[shape.slot].objectID,
            !leads(from: destination, shape, to: id)
          {
            found.append((id, PropertyID(property)))
          }
        }
      }
    }
    return found
  }

  /// Whether the inverse of a relationship of the row `id` leads back to it from `destination`, or
  /// cannot, since there is no such row.
  private func leads(
    from destination: ObjectID, _ shape: PropertyShape, to id: ObjectID
  ) -> Bool {
    let row = row(of: destination)
    guard let store = row.store, let other = stores[store.index][row] else { return true }
    let inverse = shapes[row.entity.index][shape.inverse]
    return inverse.kind == .toMany
      ? other.collections[inverse.slot].contains(id) : other.values[inverse.slot] == .object(id)
  }
}
