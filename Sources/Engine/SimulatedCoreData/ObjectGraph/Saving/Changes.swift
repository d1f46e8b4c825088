import ObjectModel
import Vocabulary

/// The changes of a commit: insertions, then updates, then deletions, each by ID.
struct Changes {
  enum Kind: Int { case inserted, updated, deleted }

  struct Change {
    let slot: Int
    /// The kind of the change, or `nil` once the change is dropped.
    var kind: Kind?
    /// A Boolean value that indicates whether a merge policy has decided about the change.
    var isResolved = false
    /// A Boolean value that indicates whether the parent already has the insertion from an earlier
    /// save.
    var isKnownAbove = false
    /// A Boolean value that indicates whether a root context writes the change to a row.
    var isWritten = false
    /// A Boolean value that indicates whether a root context makes a new row for the change.
    var isNew = true
    /// A Boolean value that indicates whether the object exists after the save.
    var isKept: Bool { kind == .inserted || kind == .updated }
  }

  private(set) var all: [Change] = []
  /// The row before each change, by index of the change. Empty if no change replaces a row.
  /// Separate from `all`, so that reading a change counts no references.
  private var replaced: [Row?] = []

  init(expecting count: Int = 0) { if count > 0 { all.reserveCapacity(count) } }

  var isEmpty: Bool { !all.contains { $0.kind != nil } }
  var indices: Range<Int> { all.indices }

  subscript(index: Int) -> Change {
    _read { yield all[index] }
    _modify { yield &all[index] }
  }

  mutating func append(_ slot: Int, _ kind: Kind) {
    assert(replaced.isEmpty, "a change is added after rows were noted")
    all.append(Change(slot: slot, kind: kind))
  }

  func replacedRow(at index: Int) -> Row? { replaced.isEmpty ? nil : replaced[index] }

  mutating func setReplacedRow(_ row: Row?, at index: Int) {
    guard let row else { return }
    if replaced.isEmpty { replaced = Array(repeating: nil, count: all.count) }
    replaced[index] = row
    all[index].isNew = false
  }

  /// Sorts the changes by kind. Call this after all changes were added by ID. That order remains
  /// within a kind.
  mutating func sortByKind() {
    assert(replaced.isEmpty, "changes are moved after their rows were noted")
    all.sort { ($0.kind?.rawValue ?? 0) < ($1.kind?.rawValue ?? 0) }
  }

  /// Returns the index of the change of the instance in a slot.
  func index(of slot: Int) -> Int? { all.firstIndex { $0.slot == slot && $0.kind != nil } }
}

extension ChangeSets {
  /// Replaces the ID of an object that has become permanent. §become-permanent.1.3.4.1
  mutating func rename(_ old: ObjectID, to new: ObjectID) {
    for sets in [\ChangeSets.inserted, \.updated, \.deleted] {
      guard let place = self[keyPath: sets].firstIndex(of: old) else { continue }
      self[keyPath: sets][place] = new
      self[keyPath: sets].sort()
    }
  }
}
