import ObjectModel
import Vocabulary

/// Counterpart of `NSManagedObjectContext`: the instances registered in one context.
///
/// Each instance has a numbered slot and keeps it until the instance leaves the context.
struct ManagedObjectContext: Hashable {
  /// The instance to which a name of the program is bound in this context.
  enum Binding: Hashable {
    case unbound
    case slot(Int)
    /// An instance that has left the context. Only its ID can still be read.
    case gone(ObjectID)
  }

  let id: ContextID
  let parent: ContextID?
  let coordinator: CoordinatorID
  /// The merge policy that the stack declares, until a step or the design sets another.
  var mergePolicy = MergePolicy.error
  // Set by `follow`.
  private(set) var children: [ContextID] = []
  private(set) var retainsRegisteredObjects = false
  private(set) var propagatesDeletesAtEndOfEvent = true
  private(set) var shouldDeleteInaccessibleFaults = true
  private(set) var automaticallyMergesChangesFromParent = false
  private(set) var hasZeroStaleness = false
  var isRoot: Bool { parent == nil }

  var objects = Slots()
  private(set) var freeSlots: [Int] = []
  private(set) var registry = Registry()

  var bindings: [Binding] = []
  /// Slots of deleted instances whose deletion has not propagated yet, in the order of deletion.
  var unpropagated: [Int] = []
  /// A Boolean value that indicates whether any instance is part of the running event.
  var hasReports = false
  /// The states of instances before the running event changed them. Each instance has the index of
  /// its state.
  var eventStarts: [ManagedObject.State] = []
  /// The undo manager, `nil` by default (UN-01).
  var undoManager: UndoManager?
  /// A Boolean value that indicates whether an instance may now have to leave the context.
  var mayCollect = false
  /// The objects that the commit of the running save wrote, until its finish reports them.
  var committed: ChangeSets {
    get { written ?? ChangeSets() }
    _modify {
      var sets = written.take() ?? ChangeSets()
      yield &sets
      if !sets.isEmpty { written = sets }
    }
  }
  /// The storage of `committed`, or `nil` if it is empty. Copies of the context would otherwise
  /// count five references to empty arrays.
  private(set) var written: ChangeSets?
  /// The objects listed in notifications whose observers are being called, innermost last.
  var deliveries: [[ObjectID]] = []
  /// The event pool: objects that loops have touched since the last event ended. An autorelease
  /// pool keeps such objects alive after the loop variable is gone.
  var autoreleased: [ObjectID] = []
  /// The number of the first DidSave or batch result that this context has not merged from history.
  var historyToken = 0

  init(_ id: ContextID, in stack: Stack) {
    self.id = id
    parent = stack.parent(of: id)
    coordinator = stack.coordinator(of: id)
    follow(stack)
  }

  /// Adopts the settings that the stack declares. Code may declare others later. §settings
  mutating func follow(_ stack: Stack) {
    let declared = stack[id]
    children = stack.children(of: id)
    mergePolicy = declared.mergePolicy
    retainsRegisteredObjects = declared.retainsRegisteredObjects
    propagatesDeletesAtEndOfEvent = declared.propagatesDeletesAtEndOfEvent
    shouldDeleteInaccessibleFaults = declared.shouldDeleteInaccessibleFaults
    automaticallyMergesChangesFromParent = declared.automaticallyMergesChangesFromParent
    hasZeroStaleness = declared.hasZeroStaleness
    if declared.hasUndoManager != (undoManager != nil) {
      undoManager = declared.hasUndoManager ? UndoManager() : nil
    }
  }

  /// Takes the memory of another context's lists, except for its instances.
  mutating func takeLists(of other: inout ManagedObjectContext) {
    registry.takeStorage(of: &other.registry)
    freeSlots.takeStorage(of: &other.freeSlots)
    bindings.takeStorage(of: &other.bindings)
    unpropagated.takeStorage(of: &other.unpropagated)
  }

  mutating func register(_ object: consuming ManagedObject) -> Int {
    let slot = freeSlots.popLast() ?? objects.count
    assert(slot <= objects.count, "slot \(slot) is beyond the \(objects.count) slots")
    registry.insert(slot, as: object.id)
    objects.put(object, at: slot)
    mayCollect = true
    assert(contains(slot), "slot \(slot) was not registered")
    return slot
  }

  /// Removes the instance from the registry. Names that hold the instance keep its ID. §leave.3
  mutating func unregister(_ slot: Int) {
    let id = objects[slot].id
    if objects[slot].holdCount > 0 {
      var left = objects[slot].holdCount
      for name in bindings.indices where left > 0 && bindings[name] == .slot(slot) {
        bindings[name] = .gone(id)
        left -= 1
      }
    }
    let removed = registry.remove(id)
    precondition(removed == slot, "\(id) is registered in slot \(removed), not \(slot)")
    objects.vacate(slot)
    freeSlots.append(slot)
    if let index = unpropagated.firstIndex(of: slot) { unpropagated.remove(at: index) }
    assert(!bindings.contains(.slot(slot)), "a name is bound to \(id), which has left")
    assert(!unpropagated.contains(slot), "\(id) has left and is to propagate twice")
  }

  /// Returns a Boolean value that indicates whether the slot has a registered instance.
  func contains(_ slot: Int) -> Bool {
    objects.indices.contains(slot) && registry.slot(of: objects[slot].id) == slot
  }

  /// Decides whether a delivery or the event pool holds an instance. §needed.4 §needed.5
  func isHeldForEvent(_ id: ObjectID) -> Bool {
    autoreleased.contains(id) || deliveries.contains { $0.contains(id) }
  }

  /// Gives an instance its permanent ID, also in deliveries and in the event pool.
  /// §become-permanent.1.3.4.1
  mutating func rename(_ slot: Int, to id: ObjectID) {
    assert(objects[slot].id.isTemporaryID, "\(objects[slot].id) is permanent already")
    assert(!id.isTemporaryID, "\(id) is no permanent ID")
    let old = objects[slot].id
    let removed = registry.remove(old)
    precondition(removed == slot, "slot \(removed) is renamed instead of \(slot)")
    for index in deliveries.indices {
      if let position = deliveries[index].firstIndex(of: old) { deliveries[index][position] = id }
    }
    if let position = autoreleased.firstIndex(of: old) { autoreleased[position] = id }
    written?.rename(old, to: id)
    objects.setID(id, of: slot)
    registry.insert(slot, as: id)
    assert(contains(slot), "slot \(slot) is not registered as \(id)")
  }

  /// Returns the binding of a name. Inlined, because a call on an array element copies the element
  /// and counts each of its references.
  @inline(__always) func binding(of name: ObjectName) -> Binding {
    name.index < bindings.count ? bindings[name.index] : .unbound
  }

  /// Binds a name to an instance. §bind
  mutating func bind(_ name: ObjectName, to slot: Int) {
    unbind(name)
    assert(contains(slot), "a name is bound to slot \(slot), which is not registered")
    if bindings.capacity == 0 { bindings.reserveCapacity(max(16, name.index + 1)) }
    while bindings.count <= name.index { bindings.append(.unbound) }
    bindings[name.index] = .slot(slot)
    objects[slot].holdCount += 1
    assert(binding(of: name) == .slot(slot), "the name is not bound")
  }

  /// Unbinds a name, even from an instance that is gone. §release.2
  mutating func unbind(_ name: ObjectName) {
    if case .slot(let slot) = binding(of: name) {
      assert(
        objects[slot].holdCount > 0, "\(objects[slot].id) is held by more names than it counts")
      objects[slot].holdCount -= 1
      mayCollect = true
    }
    if name.index < bindings.count { bindings[name.index] = .unbound }
  }
}
