import ObjectModel

/// The instances of a context, by slot, and lists of those that an action may have to look at: what
/// it costs depends on them, and not on how many instances are registered.
///
/// Every change of an instance goes through the subscript, which keeps the lists right.
///
/// A rename looks at all instances, if the model has relationships, and so does a change of a
/// relationship where nothing is left to fire.
struct Slots: Hashable {
  private struct Entry: Hashable {
    var object: ManagedObject
    /// Nil for a slot that is free.
    var standing: ManagedObject.Standing?
    /// Its places in the lists, while it is there.
    var unsettledPlace = 0
    var unheldPlace = 0
    /// The number of the action that changed the instance last.
    var lastChange = 0

    // The rest follows from the instance, or is no part of a context's state.

    static func == (a: Entry, b: Entry) -> Bool { a.object == b.object }

    func hash(into hasher: inout Hasher) { hasher.combine(object) }
  }

  private var entries: [Entry] = []
  /// Those that are part of the running event or of the next save, in no order.
  var unsettled: [Int] = []
  /// Those that neither a name nor a change holds, in no order.
  var unheld: [Int] = []
  /// How many are inserted, updated or deleted.
  private(set) var changedCount = 0
  /// How many are faults, or have relationships that are.
  private(set) var unfiredCount = 0
  /// The IDs of all instances that were written to since this was emptied, a former and a present
  /// one of an instance that was renamed; may have one twice.
  private(set) var touched: [ObjectID] = []
  private var actionNumber = 1

  var count: Int { entries.count }
  var indices: Range<Int> { entries.indices }

  subscript(slot: Int) -> ManagedObject {
    _read { yield entries[slot].object }
    _modify {
      if entries[slot].lastChange != actionNumber { touch(slot) }
      yield &entries[slot].object
      if let old = entries[slot].standing, old != entries[slot].object.standing {
        list(slot, as: entries[slot].object.standing)
      }
    }
  }

  func isFree(_ slot: Int) -> Bool { entries[slot].standing == nil }

  /// What is most often asked of each instance, at one look; nil for a slot that is free. Inlined:
  /// a call copies what it looks at.
  @inline(__always) func glance(
    at slot: Int
  ) -> (id: ObjectID, flags: ManagedObject.Flags, version: Int)? {
    guard case .some = entries[slot].standing else { return nil }
    return (
      entries[slot].object.id, entries[slot].object.flags, entries[slot].object.version
    )
  }

  /// Puts an instance into a free slot, which may be a new one.
  mutating func put(_ object: consuming ManagedObject, at slot: Int) {
    if slot == entries.count {
      if entries.capacity == 0 { reserve() }
      entries.append(Entry(object: object))
    } else {
      assert(isFree(slot), "slot \(slot) has an instance")
      entries[slot].object = object
    }
    touch(slot)
    list(slot, as: entries[slot].object.standing)
  }

  /// Most contexts come to have some, and lists that grow one by one are made four times before.
  private mutating func reserve() {
    entries.reserveCapacity(8)
    unsettled.reserveCapacity(8)
    unheld.reserveCapacity(8)
    touched.reserveCapacity(8)
  }

  /// Frees a slot; only the ID of its instance stays there.
  mutating func vacate(_ slot: Int) {
    if entries[slot].lastChange != actionNumber { touch(slot) }
    list(slot, as: nil)
    entries[slot].object = .fault(entries[slot].object.id)
  }

  mutating func setID(_ id: ObjectID, of slot: Int) {
    assert(entries[slot].object.id.entity == id.entity, "\(id) is of another entity")
    if entries[slot].lastChange != actionNumber { touch(slot) }
    entries[slot].object.id = id
    touch(slot)
  }

  mutating func forgetTouched() {
    touched.removeFew()
    actionNumber += 1
  }

  /// Has none, and the room of another's lists.
  mutating func takeRoom(of other: inout Slots) {
    entries.takeRoom(of: &other.entries)
    unsettled.takeRoom(of: &other.unsettled)
    unheld.takeRoom(of: &other.unheld)
    touched.takeRoom(of: &other.touched)
  }

  func checkInvariants(_ broken: inout BrokenRules) {
    var (changed, unfired) = (0, 0)
    broken.require(Set(unsettled).count == unsettled.count, "a slot is unsettled twice")
    broken.require(Set(unheld).count == unheld.count, "a slot is unheld twice")
    for slot in indices {
      let object = entries[slot].object
      let standing = isFree(slot) ? [] : object.standing
      broken.require(
        (entries[slot].standing ?? []) == standing, "\(object.id) is not listed as what it is")
      broken.require(
        unsettled.contains(slot) == standing.contains(.unsettled),
        "slot \(slot) is wrongly listed, or not, as unsettled")
      broken.require(
        unheld.contains(slot) == standing.contains(.unheld),
        "slot \(slot) is wrongly listed, or not, as unheld")
      if standing.contains(.changed) { changed += 1 }
      if standing.contains(.unfired) { unfired += 1 }
    }
    broken.require(
      changedCount == changed, "\(changedCount) instances count as changed and \(changed) are")
    broken.require(
      unfiredCount == unfired, "\(unfiredCount) instances count as unfired and \(unfired) are")
  }

  private mutating func touch(_ slot: Int) {
    touched.append(entries[slot].object.id)
    entries[slot].lastChange = actionNumber
  }

  /// Enters a slot in the lists and numbers that belong to its new standing, and takes it out of
  /// the others.
  private mutating func list(_ slot: Int, as standing: ManagedObject.Standing?) {
    let old = entries[slot].standing ?? []
    let new = standing ?? []
    entries[slot].standing = standing
    let changes = old.symmetricDifference(new)
    if changes.contains(.unsettled) { listUnsettled(slot, new.contains(.unsettled)) }
    if changes.contains(.unheld) { listUnheld(slot, new.contains(.unheld)) }
    if changes.contains(.changed) { changedCount += new.contains(.changed) ? 1 : -1 }
    if changes.contains(.unfired) { unfiredCount += new.contains(.unfired) ? 1 : -1 }
  }

  private mutating func listUnsettled(_ slot: Int, _ isListed: Bool) {
    if isListed {
      entries[slot].unsettledPlace = unsettled.count
      unsettled.append(slot)
    } else if let place = unsettled.removeByLast(at: entries[slot].unsettledPlace) {
      entries[unsettled[place]].unsettledPlace = place
    }
  }

  private mutating func listUnheld(_ slot: Int, _ isListed: Bool) {
    if isListed {
      entries[slot].unheldPlace = unheld.count
      unheld.append(slot)
    } else if let place = unheld.removeByLast(at: entries[slot].unheldPlace) {
      entries[unheld[place]].unheldPlace = place
    }
  }

  // `touched` is for comparisons with the reference model, and no part of a context's state.

  static func == (a: Slots, b: Slots) -> Bool { a.entries == b.entries }

  func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}

extension [Int] {
  /// Removes what is at a place by moving the last one there; the place, if something has it now.
  fileprivate mutating func removeByLast(at place: Int) -> Int? {
    let last = removeLast()
    if place == count { return nil }
    self[place] = last
    return place
  }
}

extension ManagedObject {
  /// What a context has to know of an instance without a look at it.
  struct Standing: OptionSet, Hashable {
    let rawValue: UInt8
    /// Part of the running event or of the next save.
    static let unsettled = Standing(rawValue: 1 << 0)
    /// Neither a name nor a change holds it.
    static let unheld = Standing(rawValue: 1 << 1)
    /// Inserted, updated or deleted.
    static let changed = Standing(rawValue: 1 << 2)
    /// A fault, or one of its relationships is.
    static let unfired = Standing(rawValue: 1 << 3)
  }

  var standing: Standing {
    var standing: Standing = []
    if !flags.isDisjoint(with: [.changes, .watched, .reports]) || hasEventStart {
      standing.insert(.unsettled)
    }
    if holdCount == 0, flags.isDisjoint(with: [.changes, .watched, .kept]) {
      standing.insert(.unheld)
    }
    if !flags.isDisjoint(with: [.inserted, .updated, .deleted]) { standing.insert(.changed) }
    if flags.contains(.fault) || !unfired.isEmpty { standing.insert(.unfired) }
    return standing
  }
}
