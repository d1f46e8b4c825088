import ObjectModel
import Vocabulary

/// The instances of a context that actions search for, in ID order. Actions examine only these
/// lists, regardless of the number of registered instances.
///
/// The lists follow from the instances, and do not count in comparisons of contexts.
struct InstanceLists: Hashable, Sendable {
  /// Instances that are part of the running event.
  var changing: [ObjectID] = []
  /// Instances that concern a save or a rollback.
  var pending: [ObjectID] = []
  /// Instances that neither a name, a change, a watch nor a merge keeps registered.
  var loose: [ObjectID] = []

  static func == (a: InstanceLists, b: InstanceLists) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

extension Context {
  /// Updates the lists with the instances touched since the last update.
  @inline(__always) mutating func updateLists() {
    if instances.listedCount < instances.touched.count { listTouched() }
  }

  private mutating func listTouched() {
    let new = instances.listedCount..<instances.touched.count
    if new.count <= 100 {
      for index in new
      where index == new.lowerBound || instances.touched[index - 1] != instances.touched[index] {
        list(instances.touched[index])
      }
    } else {
      // New lists are faster than that many single insertions and removals.
      var ids = lists.changing + lists.pending + lists.loose + instances.touched
      ids.sort()
      lists = InstanceLists()
      for id in ids { list(id, isNew: true) }
    }
    instances.noteListed()
  }

  /// Updates the lists for an instance. If `isNew` is `true`, no list contains the instance,
  /// regardless of its note.
  @inline(__always) private mutating func list(_ id: ObjectID, isNew: Bool = false) {
    guard let position = instances.position(of: id) else {
      lists.changing.removeInOrder(id)
      lists.pending.removeInOrder(id)
      lists.loose.removeInOrder(id)
      return
    }
    let (isChanging, isPending, isLoose) = (
      instances[position].isPartOfEvent, instances[position].concernsSave,
      !instances[position].isHeld
    )
    // Usually the instance is in the right lists already.
    let note: UInt8 = (isChanging ? 1 : 0) | (isPending ? 2 : 0) | (isLoose ? 4 : 0)
    let known = isNew ? .max : instances.note(at: position)
    let differences = known == .max ? 7 : known ^ note
    if differences == 0 { return }
    instances.note(note, at: position)
    if differences & 1 != 0 { lists.changing.keepInOrder(id, isChanging) }
    if differences & 2 != 0 { lists.pending.keepInOrder(id, isPending) }
    if differences & 4 != 0 { lists.loose.keepInOrder(id, isLoose) }
  }

  func checkLists(_ broken: inout BrokenRules) {
    var updated = self
    updated.updateLists()
    broken.require(
      updated.lists.changing == instances.ids(where: \.isPartOfEvent)
        && updated.lists.pending == instances.ids(where: \.concernsSave)
        && updated.lists.loose == instances.ids { !$0.isHeld },
      "the lists of instances are not those that there are")
  }
}

extension ReferenceStack {
  mutating func changing(in c: ContextID) -> [ObjectID] {
    contexts[c.index].updateLists()
    return contexts[c.index].lists.changing
  }

  mutating func pending(in c: ContextID) -> [ObjectID] {
    contexts[c.index].updateLists()
    return contexts[c.index].lists.pending
  }

  /// Returns the pending instances that meet a condition.
  @inline(__always) mutating func pending(
    in c: ContextID, where isMeant: (borrowing Instance) -> Bool
  ) -> [ObjectID] {
    var found: [ObjectID] = []
    for x in pending(in: c) where isMeant(self[c, x]) { found.note(x) }
    return found
  }
}
