import ObjectModel
import Vocabulary

/// Counterpart of `NSManagedObjectContext`: the instances that one context knows.
///
/// Instances sit in numbered slots and stay there until they leave; `order` lists the slots by ID.
struct ManagedObjectContext: Hashable {
  /// What a program's name stands for in this context.
  enum Binding: Hashable {
    case unbound
    case slot(Int)
    /// An instance that has left the context: only its ID can still be read.
    case gone(ObjectID)
  }

  let id: ContextID
  let parent: ContextID?
  let coordinator: CoordinatorID
  let mergePolicy: MergePolicy
  let children: [ContextID]
  let retainsRegisteredObjects: Bool
  let propagatesDeletesAtEndOfEvent: Bool
  let shouldDeleteInaccessibleFaults: Bool
  var isRoot: Bool { parent == nil }

  var objects = Slots()
  private var freeSlots: [Int] = []
  /// IDs of the registered instances, sorted, and beside each its slot.
  private(set) var ids: [ObjectID] = []
  private(set) var order: [Int] = []

  var bindings: [Binding] = []
  /// Slots of deleted instances whose deletion has not propagated yet, in the order of deletion.
  var unpropagated: [Int] = []
  /// Whether some instance is part of the running event.
  var hasReports = false
  /// What instances were before the running event changed them; each says where its own is.
  var eventStarts: [ManagedObject.State] = []
  /// Nil by default (UN-01).
  var undoManager: UndoManager?
  /// Whether something happened after which an instance may have to leave.
  var mayCollect = false
  /// What the commit of the running save wrote, until its finish reports it.
  var committed = ChangeSets()
  /// The first DidSave or batch result that this context has not merged from history.
  var historyToken = 0

  init(_ id: ContextID, in stack: Stack) {
    self.id = id
    parent = stack.parent(of: id)
    coordinator = stack.coordinator(of: id)
    mergePolicy = stack[id].mergePolicy
    children = stack.children(of: id)
    retainsRegisteredObjects = stack[id].retainsRegisteredObjects
    propagatesDeletesAtEndOfEvent = stack[id].propagatesDeletesAtEndOfEvent
    shouldDeleteInaccessibleFaults = stack[id].shouldDeleteInaccessibleFaults
    undoManager = stack[id].hasUndoManager ? UndoManager() : nil
  }

  /// The slot of the instance with exactly this ID. O(log n).
  ///
  /// Inlined, as `binding(of:)` is: a call on an element of an array copies it whole, with a count for each of
  /// its references.
  @inline(__always) func slot(of id: ObjectID) -> Int? {
    let position = position(of: id)
    return position < ids.count && ids[position] == id ? order[position] : nil
  }

  /// The position of `id` in `ids`, or where it would be.
  @inline(__always) private func position(of id: ObjectID) -> Int {
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func register(_ object: ManagedObject) -> Int {
    let slot = freeSlots.popLast() ?? objects.count
    objects.put(object, at: slot)
    let position = position(of: object.id)
    precondition(
      position == ids.count || ids[position] != object.id, "\(object.id) is registered twice")
    ids.insert(object.id, at: position)
    order.insert(slot, at: position)
    mayCollect = true
    return slot
  }

  /// Takes the instance out of the registry; names that hold it keep its ID.
  mutating func unregister(_ slot: Int) {
    let id = objects[slot].id
    if objects[slot].holdCount > 0 {
      for name in bindings.indices where bindings[name] == .slot(slot) {
        bindings[name] = .gone(id)
      }
    }
    let position = position(of: id)
    ids.remove(at: position)
    order.remove(at: position)
    objects[slot] = .fault(id)
    freeSlots.append(slot)
    if let index = unpropagated.firstIndex(of: slot) { unpropagated.remove(at: index) }
  }

  mutating func rename(_ slot: Int, to id: ObjectID) {
    let old = position(of: objects[slot].id)
    ids.remove(at: old)
    order.remove(at: old)
    objects.setID(id, of: slot)
    let new = position(of: id)
    ids.insert(id, at: new)
    order.insert(slot, at: new)
  }

  @inline(__always) func binding(of name: ObjectName) -> Binding {
    name.index < bindings.count ? bindings[name.index] : .unbound
  }

  mutating func bind(_ name: ObjectName, to slot: Int) {
    unbind(name)
    while bindings.count <= name.index { bindings.append(.unbound) }
    bindings[name.index] = .slot(slot)
    objects[slot].holdCount += 1
  }

  mutating func unbind(_ name: ObjectName) {
    if case .slot(let slot) = binding(of: name) {
      objects[slot].holdCount -= 1
      mayCollect = true
    }
    if name.index < bindings.count { bindings[name.index] = .unbound }
  }
}
