import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `An inaccessible object` {
  private let ann = ObjectID.permanent(EntityID(0), key: 1, in: StoreID(0))
  private let cat = ObjectID.permanent(EntityID(1), key: 2, in: StoreID(0))

  /// Ann has a cat, whose row is gone. Context 1 shows Ann with it, and has it as a fault.
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
  func `is deleted where a deletion meets it (RD-A9, FL-14)`(_ rule: DeleteRule) {
    var world = world(rule)
    world.perform(1, .delete(world.ann))
    let events = world.perform(1, .processPendingChanges)
    #expect(events.objectsDidChange(1)?.deleted == [ann, cat])
    // This context calls no delete.
    #expect(events.hooks(.prepareForDeletion, 1) == [])
    #expect(world.view(1).map(\.isDeleted) == [true, true])
    #expect(world.view(1).map(\.isFault) == [false, false])
    #expect(world.save(1).didSave(1)?.deleted == [ann, cat])
  }

  @Test(arguments: [DeleteRule.deny, .noAction])
  func `is not met by rules that leave destinations alone`(_ rule: DeleteRule) {
    var world = world(rule)
    world.perform(1, .delete(world.ann))
    world.perform(1, .processPendingChanges)
    #expect(world.view(1).map(\.isFault) == [false, true])
  }

  @Test(arguments: [true, false])
  func `stays a fault where firing it raises, and the deletion goes on (FL-12)`(_ isQuirk: Bool) {
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

  @Test func `is a fault again after a rollback, which says nothing of it (FL-10)`() {
    var world = world()
    world.set(1, world.ann, world.age, 5)
    #expect(world.get(1, world.cat, world.title) == .value(.null))
    #expect(world.view(1).map(\.isDeleted) == [false, true])
    #expect(world.perform(1, .rollback) == [.awakeFromSnapshot(ContextID(1), ann, .rollback)])
    #expect(world.view(1).map(\.isDeleted) == [false, false])
    #expect(world.view(1).map(\.isFault) == [false, true])
    #expect(world.perform(1, .hasChanges) == [.flag(false)])
    #expect(world.perform(1, .processPendingChanges) == [])
    // It is as inaccessible as before.
    #expect(world.get(1, world.cat, world.title) == .value(.null))
    #expect(world.view(1).map(\.isDeleted) == [false, true])
  }

  @Test func `is a fault again also if a deletion met it, or a merge`() {
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

  @Test func `reads its row after a rollback, once the store is back (PS-07)`() {
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

  @Test func `is a fault again even if undo has brought it back in between`() {
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

  @Test func `takes values, which go with it (ID-25, C10)`() {
    var world = world()
    #expect(world.perform(1, .set(world.cat, world.title, .integer(3))) == [])
    #expect(world.get(1, world.cat, world.title) == .integer(3))
    #expect(world.view(1).map(\.isUpdated) == [false, false])
    #expect(world.perform(1, .processPendingChanges).objectsDidChange(1)?.deleted == [cat])
    world.save(1)
    #expect(world.get(1, world.cat, world.title) == .failed(.noContext))
    #expect(world.rows.map(\.id) == [ann])
  }

  @Test func `can be a member, as deleted objects can (RL-15)`() {
    var world = world()
    world.perform(1, .remove(world.ann, world.pets, world.reference(1, world.cat)))
    #expect(world.perform(1, .add(world.ann, world.pets, world.reference(1, world.cat))) == [])
    #expect(world.get(1, world.ann, world.pets) == .collection([cat]))
  }

  @Test func `is taken out of no relationship but one that was changed (RL-15)`() {
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
