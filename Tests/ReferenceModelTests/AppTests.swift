import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Counting up` {
  @Test func `an increment answers one more than the context shows, and sets it`() {
    var world = World(parents: [nil, 0])
    world.perform(0, .insert(world.owner, as: world.ann))
    #expect(world.perform(0, .increment(world.ann, world.age)).last == .integer(1))
    #expect(world.perform(0, .increment(world.ann, world.age)).last == .integer(2))
    world.save(0)
    world.hold(world.ann, from: 0, in: 1)
    #expect(world.perform(1, .increment(world.ann, world.age)).last == .integer(3))
    #expect(world.get(0, world.ann, world.age) == .integer(2))
    world.save(1)
    #expect(world.get(0, world.ann, world.age) == .integer(3))
  }

  @Test func `an increment marks the object as updated`() {
    var world = World(parents: [nil])
    world.insertSaved(world.owner, world.ann)
    #expect(world.perform(0, .hasChanges) == [.flag(false)])
    world.perform(0, .increment(world.ann, world.age))
    #expect(world.perform(0, .hasChanges) == [.flag(true)])
    #expect(world.save(0).didSave(0)?.updated.count == 1)
  }

  @Test func `an increment ends at the greatest number`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .set(world.ann, world.name, .integer(.max - 1)))
    for _ in 1...2 {
      #expect(world.perform(0, .increment(world.ann, world.name)).last == .value(.integer(.max)))
    }
  }

  @Test func `an increment by a negative number ends at the least number`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    #expect(
      world.perform(0, .increment(world.ann, world.age, by: -1)).last == .value(.integer(-1)))
    world.perform(0, .set(world.ann, world.name, .integer(.min + 1)))
    for _ in 1...2 {
      #expect(
        world.perform(0, .increment(world.ann, world.name, by: -1)).last == .value(.integer(.min)))
    }
    #expect(
      world.perform(0, .increment(world.ann, world.name, by: .max)).last == .value(.integer(-1)))
  }

  @Test func `an increment does nothing to an object that is not held`() {
    var world = World(parents: [nil])
    #expect(world.perform(0, .increment(world.ann, world.age)) == [.nothing])
  }
}

@Suite struct `The state after a kill` {
  private func world(inMemory: Bool = false) -> World {
    var store = Stack.Store(name: "store")
    store.isInMemory = inMemory
    var world = World(parents: [nil, 0], stores: [store])
    world.insertSaved(world.owner, world.ann)
    world.perform(1, .insert(world.owner, as: world.bob))
    world.perform(1, .save)
    return world
  }

  @Test func `rows are as they were saved, and contexts are empty`() {
    var world = world()
    #expect(world.view(0).count == 2)
    world.perform(1, .kill)
    #expect(world.rows.map(\.id) == [world.permanent(world.owner, 1)])
    #expect(world.view(0).isEmpty && world.view(1).isEmpty)
    #expect(world.get(0, world.ann, world.age) != .integer(0))
    let found = world.perform(0, .fetch(FetchRequest(entity: world.owner))).last
    #expect(found == .objects([world.permanent(world.owner, 1)]))
  }

  @Test func `a store in memory is empty, and its keys continue`() {
    var world = world(inMemory: true)
    world.perform(0, .kill)
    #expect(world.rows.isEmpty)
    world.insertSaved(world.owner, world.ann)
    #expect(world.rows.map(\.id) == [world.permanent(world.owner, 2)])
  }

  @Test func `a merge that was pending does not come`() {
    var world = World(parents: [nil, nil], merging: [1])
    world.insertSaved(world.owner, world.ann)
    world.load(world.ann, in: 1)
    world.set(0, world.ann, world.age, 5)
    world.save(0)
    world.perform(0, .kill)
    world.perform(0, .fetch(FetchRequest(entity: world.owner)))
    #expect(world.rows.count == 1 && world.view(1).isEmpty)
  }

  @Test func `a removed store is back`() {
    var world = world()
    world.perform(0, .removeStore(StoreID(0)))
    world.perform(0, .kill)
    #expect(
      world.perform(0, .fetch(FetchRequest(entity: world.owner))).last
        == .objects([world.permanent(world.owner, 1)]))
  }
}
