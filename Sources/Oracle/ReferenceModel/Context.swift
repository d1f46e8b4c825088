import Determinism
import ObjectModel
import Vocabulary

/// The instance that a name is bound to in one context.
struct Binding: Hashable, Sendable {
  var id: ObjectID
  /// True if the instance has left its context.
  var isGone = false
}

/// The saved sets of a commit, sorted, which `finish` posts.
struct SavedSets: Hashable, Sendable {
  var inserted: [ObjectID] = []
  var updated: [ObjectID] = []
  var deleted: [ObjectID] = []

  /// The sets as a notification lists them.
  var sets: ChangeSets {
    var sets = ChangeSets()
    (sets.inserted, sets.updated, sets.deleted) = (inserted, updated, deleted)
    return sets
  }

  var isSorted: Bool {
    inserted.isStrictlyAscending && updated.isStrictlyAscending && deleted.isStrictlyAscending
  }

  mutating func rename(_ old: ObjectID, to new: ObjectID) {
    inserted.replaceInOrder(old, by: new)
    updated.replaceInOrder(old, by: new)
  }
}

/// The counterpart of `NSManagedObjectContext`.
struct Context: Hashable, Sendable {
  /// Unused, as in `ReferenceStack`.
  private let inPlace = HeldInPlace()
  var instances = IDTable<Instance>()
  var lists = InstanceLists()
  /// Indexed by name.
  var bindings: [Binding?] = []
  /// Doomed instances whose deletion has not propagated yet, in the order of deletion (RL-10).
  var unpropagatedDeletions: [ObjectID] = []
  var saved = SavedSets()
  /// The registered instances of each notification whose observers are being called (NT-01).
  var deliveries: [[ObjectID]] = []
  /// The event pool: instances that loops have reached since an event ended.
  var pool: Set<ObjectID> = []
  /// The number of announcements that the last `mergeHistory` had seen.
  var historyToken = 0
  /// Nil by default (UN-01).
  var undoManager: UndoManager?

  // Fixed by the stack.
  var parent: ContextID?
  var children: [ContextID] = []
  /// This context, its parent, and so on up to its root.
  var chain: [ContextID] = []
  var coordinator: CoordinatorID
  // Set by `follow`. A step can set the merge policy, too.
  var mergePolicy = MergePolicy.error
  var retainsRegisteredObjects = false
  var propagatesDeletesAtEndOfEvent = true
  var shouldDeleteInaccessibleFaults = true
  var mergesAutomatically = false
  var hasZeroStaleness = false
  /// All contexts below the same coordinator.
  var relatives: [ContextID] = []

  /// Creates a context. Its children and relatives are set once all contexts exist.
  init(_ id: ContextID, in stack: Stack) {
    parent = stack.parent(of: id)
    chain = stack.chain(from: id)
    coordinator = stack.coordinator(of: id)
    follow(stack.contexts[id.index])
    assert(chain.first == id, "the chain of a context begins with another")
  }

  /// Adopts the declared settings. Code may declare other settings later.
  mutating func follow(_ declared: Stack.Context) {
    mergePolicy = declared.mergePolicy
    retainsRegisteredObjects = declared.retainsRegisteredObjects
    propagatesDeletesAtEndOfEvent = declared.propagatesDeletesAtEndOfEvent
    shouldDeleteInaccessibleFaults = declared.shouldDeleteInaccessibleFaults
    mergesAutomatically = declared.automaticallyMergesChangesFromParent
    hasZeroStaleness = declared.hasZeroStaleness
    if (undoManager == nil) == declared.hasUndoManager {
      undoManager = declared.hasUndoManager ? UndoManager() : nil
    }
  }

  var isRoot: Bool { parent == nil }

  func binding(_ name: ObjectName) -> Binding? {
    name.index < bindings.count ? bindings[name.index] : nil
  }

  /// Binds a name to an instance, without an event. §bind
  mutating func bind(_ name: ObjectName, to id: ObjectID) {
    release(name)
    if bindings.capacity == 0 { bindings.reserveCapacity(16) }
    while bindings.count <= name.index { bindings.append(nil) }
    assert(bindings[name.index] == nil, "the name has an instance already")
    bindings[name.index] = Binding(id: id)
    instances[existing: id].names.append(name)
    instances[existing: id].names.sort()
  }

  /// Unbinds a name, even from an instance that is gone. §release.2
  mutating func release(_ name: ObjectName) {
    guard let binding = binding(name) else { return }
    if !binding.isGone { instances[existing: binding.id].names.removeAll { $0 == name } }
    bindings[name.index] = nil
  }

  /// Removes an instance from the context. Names stay bound to it. §leave
  mutating func leave(_ id: ObjectID) {
    let names = instances[existing: id].names
    for name in names { bindings[name.index]?.isGone = true }
    instances.remove(id)
    unpropagatedDeletions.removeAll { $0 == id }
    assert(!bindings.contains { $0?.id == id && $0?.isGone == false }, "a name holds \(id) still")
  }

  /// Removes all instances and the undo groups. §reset.3, §reset.4, §reset.6
  mutating func reset() {
    for name in bindings.indices { bindings[name]?.isGone = true }
    instances.removeAll()
    unpropagatedDeletions.removeAll()
    pool.removeAll()
    // UN-04.
    undoManager?.removeAllGroups()
    assert(bindings.allSatisfy { $0?.isGone != false }, "a name holds what was reset")
  }

  /// Replaces the context with a new one, because an app deallocates a context that it discards
  /// (CC-19). §discard.2, §discard.3, §discard.5, §discard.6
  mutating func discard(declaredPolicy: MergePolicy) {
    reset()
    mergePolicy = declaredPolicy
    historyToken = 0
    if undoManager != nil { undoManager = UndoManager() }
  }

  /// Gives the instance `old` the ID `new`. Returns false if no such instance is registered, or if
  /// the new ID is taken. §become-permanent.1.3.4
  mutating func rename(_ old: ObjectID, to new: ObjectID) -> Bool {
    assert(old.isTemporaryID && !new.isTemporaryID, "\(old) cannot become \(new)")
    guard instances.contains(old), !instances.contains(new) else { return false }
    instances.rename(old, to: new)
    let names = instances[existing: new].names
    for name in names { bindings[name.index]?.id = new }
    if !deliveries.isEmpty { deliveries = deliveries.map { $0.map { $0 == old ? new : $0 } } }
    if !pool.isEmpty, pool.remove(old) != nil { pool.insert(new) }
    for index in unpropagatedDeletions.indices where unpropagatedDeletions[index] == old {
      unpropagatedDeletions[index] = new
    }
    assert(instances.contains(new) && !instances.contains(old), "\(old) was not renamed")
    return true
  }
}
