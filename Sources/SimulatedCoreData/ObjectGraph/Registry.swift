import ObjectModel

/// Which instances a context has registered: the slot of each, by its ID. Follows from the slots.
///
/// A separate value, because a call on an element of an array copies that: a context has many
/// references to count, a registry one.
struct Registry: Hashable {
  /// By number of a temporary ID first, then by store and key, each from 1; -1 for none.
  private var slots: [[Int]] = []
  private(set) var count = 0

  /// The slot of the instance with exactly this ID.
  @inline(__always) func slot(of id: ObjectID) -> Int? {
    let table = Registry.table(of: id)
    guard table < slots.count, id.number <= slots[table].count else { return nil }
    let slot = slots[table][id.number - 1]
    return slot < 0 ? nil : slot
  }

  @inline(__always) private static func table(of id: ObjectID) -> Int {
    id.store.map { $0.index + 1 } ?? 0
  }

  /// Nothing may be registered under the ID yet.
  mutating func insert(_ slot: Int, as id: ObjectID) {
    precondition(self.slot(of: id) == nil, "\(id) is registered twice")
    assert(slot >= 0, "\(id) has no slot")
    let table = Registry.table(of: id)
    if slots.isEmpty { slots.reserveCapacity(max(2, table + 1)) }
    while slots.count <= table { slots.append([]) }
    if slots[table].isEmpty { slots[table].reserveCapacity(max(8, id.number)) }
    while slots[table].count < id.number { slots[table].append(-1) }
    slots[table][id.number - 1] = slot
    count += 1
  }

  /// Something must be registered under the ID. Answers its slot.
  @discardableResult
  mutating func remove(_ id: ObjectID) -> Int {
    guard let slot = slot(of: id) else { preconditionFailure("\(id) is not registered") }
    slots[Registry.table(of: id)][id.number - 1] = -1
    count -= 1
    return slot
  }

  /// Has none, and the room of another's lists.
  mutating func takeRoom(of other: inout Registry) {
    assert(count == 0, "a registry that is in use takes the room of another")
    slots = []
    swap(&slots, &other.slots)
    for table in slots.indices { slots[table].removeAll(keepingCapacity: true) }
  }

  static func == (a: Registry, b: Registry) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
