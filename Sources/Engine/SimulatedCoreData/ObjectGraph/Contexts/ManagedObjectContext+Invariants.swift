import ObjectModel
import Vocabulary

/// Checks the lists of a context against the flags of its instances. `ObjectGraph+Invariants`
/// contains the checks that need the model.
extension ManagedObjectContext {
  func checkInvariants(_ broken: inout BrokenRules) {
    objects.checkInvariants(&broken)
    checkSlots(&broken)
    checkBindings(&broken)
    checkUnpropagated(&broken)
    for slot in registered {
      objects[slot].checkFlags(&broken)
      checkEventStart(of: slot, &broken)
    }
    broken.require(
      hasReports || eventStarts.isEmpty, "context \(id.index) has event starts and no event")
    if let undoManager { undoManager.checkInvariants(&broken) }
  }

  private var registered: [Int] { objects.indices.filter { !objects.isFree($0) } }

  /// Requires every slot to be either registered or free.
  private func checkSlots(_ broken: inout BrokenRules) {
    for slot in registered {
      broken.require(
        registry.slot(of: objects[slot].id) == slot,
        "slot \(slot) holds \(objects[slot].id), which is registered elsewhere or nowhere")
    }
    broken.require(
      registry.count == registered.count,
      "\(registry.count) IDs are registered for \(registered.count) instances")
    let free = Set(freeSlots)
    broken.require(free.count == freeSlots.count, "a slot is listed twice as free")
    broken.require(
      free == Set(objects.indices.filter(objects.isFree)),
      "the free slots are not those that are listed")
    for slot in freeSlots where objects.indices.contains(slot) {
      broken.require(
        objects[slot].holdCount == 0 && objects[slot].flags == .fault,
        "free slot \(slot) has an instance")
    }
  }

  private func checkBindings(_ broken: inout BrokenRules) {
    var holdCounts = Array(repeating: 0, count: objects.count)
    for (name, binding) in bindings.enumerated() {
      guard case .slot(let slot) = binding else { continue }
      guard holdCounts.indices.contains(slot), contains(slot) else {
        broken.require(false, "name \(name) is bound to slot \(slot), which is not registered")
        continue
      }
      holdCounts[slot] += 1
    }
    for slot in registered where holdCounts.indices.contains(slot) {
      broken.require(
        objects[slot].holdCount == holdCounts[slot],
        "\(objects[slot].id) counts \(objects[slot].holdCount) of \(holdCounts[slot]) names")
    }
  }

  private func checkUnpropagated(_ broken: inout BrokenRules) {
    broken.require(
      Set(unpropagated).count == unpropagated.count, "a deletion is listed twice to propagate")
    for slot in unpropagated {
      broken.require(contains(slot), "slot \(slot) is to propagate and is not registered")
    }
  }

  private func checkEventStart(of slot: Int, _ broken: inout BrokenRules) {
    let object = objects[slot].id
    switch objects[slot].eventStart {
    case .none: break
    case .absent:
      broken.require(hasReports, "\(object) was absent at the start of an event that is over")
    case .at(let index):
      broken.require(hasReports, "\(object) has a state of an event that is over")
      broken.require(
        eventStarts.indices.contains(index), "\(object) has no state at the start of the event")
    }
  }
}

extension ManagedObject {
  /// Checks that the instance has no contradictory flags, and that a fault has no values or
  /// changes.
  func checkFlags(_ broken: inout BrokenRules) {
    let states: [Flags] = [.inserted, .updated, .deleted, .discarded]
    broken.require(
      states.count { flags.contains($0) } <= 1,
      "\(id) has more than one of inserted, updated, deleted and discarded")
    broken.require(holdCount >= 0, "\(id) is held \(holdCount) times")
    broken.require(version >= 0, "\(id) has version \(version)")
    guard isFault else { return }
    broken.require(
      current == Snapshot() && base == Snapshot(), "\(id) is a fault and shows values")
    broken.require(changed.isEmpty, "\(id) is a fault with changed properties")
    broken.require(unfired.isEmpty, "\(id) is a fault and so are its relationships")
    broken.require(version == 0, "\(id) is a fault of version \(version)")
    broken.require(eventStart == .none, "\(id) is a fault that was changed in the running event")
    broken.require(
      flags.isDisjoint(with: [.updated, .deleted, .discarded, .inaccessible]),
      "\(id) is a fault with changes")
  }
}

extension UndoManager {
  func checkInvariants(_ broken: inout BrokenRules) {
    broken.require(disableCount >= 0, "undo registration is enabled \(-disableCount) times")
    for group in undoStack + redoStack {
      broken.require(!group.isEmpty, "an undo group is empty")
    }
  }
}
