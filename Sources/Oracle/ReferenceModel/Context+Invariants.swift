import ObjectModel
import Vocabulary

/// Checks the lists of a context against the flags of its instances. `ReferenceStack+Invariants`
/// checks rules that need the model.
extension Context {
  func checkInvariants(_ broken: inout BrokenRules) {
    instances.checkInvariants("the table of instances", &broken)
    checkBindings(&broken)
    broken.require(
      unpropagatedDeletions.hasNoDuplicates, "a deletion is listed twice to propagate")
    for id in unpropagatedDeletions {
      broken.require(
        instances[id]?.isRemoved == true, "\(id) is to propagate its deletion and is not deleted")
    }
    checkLists(&broken)
    for instance in instances { instance.checkFlags(&broken) }
    if let undoManager { undoManager.checkInvariants(&broken) }
  }

  private func checkBindings(_ broken: inout BrokenRules) {
    var names: [ObjectID: [ObjectName]] = [:]
    for (name, binding) in bindings.enumerated() {
      guard let binding, !binding.isGone else { continue }
      names[binding.id, default: []].append(ObjectName(name))
      broken.require(
        instances.contains(binding.id), "name \(name) is bound to \(binding.id), which has left")
    }
    for instance in instances {
      broken.require(
        instance.names == names[instance.id] ?? [], "\(instance.id) does not know its names")
    }
  }
}

extension Instance {
  /// Checks flags that exclude each other, and the state of faults.
  func checkFlags(_ broken: inout BrokenRules) {
    broken.require(
      [isInserted, isUpdated, isDeleted, isDiscarded].count { $0 } <= 1,
      "\(id) has more than one of inserted, updated, deleted and discarded")
    guard isFault else { return }
    broken.require(values.isEmpty && collections.isEmpty, "\(id) is a fault and shows values")
    broken.require(changed.isEmpty, "\(id) is a fault with changed properties")
    broken.require(unfired.isEmpty, "\(id) is a fault and so are its relationships")
    broken.require(eventStart == nil, "\(id) is a fault that was changed in the running event")
    broken.require(
      !isUpdated && !isRemoved && !isInaccessible, "\(id) is a fault with changes")
  }
}
