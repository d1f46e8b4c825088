import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Child saves` {
  /// Returns Ann, saved, and loaded in the root and in both children.
  private func siblings(_ quirks: QuirkSet = Profile.current.quirks) -> World {
    var world = World(parents: [nil, 0, 0], quirks: quirks, merging: [1, 2])
    world.insertSaved(world.owner, world.ann)
    for c in [1, 2] {
      world.merge(0, into: c)
      world.hold(world.ann, from: 0, in: c)
      _ = world.get(c, world.ann, world.name)
    }
    return world
  }

  @Test func `child saves hand over changed properties only (SV-04, SV-05, SV-06)`() {
    var world = siblings()
    world.set(1, world.ann, world.name, 11)
    world.set(1, world.ann, world.age, 2)
    world.set(2, world.ann, world.age, 3)
    world.save(1)
    let events = world.save(2)
    #expect(events.received(0) == [[Received(world.age, .integer(3))]])
    #expect(world.get(0, world.ann, world.name) == .integer(11))
    #expect(world.get(0, world.ann, world.age) == .integer(3))
    #expect(world.get(2, world.ann, world.name) == .value(.null))
    #expect(world.get(1, world.ann, world.age) == .integer(2))
    #expect(world.view(1).map(\.isUpdated) == [false])
    #expect(world.rows[0].values[0] == .null)
  }

  @Test func `child saves leave out what equals the child's own cache (SV-08)`() {
    var world = siblings()
    world.set(1, world.ann, world.age, 2)
    world.save(1)
    world.perform(2, .set(world.ann, world.age, .null))
    let events = world.save(2)
    #expect(events.received(0) == [])
    #expect(events.didSave(2)?.updated == [world.permanent(world.owner, 1)])
    #expect(world.get(0, world.ann, world.age) == .integer(2))
  }

  @Test func `child saves without that quirk hand over everything that was set`() {
    var world = siblings(Profile.current.quirks.removing(.childSaveIgnoresEqualValues))
    world.perform(2, .set(world.ann, world.age, .null))
    #expect(world.save(2).received(0) == [[Received(world.age, .null)]])
  }

  @Test func `child saves hand over transient values to the parent only (SV-09, PC-A14)`() {
    var world = siblings()
    world.set(1, world.ann, world.scratch, 5)
    world.save(1)
    #expect(world.get(0, world.ann, world.scratch) == .integer(5))
    #expect(world.view(0).map(\.isUpdated) == [true])
    world.perform(2, .refresh(world.ann, mergeChanges: false))
    #expect(world.get(2, world.ann, world.scratch) == .integer(0))
  }

  @Test func `child saves change the parent during the save (SV-11, LC-23)`() {
    var world = siblings()
    world.set(1, world.ann, world.age, 2)
    let id = world.permanent(world.owner, 1)
    let events = world.save(1)
    #expect(events.objectsDidChange(0)?.updated == [id])
    #expect(events.hooks(.willSave, 0) == [])
    #expect(events.hooks(.willSave, 1) == [id])
  }

  @Test func `child saves delete in the parent, or cancel insertions (CT-17, CT-18)`() {
    var world = siblings()
    world.perform(1, .insert(world.pet, as: world.cat))
    world.save(1)
    world.perform(1, .delete(world.cat))
    world.perform(1, .delete(world.ann))
    world.save(1)
    #expect(world.view(0).map(\.isDeleted) == [true])
    #expect(world.perform(0, .count(FetchRequest(entity: world.owner))) == [.count(0)])
    #expect(world.rows.map(\.id) == [world.permanent(world.owner, 1)])
    #expect(world.get(1, world.ann, world.age) == .failed(.noContext))
    world.save(0)
    #expect(world.rows.isEmpty)
  }

  @Test func `child saves check against the parent when policies count (MP-27)`() {
    var world = siblings(Profile.documented.quirks)
    world.set(1, world.ann, world.age, 2)
    world.set(2, world.ann, world.age, 3)
    world.save(1)
    // MP-05: the conflict has the child's loaded values, and the parent has no row.
    var conflict = Failure.Conflict(
      object: world.permanent(world.owner, 1), oldVersion: 0, newVersion: 0)
    conflict.objectSnapshot = [.null, .null, .integer(0), .null]
    #expect(world.save(2).failure == .mergeConflicts([conflict]))
    #expect(world.get(2, world.ann, world.age) == .integer(3))
    #expect(world.view(2).map(\.isUpdated) == [true])
  }

  @Test func `child saves announce no merge to siblings, the parent's save does (NT-22)`() {
    var world = siblings()
    world.set(1, world.ann, world.age, 2)
    world.save(1)
    #expect(world.reference.awaitedMerges == [])
    world.save(0)
    let awaited = world.reference.awaitedMerges
    #expect(awaited.map(\.context) == [ContextID(1), ContextID(2)])
    world.merge(awaited[0].number, into: 2)
    #expect(world.reference.awaitedMerges == [awaited[0]])
    #expect(world.get(2, world.ann, world.age) == .integer(2))
  }
}

@Suite struct `Root saves` {
  /// Returns Ann, saved and then edited in two roots, of which the first has saved.
  private func rivals(_ policy: MergePolicy) -> World {
    var world = World(parents: [nil, nil], policies: [.error, policy])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .insert(world.owner, as: world.bob))
    world.save(0)
    world.hold(world.ann, from: 0, in: 1)
    world.hold(world.bob, from: 0, in: 1)
    world.set(1, world.ann, world.name, 21)
    world.set(1, world.bob, world.name, 22)
    world.set(0, world.ann, world.name, 11)
    world.set(0, world.ann, world.age, 12)
    world.save(0)
    return world
  }

  @Test func `root saves fail under the error policy and change nothing (MP-07, SV-18)`() {
    var world = rivals(.error)
    let before = world.view(1)
    var conflict = Failure.Conflict(
      object: world.permanent(world.owner, 1), oldVersion: 1, newVersion: 2)
    conflict.objectSnapshot = [.null, .null, .integer(0), .null]
    conflict.cachedSnapshot = [.integer(11), .integer(12), .integer(0), .null]
    #expect(world.save(1).failure == .mergeConflicts([conflict]))
    #expect(world.view(1) == before)
    #expect(world.rows.map(\.version) == [2, 1])
  }

  @Test(arguments: [
    (MergePolicy.mergeByPropertyStoreTrump, Value.integer(11), Value.integer(12)),
    (.mergeByPropertyObjectTrump, .integer(21), .integer(12)),
    (.overwrite, .integer(21), .null),
    (.rollback, .integer(11), .integer(12)),
  ]) func `root saves settle conflicts by their policy (MP-08 to MP-11)`(
    policy: MergePolicy, name: Value, age: Value
  ) {
    var world = rivals(policy)
    let events = world.save(1)
    #expect(events.last == .saved)
    #expect(world.rows[0].values.prefix(2) == [name, age])
    #expect(world.rows[1].values[0] == .integer(22))
    #expect(world.get(1, world.ann, world.name) == .value(name))
    #expect(world.get(1, world.ann, world.age) == .value(age))
    #expect(world.view(1).map(\.isUpdated) == [false, false])
    // MP-11: an object that is rolled back is not saved.
    #expect(events.didSave(1)?.updated.count == (policy == .rollback ? 1 : 2))
  }

  @Test func `root saves bring back a deleted row under overwrite (MP-19)`() {
    var world = rivals(.overwrite)
    world.perform(0, .delete(world.ann))
    world.save(0)
    #expect(world.rows.map(\.id.number) == [2])
    #expect(world.save(1).last == .saved)
    #expect(world.rows.map(\.id.number) == [1, 2])
    #expect(world.rows.map(\.version) == [2, 2])
    #expect(world.rows[0].values.prefix(2) == [.integer(21), .null])
  }

  @Test func `root saves lose the object under the other policies (MP-20)`() {
    var world = rivals(.mergeByPropertyObjectTrump)
    world.perform(0, .delete(world.ann))
    world.save(0)
    #expect(world.save(1).last == .saved)
    #expect(world.rows.map(\.id.number) == [2])
    #expect(world.get(1, world.ann, world.name) == .failed(.noContext))
  }

  @Test func `root saves may delete what is deleted already (MP-17)`() {
    var world = World(parents: [nil, nil])
    world.insertSaved(world.owner, world.ann)
    world.hold(world.ann, from: 0, in: 1)
    _ = world.get(1, world.ann, world.name)
    world.perform(0, .delete(world.ann))
    world.perform(1, .delete(world.ann))
    world.save(0)
    #expect(world.save(1).didSave(1)?.deleted == [world.permanent(world.owner, 1)])
  }

  @Test func `root saves report every invalid property, and save nothing (SV-17)`() {
    var world = World(parents: [nil], isNameMandatory: true)
    world.perform(0, .insert(world.owner, as: world.ann))
    world.set(0, world.ann, world.age, 151)
    let id = world.temporary(world.owner, 1)
    #expect(
      world.save(0).failure
        == .validation([
          Failure.Issue(.validationMissingMandatoryProperty, id, world.name),
          Failure.Issue(.validationNumberTooLarge, id, world.age, value: .integer(151)),
        ]))
    world.set(0, world.ann, world.name, 1)
    world.set(0, world.ann, world.age, 150)
    #expect(world.save(0).last == .saved)
  }

  @Test func `root saves without changes still post, and ask the store (SV-14, SV-15)`() {
    var world = World(parents: [nil])
    #expect(
      world.save(0)
        == [
          .contextWillSave(ContextID(0)), .saveRequest(CoordinatorID(0), ChangeSets()),
          .didSave(ContextID(0), ChangeSets(), number: 0),
          .didSaveObjectIDs(ContextID(0), ChangeSets(), number: 0), .saved,
        ])
  }
}
