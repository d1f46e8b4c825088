import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `A child that edits objects whose rows are gone` {
  private let cat = ObjectID.permanent(EntityID(1), key: 1, in: StoreID(0))
  private let dog = ObjectID.permanent(EntityID(1), key: 2, in: StoreID(0))

  /// Returns a saved cat and a saved dog, loaded in a child.
  private func world(_ quirks: QuirkSet) -> World {
    var world = World(parents: [nil, 0], quirks: quirks)
    world.insertSaved(world.pet, world.cat)
    world.insertSaved(world.pet, world.dog)
    for name in [world.cat, world.dog] { world.load(name, in: 1) }
    return world
  }

  @Test func `a child cannot save where inaccessible faults raise (X-13)`() {
    var world = world(Profile.legacy.quirks)
    world.perform(1, .insert(world.owner, as: world.ann))
    world.set(1, world.cat, world.title, 1)
    world.set(1, world.dog, world.title, 2)
    world.perform(0, .refresh(world.cat, mergeChanges: false))
    world.perform(0, .delete(world.dog))
    let before = world.view(1)
    let events = world.save(1)
    #expect(events.failure == .inaccessible(dog))
    #expect(events.received(0) == [])
    // Earlier objects were fired before the save failed.
    #expect(events.hooks(.awakeFromFetch, 0) == [cat])
    #expect(world.view(1) == before)
    world.perform(0, .rollback)
    #expect(world.save(1).last == .saved)
    #expect(world.get(0, world.dog, world.title) == .integer(2))
  }

  @Test func `a save fails for the first of several objects whose rows are gone`() {
    var world = world(Profile.legacy.quirks)
    for name in [world.dog, world.cat] {
      world.set(1, name, world.title, 1)
      world.perform(0, .delete(name))
    }
    world.perform(1, .insert(world.owner, as: world.ann))
    world.save(0)
    #expect(world.save(1).failure == .inaccessible(cat))
    #expect(world.view(0).map(\.isFault) == [true])
  }

  @Test func `a save succeeds with deletions, or if it hands nothing over (X-13)`() {
    var world = world(Profile.legacy.quirks)
    world.perform(1, .set(world.cat, world.title, .null))
    world.perform(1, .delete(world.dog))
    for name in [world.cat, world.dog] { world.perform(0, .delete(name)) }
    #expect(world.save(1).last == .saved)
  }

  @Test func `a child saves the edit where inaccessible faults do not raise`() {
    var world = world(Profile.current.quirks)
    world.set(1, world.cat, world.title, 1)
    world.set(1, world.dog, world.title, 2)
    world.perform(0, .delete(world.cat))
    let events = world.save(1)
    #expect(events.last == .saved)
    #expect(events.received(0) == [[Received(world.title, .integer(2))]])
  }

  @Test func `a save fails for a missing row before a conflict is settled (SV-18)`() {
    var world = World(
      parents: [nil, 0], quirks: QuirkSet([.inaccessibleFaultRaises]),
      policies: [.error, .mergeByPropertyStoreTrump])
    world.insertSaved(world.owner, world.ann)
    world.insertSaved(world.owner, world.bob)
    for name in [world.ann, world.bob] { world.load(name, in: 1) }
    world.set(0, world.ann, world.age, 1)
    world.set(1, world.ann, world.age, 2)
    // SV-09: transient values do not conflict.
    world.set(1, world.bob, world.scratch, 3)
    world.perform(0, .delete(world.bob))
    #expect(world.save(1).failure == .inaccessible(world.permanent(world.owner, 2)))
    #expect(world.get(1, world.ann, world.age) == .integer(2))
  }
}

@Suite struct `Child saves that check versions` {
  private static let quirks = QuirkSet(Profile.current.quirks.quirks + [.childSaveChecksVersion])
  private let ann = ObjectID.permanent(EntityID(0), key: 1, in: StoreID(0))

  /// Returns Ann, loaded in a child. Her age has changed in the store since.
  private func world(_ policy: MergePolicy, quirks: QuirkSet = quirks) -> World {
    var world = World(parents: [nil, 0], quirks: quirks, policies: [.error, policy])
    world.insertSaved(world.owner, world.ann)
    world.load(world.ann, in: 1)
    world.set(0, world.ann, world.age, 1)
    world.save(0)
    return world
  }

  @Test func `a child conflicts with what its parent has saved (X-03)`() {
    var world = world(.error)
    world.set(1, world.ann, world.name, 2)
    var conflict = Failure.Conflict(object: ann, oldVersion: 1, newVersion: 2)
    conflict.objectSnapshot = [.null, .null, .integer(0), .null]
    #expect(world.save(1).failure == .mergeConflicts([conflict]))
    #expect(world.get(1, world.ann, world.name) == .integer(2))
    world.perform(1, .refresh(world.ann, mergeChanges: true))
    #expect(world.save(1).last == .saved)
    #expect(world.get(0, world.ann, world.name) == .integer(2))
  }

  @Test func `a child overwrites the parent's unsaved value (SV-05)`() {
    var world = World(parents: [nil, 0], quirks: Self.quirks)
    world.insertSaved(world.owner, world.ann)
    world.load(world.ann, in: 1)
    world.set(0, world.ann, world.age, 1)
    world.set(1, world.ann, world.age, 2)
    #expect(world.save(1).last == .saved)
    #expect(world.get(0, world.ann, world.age) == .integer(2))
  }

  @Test(arguments: [
    (MergePolicy.mergeByPropertyStoreTrump, Value.integer(1), Value.integer(4)),
    (.mergeByPropertyObjectTrump, .integer(3), .integer(4)),
    (.rollback, .integer(1), .null),
    (.overwrite, .integer(3), .integer(4)),
  ]) func `a child's policy decides (X-03)`(policy: MergePolicy, age: Value, name: Value) {
    var world = world(policy)
    world.set(1, world.ann, world.age, 3)
    world.set(1, world.ann, world.name, 4)
    let events = world.save(1)
    #expect(events.last == .saved)
    let isAwoken = events.contains(.awakeFromSnapshot(ContextID(1), ann, .mergePolicy))
    #expect(isAwoken == (policy != .overwrite))
    for c in [1, 0] {
      #expect(world.get(c, world.ann, world.age) == .value(age))
      #expect(world.get(c, world.ann, world.name) == .value(name))
    }
  }

  @Test func `objects without handed-over values or without a version do not conflict`() {
    var world = world(.error)
    world.perform(1, .set(world.ann, world.name, .null))
    world.perform(1, .insert(world.owner, as: world.bob))
    #expect(world.save(1).last == .saved)
    world.save(0)
    // Bob's row is new in the parent, but this object never had a row here.
    world.set(1, world.bob, world.name, 1)
    #expect(world.save(1).last == .saved)
    world.perform(1, .delete(world.ann))
    #expect(world.save(1).last == .saved)
  }

  @Test func `a child overwrites what its parent has saved elsewhere (MP-27)`() {
    var world = world(.error, quirks: Profile.current.quirks)
    world.set(1, world.ann, world.age, 3)
    #expect(world.save(1).last == .saved)
    #expect(world.get(0, world.ann, world.age) == .integer(3))
  }

  @Test func `values decide about conflicts where policies count (MP-27)`() {
    var world = world(.error, quirks: QuirkSet([.childSaveChecksVersion]))
    world.set(1, world.ann, world.name, 3)
    var conflict = Failure.Conflict(object: ann, oldVersion: 0, newVersion: 0)
    conflict.objectSnapshot = [.null, .null, .integer(0), .null]
    #expect(world.save(1).failure == .mergeConflicts([conflict]))
  }
}
