import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Stores` {
  private let first = StoreID(0)
  private let second = StoreID(1)

  private func twoStores(isSecondInMemory: Bool = false, quirks: [Quirk] = []) -> World {
    var other = Stack.Store(name: "b")
    other.isInMemory = isSecondInMemory
    return World(
      parents: [nil, 0], quirks: QuirkSet(quirks), stores: [Stack.Store(name: "a"), other])
  }

  @Test func `stores come and go, with notifications (CS-A4)`() {
    var world = twoStores()
    let coordinator = CoordinatorID(0)
    #expect(world.perform(0, .addStore(first)) == [.nothing])
    #expect(
      world.perform(1, .removeStore(first))
        == [
          .willRemoveStore(coordinator, first),
          .storesDidChange(coordinator, added: [], removed: [first]),
        ])
    #expect(world.perform(0, .removeStore(first)) == [.nothing])
    #expect(
      world.perform(0, .addStore(first))
        == [.storesDidChange(coordinator, added: [first], removed: [])])
    // CS-A2: the store is now the last, so it does not get new objects.
    world.insertSaved(world.owner, world.ann)
    #expect(world.reference.rows(of: second).count == 1)
  }

  @Test func `stores take their rows with them (PS-07)`() {
    var world = twoStores(quirks: [.inaccessibleFaultRaises, .ancestorCacheHidesUpdates])
    world.insertSaved(world.owner, world.ann)
    world.load(world.ann, in: 1)
    world.perform(0, .refresh(world.ann, mergeChanges: false))
    world.perform(0, .removeStore(first))
    let id = world.permanent(world.owner, 1)
    #expect(world.get(0, world.ann, world.age) == .failed(.inaccessible(id)))
    #expect(world.get(1, world.ann, world.age) == .value(.null))
    #expect(world.perform(0, .count(FetchRequest(entity: world.owner))) == [.count(0)])
    world.perform(0, .addStore(first))
    #expect(world.get(0, world.ann, world.age) == .value(.null))
  }

  @Test func `stores in memory lose their rows permanently`() {
    var world = twoStores(isSecondInMemory: true)
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .assign(world.ann, second))
    world.save(0)
    #expect(world.reference.rows(of: second).count == 1)
    world.perform(0, .removeStore(second))
    world.perform(0, .addStore(second))
    #expect(world.reference.rows(of: second).isEmpty)
  }

  @Test func `saves fail if they cannot reach their stores`() {
    var world = twoStores()
    world.insertSaved(world.owner, world.ann)
    let id = world.permanent(world.owner, 1)
    world.set(0, world.ann, world.age, 1)
    world.perform(0, .removeStore(first))
    #expect(world.save(0).failure == .unreachableStore(id))
    world.perform(0, .rollback)
    #expect(world.save(0).last == .saved)
    world.perform(0, .detectConflicts(world.ann))
    world.perform(0, .insert(world.owner, as: world.bob))
    #expect(world.save(0).failure == .unreachableStore(id))
    world.perform(0, .removeStore(second))
    #expect(world.save(0).failure == .noStore(world.owner))
    #expect(
      world.perform(0, .obtainPermanentIDs([world.bob])) == [.failed(.noStore(world.owner))])
  }

  @Test func `stores are chosen by assigning an unsaved object (PS-02, RL-05)`() {
    var world = World(
      parents: [nil, 0],
      stores: [
        Stack.Store(name: "a"), Stack.Store(name: "b"),
        Stack.Store(name: "c", entities: [EntityID(1)]),
      ])
    #expect(world.perform(1, .assign(world.ann, second)) == [.nothing])
    world.perform(1, .insert(world.owner, as: world.ann))
    #expect(
      world.perform(1, .assign(world.ann, StoreID(2))) == [.failed(.noStore(world.owner))])
    #expect(world.perform(1, .assign(world.ann, second)) == [])
    world.save(1, 0)
    #expect(world.reference.rows(of: second).map(\.id.number) == [1])
    // The child's ID is still the temporary one.
    #expect(
      world.perform(1, .assign(world.ann, first))
        == [.failed(.alreadySaved(world.temporary(world.owner, 1)))])
  }

  @Test func `stores keep metadata, which the next save writes (SV-27)`() {
    for isLeft in [false, true] {
      var world = World(parents: [nil], quirks: QuirkSet(isLeft ? [.emptySaveLeavesMetadata] : []))
      #expect(world.perform(0, .setMetadata(first, 7)) == [])
      #expect(world.perform(0, .metadata(first)) == [.count(0)])
      world.save(0)
      #expect(world.perform(0, .metadata(first)) == [.count(isLeft ? 0 : 7)])
      world.insertSaved(world.owner, world.ann)
      #expect(world.perform(0, .metadata(first)) == [.count(7)])
      world.perform(0, .removeStore(first))
      #expect(world.perform(0, .metadata(first)) == [.nothing])
    }
  }

  @Test func `stores are asked to write what differs, under permanent IDs (SV-15, ID-35)`() {
    var world = World(parents: [nil])
    world.insertSaved(world.owner, world.ann)
    world.perform(0, .insert(world.owner, as: world.bob))
    world.perform(0, .set(world.ann, world.age, .null))
    let events = world.save(0)
    #expect(events.saveRequest?.inserted == [world.permanent(world.owner, 2)])
    #expect(events.saveRequest?.updated == [])
    #expect(events.didSave(0)?.updated == [world.permanent(world.owner, 1)])
  }

  @Test func `a staleness interval of 0 reads stores past the row cache (FL-05)`() {
    for isZero in [false, true] {
      var world = World(
        parents: [nil, 0], changeStack: { $0.contexts[0].hasZeroStaleness = isZero })
      world.insertSaved(world.owner, world.ann)
      world.perform(
        0,
        .batch(
          BatchRequest(
            entity: world.owner, kind: .update([PropertyValue(world.age, .integer(9))]))))
      world.perform(0, .refresh(world.ann, mergeChanges: false))
      #expect(world.get(0, world.ann, world.age) == (isZero ? .integer(9) : .value(.null)))
    }
  }
}

@Suite struct `Versions` {
  /// Returns Ann in two roots, of one coordinator or of two. The first has changed her age.
  private func rivals(
    _ policy: MergePolicy, quirks: [Quirk] = [], areSeparate: Bool = false
  ) -> World {
    var world = World(
      parents: [nil, nil], quirks: QuirkSet(quirks), policies: [.error, policy],
      changeStack: { if areSeparate { World.separateCoordinators(&$0) } })
    world.insertSaved(world.owner, world.ann)
    world.load(world.ann, in: 1)
    world.set(0, world.ann, world.age, 5)
    world.save(0)
    return world
  }

  private func conflict(_ world: World) -> Failure.Conflict {
    Failure.Conflict(object: world.permanent(world.owner, 1), oldVersion: 1, newVersion: 2)
  }

  private let old: [Value] = [.null, .null, .integer(0), .null]
  private let new: [Value] = [.null, .integer(5), .integer(0), .null]

  @Test func `versions of the context or of the row cache are stale (MP-04, MP-05)`() {
    for areSeparate in [false, true] {
      var world = rivals(.error, areSeparate: areSeparate)
      world.set(1, world.ann, world.name, 1)
      var conflict = conflict(world)
      conflict.cachedSnapshot = areSeparate ? old : new
      if areSeparate { conflict.persistedSnapshot = new } else { conflict.objectSnapshot = old }
      #expect(world.save(1).failure == .mergeConflicts([conflict]))
    }
  }

  @Test func `a conflict has nothing to show of a row that is gone`() {
    var world = rivals(.error)
    world.perform(0, .delete(world.ann))
    world.save(0)
    world.set(1, world.ann, world.name, 1)
    var conflict = conflict(world)
    conflict.newVersion = 0
    conflict.objectSnapshot = old
    #expect(world.save(1).failure == .mergeConflicts([conflict]))
  }

  @Test func `versions of unchanged objects are checked on demand (MP-06)`() {
    var world = rivals(.error)
    world.perform(1, .detectConflicts(world.ann))
    // A save without changes checks nothing.
    #expect(world.save(1).last == .saved)
    world.perform(1, .insert(world.owner, as: world.bob))
    var conflict = conflict(world)
    conflict.objectSnapshot = old
    conflict.cachedSnapshot = new
    #expect(world.save(1).failure == .mergeConflicts([conflict]))
    world.perform(1, .refresh(world.ann, mergeChanges: false))
    _ = world.get(1, world.ann, world.age)
    #expect(world.save(1).last == .saved)
    // The check ends with the save.
    world.set(0, world.ann, world.age, 6)
    world.save(0)
    world.set(1, world.bob, world.age, 1)
    #expect(world.save(1).last == .saved)
  }

  @Test(arguments: [MergePolicy.overwrite, .mergeByPropertyObjectTrump, .rollback])
  func `a check refreshes a watched object under any policy (MP-06, LC-07)`(policy: MergePolicy) {
    var world = rivals(policy)
    world.perform(1, .detectConflicts(world.ann))
    world.perform(1, .release(world.ann))
    world.perform(1, .insert(world.owner, as: world.bob))
    let events = world.save(1)
    let id = world.permanent(world.owner, 1)
    #expect(events.contains(.awakeFromSnapshot(ContextID(1), id, .mergePolicy)))
    #expect(events.didSave(1)?.updated == [])
    #expect(world.perform(1, .fetch(FetchRequest(entity: world.owner))).count == 1)
  }

  @Test func `objects that a policy settles are awakened, others are not (LC-07)`() {
    for policy in MergePolicy.allCases where policy != .error {
      var world = rivals(policy)
      world.set(1, world.ann, world.name, 1)
      let isAwakened = world.save(1).contains(
        .awakeFromSnapshot(ContextID(1), world.permanent(world.owner, 1), .mergePolicy))
      #expect(isAwakened == (policy != .overwrite))
    }
  }

  @Test func `a quirk makes updates count for nothing against a deletion (X-06)`() {
    for quirks in [[], [Quirk.deletionOverrulesUpdate]] {
      var world = rivals(.rollback, quirks: quirks)
      world.perform(1, .delete(world.ann))
      world.save(1)
      #expect(world.rows.isEmpty == !quirks.isEmpty)
    }
  }

  @Test func `a quirk makes object-trump bring back a deleted row (X-06)`() {
    for quirks in [[], [Quirk.objectTrumpRecreatesDeletedRow]] {
      var world = rivals(.mergeByPropertyObjectTrump, quirks: quirks)
      world.perform(0, .delete(world.ann))
      world.save(0)
      world.set(1, world.ann, world.name, 1)
      world.save(1)
      #expect(world.rows.map(\.version) == (quirks.isEmpty ? [] : [2]))
    }
  }
}
