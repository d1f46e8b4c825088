import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Changes in one context` {
  @Test func `an insert awakens once, after its defaults (LC-01)`() {
    var world = World(parents: [nil])
    #expect(
      world.perform(0, .insert(world.owner, as: world.ann))
        == [
          .awakeFromInsert(
            ContextID(0), world.temporary(world.owner, 1),
            [.null, .null, .integer(0), .null])
        ])
  }

  @Test func `a value set by awakeFromInsert is reported, numbered and a change`() {
    let action = HookAction(
      hook: .awakeFromInsert, property: PropertyID(0), effect: .setNext, onlyIfNil: true)
    var world = World(parents: [nil, 0], hookActions: [action])
    let events = world.perform(1, .insert(world.owner, as: world.ann))
    #expect(
      events.last
        == .hookSet(
          ContextID(1), world.temporary(world.owner, 1), world.name, .integer(1)))
    // LC-02: the parent's instance awakens empty and draws its own number, then receives the
    // child's.
    let saved = world.save(1)
    #expect(
      saved.contains(
        .hookSet(ContextID(0), world.temporary(world.owner, 1), world.name, .integer(2))))
    #expect(saved.received(0) == [[Received(world.name, .integer(1))]])
    #expect(world.view(0)[0].values[0] == .integer(1))
  }

  @Test func `willSave is repeated for an object that changes itself in it (LC-09, LC-10)`() {
    let action = HookAction(
      hook: .willSave, property: PropertyID(0), effect: .set(.integer(9)), onlyIfNil: true)
    var world = World(parents: [nil], hookActions: [action])
    world.perform(0, .insert(world.owner, as: world.ann))
    let events = world.save(0)
    let id = world.temporary(world.owner, 1)
    #expect(events.hooks(.willSave, 0) == [id, id])
    #expect(world.rows[0].values[0] == .integer(9))
  }

  @Test func `prepareForDeletion runs again for a deleted object (LC-12, LC-13)`() {
    var world = World(parents: [nil])
    world.insertSaved(world.owner, world.ann)
    let id = world.permanent(world.owner, 1)
    let hook = Event.hook(.prepareForDeletion, ContextID(0), id)
    #expect(world.perform(0, .delete(world.ann)) == [hook])
    #expect(world.perform(0, .delete(world.ann)) == [hook])
    #expect(world.perform(0, .processPendingChanges).objectsDidChange(0)?.deleted == [id])
  }

  @Test func `an insert deleted before any save is never saved (CT-08)`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .processPendingChanges)
    world.perform(0, .delete(world.ann))
    // CT-A8, LC-19
    #expect(world.view(0).map(\.isDeleted) == [true])
    #expect(world.view(0).map(\.isInserted) == [false])
    let events = world.save(0)
    // CT-10: the object is reported as deleted because its insertion had been reported.
    #expect(events.objectsDidChange(0)?.deleted == [world.temporary(world.owner, 1)])
    #expect(events.didSave(0) == ChangeSets())
    #expect(world.rows.isEmpty)
    #expect(world.get(0, world.ann, world.name) == .failed(.noContext))
  }

  @Test func `an insert deleted in the same event is not mentioned (CT-09)`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .delete(world.ann))
    #expect(world.reference.perform(.endOfEvent(ContextID(0))) == [])
    #expect(world.view(0).isEmpty)
  }

  @Test func `a reported insert that is edited is reported as updated (NM-A2)`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .processPendingChanges)
    world.set(0, world.ann, world.name, 1)
    let sets = world.perform(0, .processPendingChanges).objectsDidChange(0)
    #expect(sets?.updated == [world.temporary(world.owner, 1)])
    #expect(sets?.inserted == [])
    // CT-11
    #expect(world.perform(0, .processPendingChanges) == [])
  }

  @Test func `refresh without merging loses the edit and the value is loaded again (FL-01)`() {
    var world = World(parents: [nil])
    world.insertSaved(world.owner, world.ann)
    world.set(0, world.ann, world.name, 1)
    let id = world.permanent(world.owner, 1)
    #expect(
      world.perform(0, .refresh(world.ann, mergeChanges: false))
        == [
          .hook(.willTurnIntoFault, ContextID(0), id), .hook(.didTurnIntoFault, ContextID(0), id),
        ])
    #expect(world.view(0).map(\.isFault) == [true])
    #expect(
      world.perform(0, .get(world.ann, world.name))
        == [.hook(.awakeFromFetch, ContextID(0), id), .value(.null)])
    #expect(world.perform(0, .processPendingChanges).objectsDidChange(0)?.refreshed == [id])
  }

  @Test func `refresh with merging keeps the edit and takes the rest (FL-02)`() {
    var world = World(parents: [nil, nil])
    world.insertSaved(world.owner, world.ann)
    world.hold(world.ann, from: 0, in: 1)
    world.set(1, world.ann, world.name, 1)
    world.set(1, world.ann, world.scratch, 5)
    world.set(0, world.ann, world.name, 2)
    world.set(0, world.ann, world.age, 3)
    world.save(0)
    world.perform(1, .refresh(world.ann, mergeChanges: true))
    #expect(world.get(1, world.ann, world.name) == .integer(1))
    #expect(world.get(1, world.ann, world.age) == .integer(3))
    #expect(world.get(1, world.ann, world.scratch) == .integer(5))
    // NT-20: the version is renewed.
    #expect(world.save(1).last == .saved)
  }

  @Test func `rollback drops inserts and reverts the rest, without a notification (FL-10)`() {
    var world = World(parents: [nil])
    world.insertSaved(world.owner, world.ann)
    world.insertSaved(world.pet, world.cat)
    world.set(0, world.ann, world.name, 1)
    world.perform(0, .delete(world.cat))
    world.perform(0, .insert(world.pet, as: world.dog))
    // LC-07
    #expect(
      world.perform(0, .rollback)
        == [
          .awakeFromSnapshot(ContextID(0), world.permanent(world.owner, 1), .rollback),
          .awakeFromSnapshot(ContextID(0), world.permanent(world.pet, 2), .rollback),
        ])
    #expect(world.view(0).count == 2)
    #expect(world.view(0).allSatisfy { !$0.isUpdated && !$0.isDeleted && !$0.isInserted })
    #expect(world.get(0, world.ann, world.name) == .value(.null))
    #expect(world.get(0, world.dog, world.title) == .failed(.noContext))
    #expect(world.perform(0, .processPendingChanges) == [])
  }

  @Test func `an object that is not held and has no changes is not registered (FL-15)`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .release(world.ann))
    #expect(world.view(0).count == 1)
    world.save(0)
    #expect(world.view(0).isEmpty)
  }
}
