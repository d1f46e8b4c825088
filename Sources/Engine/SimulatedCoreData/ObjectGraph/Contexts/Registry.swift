import ObjectModel

/// The slot of each registered instance of a context, by ID. A registry follows from the slots.
///
/// A separate value, because a call on an array element copies the element. A context has many
/// references to count, and a registry only one.
struct Registry: Hashable {
  /// The slots, or -1 for unregistered IDs. The first list is indexed by the numbers of temporary
  /// IDs, and each following list by the keys of a store. Numbers and keys count from 1.
  private var slots: [[Int]] = []
  private(set) var count = 0

  /// Returns the slot of the instance with exactly this ID.
  @inline(__always) func slot(of id: ObjectID) -> Int? {
    let table = Registry.table(of: id)
    guard table < slots.count, id.number <= slots[table].count else { return nil }
    let slot = slots[table][id.number - 1]
    return slot < 0 ? nil : slot
  }

  @inline(__always) private static func table(of id: ObjectID) -> Int {
    id.store.map { $0.index + 1 } ?? 0
  }

  /// Registers a slot. The ID must not be registered yet.
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

  /// Removes an ID and returns its slot. The ID must be registered.
  @discardableResult
  mutating func remove(_ id: ObjectID) -> Int {
    guard let slot = slot(of: id) else { preconditionFailure("\(id) is not registered") }
    slots[Registry.table(of: id)][id.number - 1] = -1
    count -= 1
    return slot
  }

  /// Takes the memory of another registry's lists, without their contents.
  mutating func takeStorage(of other: inout Registry) {
    assert(count == 0, "a registry that is in use takes the storage of another")
    slots = []
    swap(&slots, &other.slots)
    for table in slots.indices { slots[table].removeAll(keepingCapacity: true) }
  }

  static func == (a: Registry, b: Registry) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
