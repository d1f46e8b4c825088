import ObjectModel

/// The state that undo restores for one instance.
struct UndoRecord: Hashable, Sendable {
  var id: ObjectID
  var before: Presence

  /// Returns nil if the running event has not changed the state of `instance`. §register-undo.3
  init?(of instance: Instance) {
    guard let before = instance.eventStart, !before.agrees(with: instance.presence) else {
      return nil
    }
    id = instance.id
    self.before = before
  }
}

/// The counterpart of `UndoManager`, in which a context registers one group for each event (UN-06).
struct UndoManager: Hashable, Sendable {
  /// The occasion of the changes of an event.
  enum Activity { case editing, undoing, redoing }

  var activity = Activity.editing
  /// The number of calls that disabled registration and have not been reversed.
  var disableCount: Int
  private var undoGroups: [[UndoRecord]] = []
  private var redoGroups: [[UndoRecord]] = []

  init(disableCount: Int = 0) { self.disableCount = disableCount }

  func checkInvariants(_ broken: inout BrokenRules) {
    broken.require(disableCount >= 0, "undo registration is enabled \(-disableCount) times")
    broken.require(activity == .editing, "an undo manager is left in the middle of undoing")
    for group in undoGroups + redoGroups {
      broken.require(!group.isEmpty, "an undo group is empty")
      broken.require(
        group.map(\.id).hasNoDuplicates, "an undo group has two records of an object")
    }
  }

  /// Registers an undo group of an event. §register-undo
  mutating func register(_ group: [UndoRecord]) {
    if disableCount > 0 || group.isEmpty { return }
    assert(group.map(\.id).isStrictlyAscending, "an undo group is out of order")
    switch activity {
    case .editing:
      undoGroups.append(group)
      redoGroups.removeAll()
    case .undoing: redoGroups.append(group)
    case .redoing: undoGroups.append(group)
    }
  }

  /// Removes and returns the group that is undone or redone next, in ID order. §undo.3, §redo.3,
  /// §restore.1
  mutating func take(for activity: Activity) -> [UndoRecord]? {
    assert(activity != .editing, "editing takes no group back")
    let group = activity == .undoing ? undoGroups.popLast() : redoGroups.popLast()
    // IDs that have become permanent may have another order now.
    return group?.sorted { $0.id < $1.id }
  }

  mutating func removeAllGroups() {
    undoGroups.removeAll()
    redoGroups.removeAll()
  }

  func mentions(_ id: ObjectID) -> Bool {
    undoGroups.contains { $0.contains { $0.id == id } }
      || redoGroups.contains { $0.contains { $0.id == id } }
  }

  mutating func rename(_ old: ObjectID, to new: ObjectID) {
    assert(old.isTemporaryID && !new.isTemporaryID, "\(old) cannot become \(new)")
    changeEach { record in
      if record.id == old { record.id = new }
    }
  }

  mutating func changeEachState(_ change: (EntityID, inout InstanceState) -> Void) {
    changeEach { record in
      guard case .present(var state) = record.before else { return }
      change(record.id.entity, &state)
      record.before = .present(state)
    }
  }

  private mutating func changeEach(_ change: (inout UndoRecord) -> Void) {
    for group in undoGroups.indices {
      for index in undoGroups[group].indices { change(&undoGroups[group][index]) }
    }
    for group in redoGroups.indices {
      for index in redoGroups[group].indices { change(&redoGroups[group][index]) }
    }
  }
}
