import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `An unsaved object of another context` {
  /// Returns Ann, inserted in context 1 and not saved.
  private func world(parents: [Int?] = [nil, 0, 0]) -> World {
    var world = World(parents: parents)
    world.perform(1, .insert(world.owner, as: world.ann))
    world.set(1, world.ann, world.name, 7)
    return world
  }

  @Test(arguments: [0, 2])
  func `an unsaved object is not found, and nothing stays of it (ID-23)`(_ c: Int) {
    var world = world()
    let events = world.perform(
      c, .existingObject(with: world.reference(1, world.ann), as: world.other))
    #expect(events == [.failed(.missingObject(world.temporary(world.owner, 1)))])
    #expect(world.view(0) == [] && world.view(2) == [])
    #expect(
      world.perform(0, .registeredObject(for: world.reference(1, world.ann), as: world.other))
        == [.nothing])
  }

  @Test func `an unsaved object is kept by no child that inserted it`() {
    var world = world()
    world.hold(world.ann, from: 1, in: 0)
    #expect(world.view(0).map(\.isFault) == [true])
    world.perform(0, .release(world.ann))
    #expect(world.view(0) == [])
  }

  @Test(arguments: [[nil, 0, 0], [nil, nil, nil]] as [[Int?]])
  func `an unsaved object survives the save of a context that read it (ID-25)`(_ parents: [Int?]) {
    var world = world(parents: parents)
    world.load(world.ann, from: 1, in: 2)
    #expect(world.view(2).map(\.isDeleted) == [true])
    world.save(1)
    let events = world.save(2)
    #expect(events.failure == nil)
    #expect(events.didSave(2) == ChangeSets())
    #expect(world.get(2, world.ann, world.name) == .integer(7))
    world.save(0)
    #expect(world.rows.map(\.values[0]) == [.integer(7)])
  }

  @Test func `an unsaved object takes the place of what its parent has read`() {
    var world = world()
    world.load(world.ann, from: 1, in: 0)
    #expect(world.view(0).map(\.isDeleted) == [true])
    let events = world.save(1)
    #expect(events.objectsDidChange(0)?.inserted == [world.temporary(world.owner, 1)])
    #expect(world.view(0).map(\.isInserted) == [true])
    world.save(0)
    #expect(world.rows.map(\.values[0]) == [.integer(7)])
  }

  @Test func `an unsaved object is listed as deleted by an earlier save, then saved`() {
    var world = world(parents: [nil, nil])
    world.load(world.ann, from: 1, in: 0)
    #expect(world.save(0).didSave(0)?.deleted == [world.temporary(world.owner, 1)])
    world.save(1)
    #expect(world.rows.count == 1)
  }
}

@Suite struct `A delivery` {
  @Test func `a delivery holds what was listed until it ends (NT-01, C2)`() {
    var world = World(
      parents: [nil, nil],
      changeStack: {
        $0.observers = [
          Stack.Observer(notification: .objectsDidChange, context: ContextID(0), steps: [])
        ]
      })
    world.insertSaved(world.owner, world.ann, in: 1)
    world.merge(0, into: 0)
    #expect(world.view(0).map(\.id) == [world.permanent(world.owner, 1)])
    #expect(world.reference.perform(.endOfDelivery(ContextID(0))) == [])
    #expect(world.view(0) == [])
  }
}

@Suite struct `A reference to a row that is gone` {
  /// Context 0 has deleted Ann's new home in context 1, and saved.
  @Test func `a reference to a row that is gone is not written (MP-20, FL-14)`() {
    var world = World(parents: [nil, nil])
    world.insertSaved(world.pet, world.cat)
    world.load(world.cat, in: 1)
    world.perform(1, .insert(world.owner, as: world.ann))
    world.perform(1, .relate(world.ann, world.home, world.reference(1, world.cat)))
    world.perform(0, .delete(world.cat))
    world.save(0)
    #expect(world.save(1).failure == nil)
    #expect(world.rows.map { $0.values.last } == [.null])
    #expect(world.get(1, world.ann, world.home) == .value(.null))
  }

  @Test func `a reference that dangles already is left as it is (RL-09)`() {
    var world = World(parents: [nil, nil])
    world.insertSaved(world.pet, world.cat)
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .relate(world.ann, world.home, world.reference(0, world.cat)))
    world.save(0)
    world.perform(0, .delete(world.cat))
    world.save(0)
    world.set(0, world.ann, world.name, 3)
    world.save(0)
    #expect(world.rows.map { $0.values.last } == [.object(world.permanent(world.pet, 1))])
  }
}
