import Determinism
import ObjectModel
import Vocabulary

/// A name's instance in one context.
struct Binding: Hashable, Sendable {
  var id: ObjectID
  /// The instance left its context.
  var isGone = false
}

/// What a commit saved, for the notification that `finish` posts; sorted.
struct SavedSets: Hashable, Sendable {
  var inserted: [ObjectID] = []
  var updated: [ObjectID] = []
  var deleted: [ObjectID] = []

  /// As a notification lists them.
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

/// Counterpart of `NSManagedObjectContext`.
struct Context: Hashable, Sendable {
  /// Never read: as in `ReferenceStack`.
  private let inPlace = HeldInPlace()
  var instances = IDTable<Instance>()
  var lists = InstanceLists()
  /// By name.
  var bindings: [Binding?] = []
  /// Deleted and not yet propagated, in the order of deletion (RL-10).
  var unpropagatedDeletions: [ObjectID] = []
  var saved = SavedSets()
  /// What it has registered of each notification whose observers are being called (NT-01).
  var deliveries: [[ObjectID]] = []
  /// What loops over a notification have reached since an event ended.
  var pool: Set<ObjectID> = []
  /// How many announcements its last `mergeHistory` has seen.
  var historyToken = 0
  /// Nil by default (UN-01).
  var undoManager: UndoManager?

  // Fixed by the stack.
  var parent: ContextID?
  var children: [ContextID] = []
  /// This context, its parent, and so on up to its root.
  var chain: [ContextID] = []
  var coordinator: CoordinatorID
  // Set by `follow`, and of these the first by steps, too.
  var mergePolicy = MergePolicy.error
  var retainsRegisteredObjects = false
  var propagatesDeletesAtEndOfEvent = true
  var shouldDeleteInaccessibleFaults = true
  var mergesAutomatically = false
  var hasZeroStaleness = false
  /// All that stand below the same coordinator.
  var relatives: [ContextID] = []

  /// Its children and relatives are set when all contexts are there.
  init(_ id: ContextID, in stack: Stack) {
    parent = stack.parent(of: id)
    chain = stack.chain(from: id)
    coordinator = stack.coordinator(of: id)
    follow(stack.contexts[id.index])
    assert(chain.first == id, "the chain of a context begins with another")
  }

  /// Takes over what is declared of it; code may declare it otherwise later.
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

  mutating func bind(_ name: ObjectName, to id: ObjectID) {
    release(name)
    if bindings.capacity == 0 { bindings.reserveCapacity(16) }
    while bindings.count <= name.index { bindings.append(nil) }
    assert(bindings[name.index] == nil, "the name has an instance already")
    bindings[name.index] = Binding(id: id)
    instances[existing: id].names.append(name)
    instances[existing: id].names.sort()
  }

  mutating func release(_ name: ObjectName) {
    guard let binding = binding(name) else { return }
    if !binding.isGone { instances[existing: binding.id].names.removeAll { $0 == name } }
    bindings[name.index] = nil
  }

  /// The instance leaves the context; names stay bound to it.
  mutating func leave(_ id: ObjectID) {
    let names = instances[existing: id].names
    for name in names { bindings[name.index]?.isGone = true }
    instances.remove(id)
    unpropagatedDeletions.removeAll { $0 == id }
    assert(!bindings.contains { $0?.id == id && $0?.isGone == false }, "a name holds \(id) still")
  }

  mutating func reset() {
    for name in bindings.indices { bindings[name]?.isGone = true }
    instances.removeAll()
    unpropagatedDeletions.removeAll()
    pool.removeAll()
    // UN-04
    undoManager?.removeAllGroups()
    assert(bindings.allSatisfy { $0?.isGone != false }, "a name holds what was reset")
  }

  /// CC-19: this context is deallocated, and what takes its place knows nothing of it.
  mutating func discard(declaredPolicy: MergePolicy) {
    reset()
    mergePolicy = declaredPolicy
    historyToken = 0
    if undoManager != nil { undoManager = UndoManager() }
  }

  /// Gives the instance `old` the ID `new`, unless there is none or the new ID is taken.
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
