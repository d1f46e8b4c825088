import ObjectModel
import Vocabulary

/// What a commit is about: first what is inserted, then what is updated, then what is deleted, each
/// by ID.
struct Changes {
  enum Kind: Int { case inserted, updated, deleted }

  struct Change {
    let slot: Int
    /// Nil once it is given up.
    var kind: Kind?
    /// A merge policy has decided on it.
    var isResolved = false
    /// The parent has an insertion already, which was handed over before.
    var isKnownAbove = false
    /// A root writes it into a row.
    var isWritten = false
    /// A root makes a row for it.
    var isNew = true
    /// Whether the object will be there after the save.
    var isKept: Bool { kind == .inserted || kind == .updated }
  }

  private(set) var all: [Change] = []
  /// By change, unless none has any: the row as it was before. Apart, so that to look at a change
  /// is to count nothing.
  private var replaced: [Row?] = []

  init(expecting count: Int = 0) { if count > 0 { all.reserveCapacity(count) } }

  var isEmpty: Bool { !all.contains { $0.kind != nil } }
  /// Where the changes are.
  var indices: Range<Int> { all.indices }

  subscript(index: Int) -> Change {
    _read { yield all[index] }
    _modify { yield &all[index] }
  }

  mutating func append(_ slot: Int, _ kind: Kind) {
    assert(replaced.isEmpty, "a change is added after rows were noted")
    all.append(Change(slot: slot, kind: kind))
  }

  /// The row that the change at `index` is written over.
  func replacedRow(at index: Int) -> Row? { replaced.isEmpty ? nil : replaced[index] }

  mutating func setReplacedRow(_ row: Row?, at index: Int) {
    guard let row else { return }
    if replaced.isEmpty { replaced = Array(repeating: nil, count: all.count) }
    replaced[index] = row
    all[index].isNew = false
  }

  /// To be called when all are there, by ID; keeps that order within a kind.
  mutating func sortByKind() {
    assert(replaced.isEmpty, "changes are moved after their rows were noted")
    all.sort { ($0.kind?.rawValue ?? 0) < ($1.kind?.rawValue ?? 0) }
  }

  /// Where the change of the instance in a slot is.
  func index(of slot: Int) -> Int? { all.firstIndex { $0.slot == slot && $0.kind != nil } }
}

extension ChangeSets {
  /// Lists an object that has become permanent by its new ID. §become-permanent.1.3.4.1
  mutating func rename(_ old: ObjectID, to new: ObjectID) {
    for sets in [\ChangeSets.inserted, \.updated, \.deleted] {
      guard let place = self[keyPath: sets].firstIndex(of: old) else { continue }
      self[keyPath: sets][place] = new
      self[keyPath: sets].sort()
    }
  }
}
