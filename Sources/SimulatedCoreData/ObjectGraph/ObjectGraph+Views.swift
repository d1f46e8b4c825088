package import ObjectModel
package import Vocabulary

/// Instances, rows and names as programs could observe them.
extension ObjectGraph {
  /// The registered instances of a context, by ID.
  package func view(of context: ContextID) -> [InstanceView] {
    var views: [InstanceView] = []
    views.reserveCapacity(instanceCount(of: context))
    for slot in contexts[context.index].registeredSlots {
      views.append(view(ofSlot: slot, in: context))
    }
    return views
  }

  /// Views an instance. Its parts are read in place: copying the object takes longer. §view
  func view(ofSlot slot: Int, in context: ContextID) -> InstanceView {
    let c = context.index
    let traits = traits(ofSlot: slot, in: context)
    return InstanceView(
      id: contexts[c].id(of: slot), isFault: traits.isFault,
      isInserted: traits.isInserted, isUpdated: traits.isUpdated, isDeleted: traits.isDeleted,
      values: traits.isFault ? [] : contexts[c].objects[slot].current.values,
      collections: traits.isFault ? [] : contexts[c].objects[slot].current.collections)
  }

  /// The marks that an instance reports of itself. §view.2
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

  /// Nil if there is no instance with exactly this ID.
  package func view(of id: ObjectID, in context: ContextID) -> InstanceView? {
    guard let slot = contexts[context.index].registry.slot(of: id) else { return nil }
    return view(ofSlot: slot, in: context)
  }

  /// As the stack has them, without a copy of it.
  package func parent(of context: ContextID) -> ContextID? { contexts[context.index].parent }
  package func isRoot(_ context: ContextID) -> Bool { contexts[context.index].isRoot }

  package var contextCount: Int { contexts.count }
  package var storeCount: Int { stores.count }

  /// The number of registered instances.
  package func instanceCount(of context: ContextID) -> Int {
    contexts[context.index].registry.count
  }

  /// The IDs of all instances that the last action may have changed, registered or let go; may have
  /// one twice. After a kill, which makes all contexts anew, it lacks those that there were.
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

  /// The contexts of which something is touched, as bits, of those with the same number modulo 64
  /// together.
  package var touchedContexts: UInt64 {
    var bits: UInt64 = 0
    for index in contexts.indices where !contexts[index].objects.touched.isEmpty {
      bits |= 1 << UInt64(index & 63)
    }
    return bits
  }

  /// The rows of a store, by ID.
  package func rows(of store: StoreID) -> [RowView] {
    stores[store.index].ids.compactMap { row($0, of: store) }
  }

  /// Nil if there is no such row.
  package func row(_ id: ObjectID, of store: StoreID) -> RowView? {
    stores[store.index][id].map {
      RowView(id: $0.id, version: $0.version, values: $0.values, collections: $0.collections)
    }
  }

  package func rowCount(of store: StoreID) -> Int { stores[store.index].ids.count }

  /// The IDs of all rows that the last action may have changed; may have one twice.
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
    // To empty what is empty costs more than to look.
    for index in contexts.indices where !contexts[index].objects.touched.isEmpty {
      contexts[index].objects.forgetTouched()
    }
    for index in stores.indices where !stores[index].touched.isEmpty {
      stores[index].forgetTouched()
    }
  }

  /// The instance that the program holds under `name` in a context, if it is still registered.
  package func heldInstance(_ context: ContextID, _ name: ObjectName) -> InstanceView? {
    guard case .slot(let slot) = contexts[context.index].binding(of: name) else { return nil }
    return view(ofSlot: slot, in: context)
  }

  /// Decides whether an instance is inaccessible: its row was missing when it was fired (FL-14).
  package func isInaccessible(_ name: ObjectName, in context: ContextID) -> Bool {
    guard case .slot(let slot) = contexts[context.index].binding(of: name) else { return false }
    return contexts[context.index].has(.inaccessible, slot)
  }

  /// The ID that `name` reports in a context, also of an instance that has left it.
  package func heldID(_ context: ContextID, _ name: ObjectName) -> ObjectID? {
    switch contexts[context.index].binding(of: name) {
    case .unbound: nil
    case .slot(let slot): contexts[context.index].id(of: slot)
    case .gone(let id): id
    }
  }

  /// Decides whether a context has changes to save. §has-changes
  package func hasChanges(_ context: ContextID) -> Bool {
    // An object that was inserted and deleted is no change (CT-08).
    contexts[context.index].objects.changedCount > 0
  }

  /// The number of DidSave notifications that a context has posted.
  package func didSaveCount(of context: ContextID) -> Int {
    didSaves.count { $0.context == context && !$0.isBatch }
  }
}
