package import ObjectModel
package import Vocabulary

/// Queries that invariants make after most actions, answered in place without copying an instance,
/// a row or the stack.
extension ObjectGraph {
  // MARK: Contexts

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

  /// Returns a Boolean value that indicates whether the property is a to-one relationship without a
  /// to-one inverse.
  package func isWrittenFromOneSide(_ property: PropertyID, of entity: EntityID) -> Bool {
    let shape = shapes[entity.index][property.index]
    return shape.kind == .toOne && (!shape.hasInverse || shape.inverseIsToMany)
  }

  // MARK: Instances

  /// Returns a Boolean value that indicates whether the context has an instance of the row or
  /// object.
  package func hasInstance(of id: ObjectID, in context: ContextID) -> Bool {
    slotOfRow(id, in: context) != nil
  }

  /// Returns a Boolean value that indicates whether the context has an instance of the row or
  /// object that is not pending deletion.
  package func keepsInstance(of id: ObjectID, in context: ContextID) -> Bool {
    guard let slot = slotOfRow(id, in: context) else { return false }
    return !contexts[context.index].isPendingDeletion(slot)
  }

  /// Returns a Boolean value that indicates whether the context has a realised instance of the row
  /// or object.
  package func isRealized(_ id: ObjectID, in context: ContextID) -> Bool {
    guard let slot = slotOfRow(id, in: context) else { return false }
    return !contexts[context.index].isFault(slot)
  }

  /// Returns a Boolean value that indicates whether the context has an inserted instance of the row
  /// or object that is not pending deletion.
  package func showsInsertion(of id: ObjectID, in context: ContextID) -> Bool {
    guard let slot = slotOfRow(id, in: context) else { return false }
    let flags = contexts[context.index].flags(of: slot)
    return flags.contains(.inserted) && flags.isDisjoint(with: [.deleted, .discarded])
  }

  /// Returns a Boolean value that indicates whether the context's instance of the row or object is
  /// pending deletion.
  package func showsDeletion(of id: ObjectID, in context: ContextID) -> Bool {
    guard let slot = slotOfRow(id, in: context) else { return false }
    return contexts[context.index].isPendingDeletion(slot)
  }

  /// Returns the value of an attribute or to-one relationship in the context's instance of the row
  /// or object. Returns `nil` if the instance is missing, a fault or pending deletion.
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

  /// Returns a Boolean value that indicates whether an ancestor of `context` has an unsaved change
  /// of the property.
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

  /// Returns a Boolean value that indicates whether new objects have this value in an attribute or
  /// to-one relationship.
  package func isDefault(_ value: Value, of property: PropertyID, in entity: EntityID) -> Bool {
    model.entities[entity.index].defaultValues[shapes[entity.index][property.index].slot] == value
  }

  /// Returns the value of an attribute or to-one relationship when the instance of the row or
  /// object `id` was last loaded or saved. Returns `nil` if the instance is missing or a fault.
  package func baseValue(
    of property: PropertyID, _ id: ObjectID, in context: ContextID
  ) -> Value? {
    guard let slot = slotOfRow(id, in: context) else { return nil }
    let place = shapes[id.entity.index][property.index].slot
    let c = context.index
    guard place < contexts[c].objects[slot].base.values.count else { return nil }
    return contexts[c].objects[slot].base.values[place]
  }

  /// Returns a Boolean value that indicates whether the instance that reports `id` has the stored
  /// values of its row in all attributes.
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

  /// Returns a Boolean value that indicates whether a row with exactly this ID exists.
  package func isStored(_ id: ObjectID) -> Bool {
    guard let store = id.store else { return false }
    return stores[store.index][id] != nil
  }

  /// Returns the first stored attribute in which the row with exactly this ID differs from
  /// `values`, and the row's value.
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

  /// Returns a Boolean value that indicates whether `id` identifies a row in a store on disk.
  package func isOnDisk(_ id: ObjectID) -> Bool {
    guard let store = id.store else { return false }
    return !isInMemory(store)
  }

  /// Returns the relationships of rows whose inverses do not lead back, by store, row and property.
  /// Each such destination counts once.
  ///
  /// - Complexity: Examines all rows that have inverses.
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

  /// Returns a Boolean value that indicates whether `destination` leads back to the row `id`. Also
  /// returns `true` if `destination` has no row.
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
