import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

/// Controllers after their context was reset or rolled back, and the IDs that they use.
extension `A fetched-results controller` {
  @Test func `a controller is empty and silent after a reset`() {
    var world = Self.world()
    world.insertSaved(world.owner, world.ann)
    _ = fill(&world)
    #expect(world.perform(0, .reset).changes == nil)
    insert(world.bob, age: 20, &world)
    #expect(changes(&world) == nil)
    #expect(
      fill(&world) == [
        section(nil, world.permanent(world.owner, 1), world.temporary(world.owner, 2))
      ])
  }

  @Test func `a controller is empty and silent when its context is discarded`() {
    var world = Self.world()
    world.insertSaved(world.owner, world.ann)
    _ = fill(&world)
    #expect(world.perform(0, .discard).isEmpty)
    insert(world.bob, age: 20, &world)
    #expect(changes(&world) == nil)
  }

  @Test func `a controller does not notice a rollback`() {
    var world = Self.world()
    world.insertSaved(world.owner, world.ann)
    _ = fill(&world)
    world.set(0, world.ann, world.age, 30)
    _ = changes(&world)
    #expect(world.perform(0, .rollback).changes == nil)
    // For the list, Ann is still 30 years old.
    insert(world.bob, age: 20, &world)
    #expect(changes(&world) == [.insert(world.temporary(world.owner, 2), to: at(0, 0))])
  }

  @Test func `a controller names its objects by their permanent IDs`() {
    var world = Self.world()
    insert(world.ann, age: 20, &world)
    insert(world.bob, age: 30, &world)
    _ = fill(&world)
    _ = world.save(0)
    world.perform(0, .delete(world.ann))
    #expect(changes(&world) == [.delete(world.permanent(world.owner, 1), from: at(0, 0))])
    world.set(0, world.bob, world.scratch, 1)
    #expect(changes(&world) == [.update(world.permanent(world.owner, 2), at: at(0, 0))])
  }

  @Test func `a controller names its sections by permanent IDs, too`() {
    var world = Self.world(isSectioned: true) { request in
      request.entity = EntityID(1)
      request.sortDescriptors = [
        FetchRequest.SortDescriptor(property: PropertyID(1), ascending: true)
      ]
    }
    world.perform(0, .insert(world.pet, as: world.cat))
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .relate(world.cat, world.keeper, world.reference(0, world.ann)))
    _ = fill(&world)
    world.save(0)
    // The section is the same, so none is inserted and none deleted.
    world.set(0, world.cat, world.title, 1)
    #expect(changes(&world) == [.update(world.permanent(world.pet, 1), at: at(0, 0))])
  }

  @Test func `a controller begins with the fetch's order, then sorts by shown values`() {
    var world = Self.world([nil, nil])
    insert(world.ann, age: 20, &world)
    insert(world.bob, age: 30, &world)
    world.save(0)
    world.hold(world.ann, from: 0, in: 1)
    world.set(1, world.ann, world.age, 40)
    world.save(1)
    let ids = (1...2).map { world.permanent(world.owner, $0) }
    // Ann is still 20 here, although her row is 40 and was fetched last.
    #expect(fill(&world) == [section(nil, ids[1], ids[0])])
    world.set(0, world.bob, world.age, 35)
    #expect(changes(&world) == [.move(ids[1], from: at(0, 0), to: at(0, 1))])
  }

  @Test func `a controller keeps the sort values of an object that it fires`() {
    let action = HookAction(
      hook: .awakeFromFetch, property: PropertyID(1), effect: .set(.integer(99)), onlyIfNil: false)
    var world = Self.world([nil, nil], in: 1, isSectioned: true, hookActions: [action]) { request in
      request.returnsObjectsAsFaults = false
      request.sortDescriptors[0].ascending = false
    }
    insert(world.ann, age: 20, &world)
    insert(world.bob, age: 30, &world)
    world.save(0)
    let ids = (1...2).map { world.permanent(world.owner, $0) }
    #expect(fill(&world, in: 1) == [section(30, ids[1]), section(20, ids[0])])
    #expect(world.get(1, world.ann, world.age) == .integer(99))
    world.set(1, world.ann, world.scratch, 1)
    #expect(
      changes(&world, in: 1) == [
        .deleteSection(1), .insertSection(0), .move(ids[0], from: at(1, 0), to: at(0, 0)),
      ])
  }
}
