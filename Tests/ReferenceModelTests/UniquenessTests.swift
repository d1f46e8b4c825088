import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Uniqueness` {
  /// Returns Ann, saved with name 1 and age 30. Owners have unique names.
  private func saved(_ policy: MergePolicy) -> World {
    var world = World(
      parents: [nil, 0], policies: [policy], constraints: [[PropertyID(0)]])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.set(0, world.ann, world.name, 1)
    world.set(0, world.ann, world.age, 30)
    world.save(0)
    return world
  }

  private func insert(_ name: ObjectName, named number: Int, _ world: inout World) {
    world.perform(0, .insert(world.owner, as: name))
    world.set(0, name, world.name, number)
  }

  @Test func `a save fails with all objects that violate uniqueness (MP-23)`() {
    var world = saved(.error)
    insert(world.bob, named: 1, &world)
    insert(world.cat, named: 2, &world)
    insert(world.dog, named: 2, &world)
    func conflict(_ serials: [Int], _ row: ObjectID?) -> Failure.ConstraintConflict {
      Failure.ConstraintConflict(
        entity: world.owner, constraint: [world.name],
        objects: serials.map { world.temporary(world.owner, $0) }, databaseObject: row)
    }
    #expect(
      world.save(0).failure
        == .constraintConflicts([
          conflict([2], world.permanent(world.owner, 1)), conflict([3, 4], nil),
        ]))
    #expect(world.rows.count == 1)
  }

  @Test func `null, deleted objects and children violate no uniqueness (MP-24)`() {
    var world = saved(.error)
    world.perform(0, .insert(world.owner, as: world.bob))
    world.perform(0, .insert(world.owner, as: world.cat))
    world.perform(0, .delete(world.ann))
    insert(world.dog, named: 1, &world)
    #expect(world.save(0).last == .saved)
    for name in [world.ann, world.other] {
      world.perform(1, .insert(world.owner, as: name))
      world.set(1, name, world.name, 5)
    }
    #expect(world.save(1).last == .saved)
  }

  @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
  func `a row takes over new attributes, null included (MP-25, MP-26)`(policy: MergePolicy) {
    var world = saved(policy)
    world.perform(0, .insert(world.pet, as: world.cat))
    world.save(0)
    insert(world.bob, named: 1, &world)
    world.perform(0, .relate(world.bob, world.home, world.reference(0, world.cat)))
    let ann = world.permanent(world.owner, 1)
    let events = world.save(0)
    #expect(events.saveRequest?.updated == [ann])
    #expect(events.saveRequest?.inserted == [])
    #expect(events.didSave(0)?.updated == [ann])
    #expect(world.rows.map(\.version) == [2, 1])
    // The age is taken over although it was never set, but the home is not.
    #expect(world.rows[0].values == [.integer(1), .null, .integer(0), .null])
    #expect(world.get(0, world.ann, world.age) == .value(.null))
    #expect(world.get(0, world.bob, world.age) == .failed(.noContext))
  }

  @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback])
  func `the other policies leave the row alone`(policy: MergePolicy) {
    var world = saved(policy)
    insert(world.bob, named: 1, &world)
    let events = world.save(0)
    #expect(events.saveRequest == ChangeSets())
    #expect(world.rows.map(\.version) == [1])
    #expect(world.get(0, world.ann, world.age) == .integer(30))
    #expect(world.get(0, world.bob, world.age) == .failed(.noContext))
  }

  @Test func `the lowest ID wins where there is no row, and updates go back (MP-26)`() {
    var world = saved(.overwrite)
    insert(world.bob, named: 2, &world)
    world.save(0)
    world.set(0, world.ann, world.name, 3)
    world.set(0, world.bob, world.name, 3)
    insert(world.dog, named: 3, &world)
    let events = world.save(0)
    #expect(events.didSave(0)?.updated == [world.permanent(world.owner, 1)])
    #expect(events.didSave(0)?.inserted == [])
    #expect(world.rows.map { $0.values[0] } == [.integer(3), .integer(2)])
    #expect(world.get(0, world.bob, world.name) == .integer(2))
    #expect(world.get(0, world.dog, world.name) == .failed(.noContext))
  }

  @Test func `a uniqueness constraint holds for a whole family, once`() {
    var world = World(parents: [nil], petConstraints: [[PropertyID(0)]])
    world.perform(0, .insert(world.pet, as: world.cat))
    world.perform(0, .insert(world.kitten, as: world.dog))
    for name in [world.cat, world.dog] { world.set(0, name, world.title, 1) }
    let conflict = Failure.ConstraintConflict(
      entity: world.pet, constraint: [world.title],
      objects: [world.temporary(world.pet, 1), world.temporary(world.kitten, 2)],
      databaseObject: nil)
    #expect(world.save(0).failure == .constraintConflicts([conflict]))
  }
}
