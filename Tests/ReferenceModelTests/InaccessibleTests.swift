import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `An inaccessible object` {
  private let ann = ObjectID.permanent(EntityID(0), key: 1, in: StoreID(0))
  private let cat = ObjectID.permanent(EntityID(1), key: 2, in: StoreID(0))

  /// Returns Ann with a cat whose row is gone. Context 1 shows Ann with the cat, which is a fault
  /// there.
  private func world(
    _ deleteRule: DeleteRule = .nullify, quirks: QuirkSet = Profile.current.quirks,
    deletesInaccessibleFaults: Bool = true
  ) -> World {
    var world = World(
      parents: [nil, nil], quirks: quirks, policies: [.error, .overwrite], deleteRule: deleteRule,
      settings: { $0.shouldDeleteInaccessibleFaults = deletesInaccessibleFaults })
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .insert(world.pet, as: world.cat))
    world.perform(0, .add(world.ann, world.pets, world.reference(0, world.cat)))
    world.save(0)
    world.load(world.ann, in: 1)
    world.hold(world.cat, from: 0, in: 1)
    _ = world.get(1, world.ann, world.pets)
    world.perform(0, .delete(world.cat))
    world.save(0)
    return world
  }

  // MARK: Delete propagation

  @Test(arguments: [DeleteRule.nullify, .cascade])
  func `a deletion deletes an inaccessible object it meets (RD-A9, FL-14)`(_ rule: DeleteRule) {
    var world = world(rule)
    world.perform(1, .delete(world.ann))
    let events = world.perform(1, .processPendingChanges)
    #expect(events.objectsDidChange(1)?.deleted == [ann, cat])
    // No code of this context calls delete.
    #expect(events.hooks(.prepareForDeletion, 1) == [])
    #expect(world.view(1).map(\.isDeleted) == [true, true])
    #expect(world.view(1).map(\.isFault) == [false, false])
    #expect(world.save(1).didSave(1)?.deleted == [ann, cat])
  }

  @Test(arguments: [DeleteRule.deny, .noAction])
  func `an inaccessible object is not met by rules that spare destinations`(_ rule: DeleteRule) {
    var world = world(rule)
    world.perform(1, .delete(world.ann))
    world.perform(1, .processPendingChanges)
    #expect(world.view(1).map(\.isFault) == [false, true])
  }

  @Test(arguments: [true, false])
  func `an inaccessible object stays a fault where firing it raises (FL-12)`(_ isQuirk: Bool) {
    var world = world(
      .cascade, quirks: isQuirk ? QuirkSet([.inaccessibleFaultRaises]) : QuirkSet(),
      deletesInaccessibleFaults: isQuirk)
    world.perform(1, .delete(world.ann))
    let events = world.perform(1, .processPendingChanges)
    #expect(events.objectsDidChange(1)?.deleted == [ann])
    #expect(events.failure == nil)
    #expect(world.view(1).map(\.isFault) == [false, true])
  }

  // MARK: Rollback

  @Test func `an inaccessible object is a fault again after a rollback (FL-10)`() {
    var world = world()
    world.set(1, world.ann, world.age, 5)
    #expect(world.get(1, world.cat, world.title) == .value(.null))
    #expect(world.view(1).map(\.isDeleted) == [false, true])
    #expect(world.perform(1, .rollback) == [.awakeFromSnapshot(ContextID(1), ann, .rollback)])
    #expect(world.view(1).map(\.isDeleted) == [false, false])
    #expect(world.view(1).map(\.isFault) == [false, true])
    #expect(world.perform(1, .hasChanges) == [.flag(false)])
    #expect(world.perform(1, .processPendingChanges) == [])
    // The object is as inaccessible as before.
    #expect(world.get(1, world.cat, world.title) == .value(.null))
    #expect(world.view(1).map(\.isDeleted) == [false, true])
  }

  @Test func `an inaccessible object that was deleted or merged is a fault again, too`() {
    var (met, merged) = (world(.cascade), world())
    met.perform(1, .delete(met.ann))
    met.perform(1, .processPendingChanges)
    merged.merge(1, into: 1)
    for var world in [met, merged] {
      #expect(world.view(1).last?.isDeleted == true)
      world.perform(1, .rollback)
      #expect(world.view(1).map(\.id) == [ann, cat])
      #expect(world.view(1).map(\.isDeleted) == [false, false])
      #expect(world.view(1).last?.isFault == true)
    }
  }

  @Test func `an inaccessible object reads its row after a rollback (PS-07)`() {
    var world = World(parents: [nil])
    world.insertSaved(world.owner, world.ann)
    world.set(0, world.ann, world.age, 5)
    world.save(0)
    world.perform(0, .refresh(world.ann, mergeChanges: false))
    world.perform(0, .removeStore(StoreID(0)))
    #expect(world.get(0, world.ann, world.age) == .value(.null))
    world.perform(0, .addStore(StoreID(0)))
    world.perform(0, .rollback)
    #expect(world.get(0, world.ann, world.age) == .integer(5))
    #expect(world.view(0).map(\.isDeleted) == [false])
  }

  @Test func `an inaccessible object is a fault again even after an undo in between`() {
    var world = World(parents: [nil, nil], settings: { $0.hasUndoManager = true })
    world.insertSaved(world.owner, world.ann)
    world.set(0, world.ann, world.age, 5)
    world.save(0)
    world.hold(world.ann, from: 0, in: 1)
    world.perform(0, .refresh(world.ann, mergeChanges: false))
    world.perform(1, .delete(world.ann))
    world.save(1)
    #expect(world.get(0, world.ann, world.age) == .value(.null))
    world.perform(0, .undo)
    #expect(world.view(0).map(\.isDeleted) == [false])
    #expect(world.view(0).map(\.isFault) == [false])
    world.perform(0, .rollback)
    #expect(world.view(0).map(\.isFault) == [true])
  }

  // MARK: Changing it

  @Test func `an inaccessible object takes values, which go with it (ID-25, C10)`() {
    var world = world()
    #expect(world.perform(1, .set(world.cat, world.title, .integer(3))) == [])
    #expect(world.get(1, world.cat, world.title) == .integer(3))
    #expect(world.view(1).map(\.isUpdated) == [false, false])
    #expect(world.perform(1, .processPendingChanges).objectsDidChange(1)?.deleted == [cat])
    world.save(1)
    #expect(world.get(1, world.cat, world.title) == .failed(.noContext))
    #expect(world.rows.map(\.id) == [ann])
  }

  @Test func `an inaccessible object can be a member, as deleted objects can (RL-15)`() {
    var world = world()
    world.perform(1, .remove(world.ann, world.pets, world.reference(1, world.cat)))
    #expect(world.perform(1, .add(world.ann, world.pets, world.reference(1, world.cat))) == [])
    #expect(world.get(1, world.ann, world.pets) == .collection([cat]))
  }

  @Test func `an inaccessible object leaves only changed relationships (RL-15)`() {
    var world = world()
    _ = world.get(1, world.cat, world.title)
    world.set(1, world.ann, world.age, 151)
    #expect(world.save(1).failure != nil)
    #expect(world.get(1, world.ann, world.pets) == .collection([cat]))
    world.perform(1, .insert(world.pet, as: world.dog))
    world.perform(1, .add(world.ann, world.pets, world.reference(1, world.dog)))
    #expect(world.save(1).failure != nil)
    #expect(
      world.get(1, world.ann, world.pets) == .collection([world.temporary(world.pet, 3)]))
  }
}
