package import ObjectModel
package import Vocabulary

/// Instances, rows and names as programs could observe them.
extension ObjectGraph {
  /// Returns the registered instances of a context, by ID.
  package func view(of context: ContextID) -> [InstanceView] {
    var views: [InstanceView] = []
    views.reserveCapacity(instanceCount(of: context))
    for slot in contexts[context.index].registeredSlots {
      views.append(view(ofSlot: slot, in: context))
    }
    return views
  }

  /// Returns a view of an instance. Reads its parts in place, because copying the object takes
  /// longer. §view
  func view(ofSlot slot: Int, in context: ContextID) -> InstanceView {
    let c = context.index
    let traits = traits(ofSlot: slot, in: context)
    return InstanceView(
      id: contexts[c].id(of: slot), isFault: traits.isFault,
      isInserted: traits.isInserted, isUpdated: traits.isUpdated, isDeleted: traits.isDeleted,
      values: traits.isFault ? [] : contexts[c].objects[slot].current.values,
      collections: traits.isFault ? [] : contexts[c].objects[slot].current.collections)
  }

  /// Returns the flags that an instance reports. §view.2
  private func traits(
    ofSlot slot: Int, in context: ContextID
  ) -> (isFault: Bool, isInserted: Bool, isUpdated: Bool, isDeleted: Bool) {
    let flags = contexts[context.index].flags(of: slot)
    let isDiscarded = flags.contains(.discarded)
    let hidesDeletion = quirks.contains(.deletedInsertReportsNotDeleted)
    return (
      flags.contains(.fault), flags.contains(.inserted) && !isDiscarded,
      flags.contains(.updated) && !isDiscarded,
      flags.contains(.deleted) || isDiscarded && !hidesDeletion
    )
  }

  /// Returns the instance with exactly this ID, or `nil` if the context has none.
  package func view(of id: ObjectID, in context: ContextID) -> InstanceView? {
    guard let slot = contexts[context.index].registry.slot(of: id) else { return nil }
    return view(ofSlot: slot, in: context)
  }

  /// Returns the parent of a context, without copying the stack.
  package func parent(of context: ContextID) -> ContextID? { contexts[context.index].parent }
  package func isRoot(_ context: ContextID) -> Bool { contexts[context.index].isRoot }

  package var contextCount: Int { contexts.count }
  package var storeCount: Int { stores.count }

  package func instanceCount(of context: ContextID) -> Int {
    contexts[context.index].registry.count
  }

  /// Returns the IDs of all instances that the last action may have changed, registered or
  /// released. An ID may occur twice. A kill creates all contexts again, so earlier instances are
  /// missing.
  package func touched(in context: ContextID) -> [ObjectID] {
    contexts[context.index].objects.touched
  }

  /// Decides whether a context shows an instance exactly as `view` has it. Compares in place,
  /// because a second view would count two references.
  package func shows(_ view: InstanceView, in context: ContextID) -> Bool {
    let c = context.index
    guard let slot = contexts[c].registry.slot(of: view.id) else { return false }
    let traits = traits(ofSlot: slot, in: context)
    guard view.isFault == traits.isFault, view.isInserted == traits.isInserted,
      view.isUpdated == traits.isUpdated, view.isDeleted == traits.isDeleted
    else { return false }
    if view.isFault { return view.values.isEmpty && view.collections.isEmpty }
    return contexts[c].objects[slot].current.values.isSame(as: view.values)
      && contexts[c].objects[slot].current.collections == view.collections
  }

  /// A bit mask of the touched contexts. Contexts whose indices are equal modulo 64 share a bit.
  package var touchedContexts: UInt64 {
    var bits: UInt64 = 0
    for index in contexts.indices where !contexts[index].objects.touched.isEmpty {
      bits |= 1 << UInt64(index & 63)
    }
    return bits
  }

  /// Returns the rows of a store, by ID.
  package func rows(of store: StoreID) -> [RowView] {
    stores[store.index].ids.compactMap { row($0, of: store) }
  }

  /// Returns a row of a store, or `nil` if the store has no such row.
  package func row(_ id: ObjectID, of store: StoreID) -> RowView? {
    stores[store.index][id].map {
      RowView(id: $0.id, version: $0.version, values: $0.values, collections: $0.collections)
    }
  }

  /// Returns the rows in the row cache of a coordinator, by store, then by ID.
  package func cachedRows(of coordinator: CoordinatorID) -> [RowView] {
    coordinators[coordinator.index].cache.flatMap { table in
      table.ids.compactMap { id in table[id] }.map {
        RowView(id: $0.id, version: $0.version, values: $0.values, collections: $0.collections)
      }
    }
  }

  package func rowCount(of store: StoreID) -> Int { stores[store.index].ids.count }

  /// Returns the IDs of all rows that the last action may have changed. An ID may occur twice.
  package func touchedRows(of store: StoreID) -> [ObjectID] { stores[store.index].touched }

  /// A Boolean value that indicates whether the last action may have changed a row of any store.
  package var hasTouchedRows: Bool {
    for index in stores.indices where !stores[index].touched.isEmpty { return true }
    return false
  }

  /// A Boolean value that indicates whether the last action may have changed a row of an entity
  /// that has relationships with inverses.
  package var hasTouchedRowsWithInverses: Bool {
    for store in stores.indices {
      for id in stores[store].touched where setting.hasInverses[id.entity.index] { return true }
    }
    return false
  }

  package mutating func forgetTouched() {
    // Emptying an empty list costs more than checking it.
    for index in contexts.indices where !contexts[index].objects.touched.isEmpty {
      contexts[index].objects.forgetTouched()
    }
    for index in stores.indices where !stores[index].touched.isEmpty {
      stores[index].forgetTouched()
    }
  }

  /// Returns the instance that the program holds under `name` in a context, if it is still
  /// registered.
  package func heldInstance(_ context: ContextID, _ name: ObjectName) -> InstanceView? {
    guard case .slot(let slot) = contexts[context.index].binding(of: name) else { return nil }
    return view(ofSlot: slot, in: context)
  }

  /// Decides whether an instance is inaccessible, because firing it found no row (FL-14).
  package func isInaccessible(_ name: ObjectName, in context: ContextID) -> Bool {
    guard case .slot(let slot) = contexts[context.index].binding(of: name) else { return false }
    return contexts[context.index].has(.inaccessible, slot)
  }

  /// Returns the ID that `name` reports in a context, even if its instance has left the context.
  package func heldID(_ context: ContextID, _ name: ObjectName) -> ObjectID? {
    switch contexts[context.index].binding(of: name) {
    case .unbound: nil
    case .slot(let slot): contexts[context.index].id(of: slot)
    case .gone(let id): id
    }
  }

  /// Decides whether a context has changes to save. §has-changes
  package func hasChanges(_ context: ContextID) -> Bool {
    // An object that was inserted and then deleted does not count as a change (CT-08).
    contexts[context.index].objects.changedCount > 0
  }

  /// Returns the number of DidSave notifications that a context has posted.
  package func didSaveCount(of context: ContextID) -> Int {
    didSaves.count { $0.context == context && !$0.isBatch }
  }
}
