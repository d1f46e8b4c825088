import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Undo` {
  private func world(
    parents: [Int?] = [nil], quirks: QuirkSet = Profile.current.quirks,
    deleteRule: DeleteRule = .nullify
  ) -> World {
    World(parents: parents, quirks: quirks, deleteRule: deleteRule) { $0.hasUndoManager = true }
  }

  /// Returns Ann, saved with name 1.
  private func worldOfAnn() -> World {
    var world = world()
    world.perform(0, .insert(world.owner, as: world.ann))
    world.set(0, world.ann, world.name, 1)
    world.save(0)
    return world
  }

  private func awake(_ id: ObjectID, _ cause: SnapshotEvent) -> Event {
    .awakeFromSnapshot(ContextID(0), id, cause)
  }

  @Test func `undo is nothing without a manager (UN-01)`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    for step in [Step.undo, .redo, .disableUndoRegistration, .enableUndoRegistration] {
      #expect(world.perform(0, step) == [.nothing])
    }
    #expect(world.view(0).map(\.isInserted) == [true])
  }

  @Test func `undo takes back an insertion, and redo brings it back (UN-02)`() {
    var world = world()
    world.perform(0, .insert(world.owner, as: world.ann))
    world.set(0, world.ann, world.name, 1)
    let id = world.temporary(world.owner, 1)
    let undone = world.perform(0, .undo)
    #expect(undone.objectsDidChange(0)?.inserted == [id])
    #expect(undone.contains(awake(id, .undoInsertion)))
    #expect(world.view(0).isEmpty)
    #expect(world.get(0, world.ann, world.name) == .failed(.noContext))

    let redone = world.perform(0, .redo)
    #expect(redone.first == awake(id, .undoDeletion))
    #expect(redone.objectsDidChange(0)?.inserted == [id])
    #expect(world.view(0).map(\.isInserted) == [true])
    #expect(world.view(0)[0].values[0] == .integer(1))
    world.save(0)
    #expect(world.rows.map(\.values[0]) == [.integer(1)])
  }

  @Test func `undo goes back event by event (UN-06)`() {
    var world = worldOfAnn()
    for number in [2, 3] {
      world.set(0, world.ann, world.name, number)
      world.perform(0, .processPendingChanges)
    }
    world.set(0, world.ann, world.name, 4)
    world.set(0, world.ann, world.name, 5)
    let id = world.permanent(world.owner, 1)
    let events = world.perform(0, .undo)
    #expect(events.contains(awake(id, .undoUpdate)))
    #expect(world.get(0, world.ann, world.name) == .integer(3))
    #expect(world.perform(0, .undo).objectsDidChange(0)?.updated == [id])
    #expect(world.view(0).map(\.isUpdated) == [true])
    world.perform(0, .undo)
    #expect(world.get(0, world.ann, world.name) == .integer(1))
    // The object is as it was saved, and not marked as updated.
    #expect(world.view(0).map(\.isUpdated) == [false])
    for number in [2, 3, 5, 5] {
      world.perform(0, .redo)
      #expect(world.get(0, world.ann, world.name) == .integer(number))
    }
    world.perform(0, .undo)
    #expect(world.get(0, world.ann, world.name) == .integer(3))
    // Another change starts a new history.
    world.set(0, world.ann, world.age, 1)
    world.perform(0, .processPendingChanges)
    world.perform(0, .redo)
    #expect(world.get(0, world.ann, world.name) == .integer(3))
  }

  @Test func `undo past a save makes dirty, and deletes what was inserted (UN-07, CT-20)`() {
    var world = worldOfAnn()
    world.set(0, world.ann, world.name, 2)
    world.save(0)
    world.perform(0, .undo)
    #expect(world.view(0).map(\.isUpdated) == [true])
    world.save(0)
    #expect(world.rows.map(\.values[0]) == [.integer(1)])
    world.perform(0, .undo)
    #expect(world.view(0).map(\.isDeleted) == [true])
    world.save(0)
    #expect(world.rows.isEmpty)
  }

  @Test func `undo brings back what was deleted and saved, in a new row (UN-08)`() {
    var world = worldOfAnn()
    world.perform(0, .insert(world.pet, as: world.cat))
    world.perform(0, .relate(world.cat, world.keeper, world.reference(0, world.ann)))
    world.save(0)
    world.perform(0, .delete(world.ann))
    world.save(0)
    #expect(world.rows.map(\.id) == [world.permanent(world.pet, 2)])
    let id = world.permanent(world.owner, 1)
    let events = world.perform(0, .undo)
    #expect(
      events.prefix(2)
        == [awake(id, .undoDeletion), awake(world.permanent(world.pet, 2), .undoUpdate)])
    #expect(events.objectsDidChange(0)?.inserted == [id])
    #expect(world.view(0).map(\.isInserted) == [true, false])
    world.save(0)
    #expect(world.rows.map(\.id) == [id, world.permanent(world.pet, 2)])
    #expect(world.rows.map(\.version) == [1, 3])
    #expect(world.rows[0].collections[0] == [world.permanent(world.pet, 2)])
    #expect(world.rows[1].values[1] == .object(id))
  }

  @Test func `undo of a pending deletion makes the object undeleted`() {
    var world = worldOfAnn()
    world.perform(0, .delete(world.ann))
    let id = world.permanent(world.owner, 1)
    let events = world.perform(0, .undo)
    #expect(events.contains(awake(id, .undoDeletion)))
    #expect(world.view(0).map(\.isDeleted) == [false])
    #expect(world.view(0).map(\.isUpdated) == [false])
    #expect(world.save(0).didSave(0) == ChangeSets())
  }

  @Test func `undo knows no changes made while registration was off (UN-05)`() {
    var world = worldOfAnn()
    world.set(0, world.ann, world.name, 2)
    world.perform(0, .processPendingChanges)
    #expect(world.perform(0, .disableUndoRegistration) == [])
    world.set(0, world.ann, world.age, 3)
    world.perform(0, .processPendingChanges)
    #expect(world.perform(0, .enableUndoRegistration) == [])
    #expect(world.perform(0, .enableUndoRegistration) == [.nothing])
    world.perform(0, .undo)
    #expect(world.get(0, world.ann, world.name) == .integer(1))
    // Undo recorded the state of the whole object.
    #expect(world.get(0, world.ann, world.age) == .value(.null))
  }

  @Test func `undo forgets all after rollback, reset and discard (UN-03, UN-04)`() {
    for step in [Step.rollback, .reset, .discard] {
      var world = worldOfAnn()
      world.set(0, world.ann, world.name, 2)
      world.perform(0, .undo)
      world.perform(0, .disableUndoRegistration)
      world.perform(0, step)
      world.hold(world.ann, from: 0, in: 0)
      let before = world.view(0)
      #expect(world.perform(0, .redo) == [])
      #expect(world.perform(0, .undo) == [])
      #expect(world.view(0) == before)
      let isAsNew = step == .discard
      #expect(world.perform(0, .enableUndoRegistration) == (isAsNew ? [.nothing] : []))
    }
  }

  @Test func `undo keeps registered what it may bring back`() {
    var world = worldOfAnn()
    world.perform(0, .release(world.ann))
    #expect(world.view(0).count == 1)
    world.perform(0, .reset)
    #expect(world.view(0).isEmpty)
  }

  @Test func `undo follows an object to its permanent ID`() {
    var world = world()
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .insert(world.pet, as: world.cat))
    world.perform(0, .processPendingChanges)
    world.perform(0, .relate(world.cat, world.keeper, world.reference(0, world.ann)))
    world.perform(0, .processPendingChanges)
    world.perform(0, .relate(world.cat, world.keeper, nil))
    world.save(0)
    world.perform(0, .undo)
    #expect(world.view(0)[1].values[1] == .object(world.permanent(world.owner, 1)))
    #expect(world.view(0)[0].collections[0] == [world.permanent(world.pet, 2)])
  }
}
