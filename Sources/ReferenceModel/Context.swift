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
    guard inserted.contains(old) || updated.contains(old) else { return }
    for index in inserted.indices where inserted[index] == old { inserted[index] = new }
    for index in updated.indices where updated[index] == old { updated[index] = new }
    inserted.sort()
    updated.sort()
  }
}

/// Counterpart of `NSManagedObjectContext`.
struct Context: Hashable, Sendable {
  /// Never read: as in `ReferenceStack`.
  private let inPlace = HeldInPlace()
  var instances = IDTable<Instance>()
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
  // Set by `follow`.
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

  /// The IDs of the instances that meet a condition, each looked at in place.
  func ids(where isMeant: (borrowing Instance) -> Bool) -> [ObjectID] {
    instances.ids(where: isMeant)
  }

  func hasInstance(where isMeant: (borrowing Instance) -> Bool) -> Bool {
    instances.hasElement(where: isMeant)
  }

  func binding(_ name: ObjectName) -> Binding? {
    name.index < bindings.count ? bindings[name.index] : nil
  }

  mutating func bind(_ name: ObjectName, to id: ObjectID) {
    release(name)
    if bindings.isEmpty { bindings.reserveCapacity(16) }
    while bindings.count <= name.index { bindings.append(nil) }
    assert(bindings[name.index] == nil, "the name has an instance already")
    bindings[name.index] = Binding(id: id)
    instances[existing: id].holderCount += 1
    assert(instances[existing: id].holderCount >= 1, "\(id) is bound and not held")
  }

  mutating func release(_ name: ObjectName) {
    guard let binding = binding(name) else { return }
    if !binding.isGone {
      instances[existing: binding.id].holderCount -= 1
      assert(instances[existing: binding.id].holderCount >= 0, "\(binding.id) has lost more names")
    }
    bindings[name.index] = nil
  }

  /// The instance leaves the context; names stay bound to it.
  mutating func leave(_ id: ObjectID) {
    let wasRegistered = instances.remove(id)
    precondition(wasRegistered, "what leaves a context was not registered")
    unpropagatedDeletions.removeAll { $0 == id }
    changeBindings(of: id) { $0.isGone = true }
    assert(!bindings.contains { $0?.id == id && $0?.isGone == false }, "a name holds \(id) still")
  }

  mutating func reset() {
    for id in instances.ids { changeBindings(of: id) { $0.isGone = true } }
    instances.removeAll()
    unpropagatedDeletions.removeAll()
    pool.removeAll()
    // UN-04
    undoManager?.removeAllGroups()
    assert(bindings.allSatisfy { $0?.isGone != false }, "a name holds what was reset")
  }

  /// CC-19: this context is deallocated, and what takes its place knows nothing of it.
  mutating func discard() {
    reset()
    historyToken = 0
    if undoManager != nil { undoManager = UndoManager() }
  }

  /// Gives the instance `old` the ID `new`, unless there is none or the new ID is taken.
  mutating func rename(_ old: ObjectID, to new: ObjectID) -> Bool {
    assert(old.isTemporaryID && !new.isTemporaryID, "\(old) cannot become \(new)")
    guard instances.contains(old), !instances.contains(new) else { return false }
    instances.rename(old, to: new)
    changeBindings(of: old) { $0.id = new }
    if !deliveries.isEmpty { deliveries = deliveries.map { $0.map { $0 == old ? new : $0 } } }
    if !pool.isEmpty, pool.remove(old) != nil { pool.insert(new) }
    for index in unpropagatedDeletions.indices where unpropagatedDeletions[index] == old {
      unpropagatedDeletions[index] = new
    }
    assert(instances.contains(new) && !instances.contains(old), "\(old) was not renamed")
    return true
  }

  private mutating func changeBindings(of id: ObjectID, _ change: (inout Binding) -> Void) {
    for index in bindings.indices {
      guard var binding = bindings[index], binding.id == id, !binding.isGone else { continue }
      change(&binding)
      bindings[index] = binding
    }
  }
}
