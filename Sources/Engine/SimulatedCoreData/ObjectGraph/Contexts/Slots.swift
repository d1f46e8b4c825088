import ObjectModel

/// The instances of a context by slot, and lists of the instances that an action may have to
/// examine. With the lists, the cost of an action does not depend on the number of registered
/// instances.
///
/// Every change of an instance goes through the subscript, which keeps the lists up to date.
///
/// Two operations examine all instances: a rename, if the model has relationships, and a change of
/// a relationship, if nothing is left to fire.
struct Slots: Hashable {
  private struct Entry: Hashable {
    var object: ManagedObject
    /// The standing of the instance, or `nil` for a free slot.
    var standing: ManagedObject.Standing?
    /// The positions of the slot in the lists, if the lists contain the slot.
    var unsettledPlace = 0
    var unheldPlace = 0
    /// The number of the action that changed the instance last.
    var lastChange = 0

    // The other properties follow from the instance, or are not part of a context's state.

    static func == (a: Entry, b: Entry) -> Bool { a.object == b.object }

    func hash(into hasher: inout Hasher) { hasher.combine(object) }
  }

  private var entries: [Entry] = []
  /// The slots of instances that are part of the running event or of the next save, in any order.
  var unsettled: [Int] = []
  /// The slots of instances that neither a name nor a change holds, in any order.
  var unheld: [Int] = []
  /// The number of inserted, updated and deleted instances.
  private(set) var changedCount = 0
  /// The number of instances that are faults or have unfired relationships.
  private(set) var unfiredCount = 0
  /// The IDs of all instances changed since this list was emptied, including both IDs of a renamed
  /// instance. An ID may occur twice.
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

  /// Returns the most frequently needed properties of an instance, or `nil` for a free slot.
  /// Inlined, because a call would copy the instance.
  @inline(__always) func glance(
    at slot: Int
  ) -> (id: ObjectID, flags: ManagedObject.Flags, version: Int)? {
    guard case .some = entries[slot].standing else { return nil }
    return (
      entries[slot].object.id, entries[slot].object.flags, entries[slot].object.version
    )
  }

  /// Puts an instance into a free slot or into a new slot.
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

  /// Reserves memory for several instances. Lists that grow one by one would allocate memory four
  /// times.
  private mutating func reserve() {
    entries.reserveCapacity(8)
    unsettled.reserveCapacity(8)
    unheld.reserveCapacity(8)
    touched.reserveCapacity(8)
  }

  /// Frees a slot. Only the ID of its instance remains there.
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

  /// Takes the memory of other lists, without their contents.
  mutating func takeStorage(of other: inout Slots) {
    entries.takeStorage(of: &other.entries)
    unsettled.takeStorage(of: &other.unsettled)
    unheld.takeStorage(of: &other.unheld)
    touched.takeStorage(of: &other.touched)
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

  /// Updates the lists and counts for the new standing of a slot.
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

  // `touched` serves comparisons with the reference model and is not part of a context's state.

  static func == (a: Slots, b: Slots) -> Bool { a.entries == b.entries }

  func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}

extension [Int] {
  /// Removes the element at a place by moving the last element there. Returns the place, or `nil`
  /// if the last element was removed.
  fileprivate mutating func removeByLast(at place: Int) -> Int? {
    let last = removeLast()
    if place == count { return nil }
    self[place] = last
    return place
  }
}

extension ManagedObject {
  /// The properties of an instance that decide in which lists of a context it is.
  struct Standing: OptionSet, Hashable {
    let rawValue: UInt8
    /// The instance is part of the running event or of the next save.
    static let unsettled = Standing(rawValue: 1 << 0)
    /// Neither a name nor a change holds the instance.
    static let unheld = Standing(rawValue: 1 << 1)
    /// The instance is inserted, updated or deleted.
    static let changed = Standing(rawValue: 1 << 2)
    /// The instance is a fault, or one of its relationships is unfired.
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
