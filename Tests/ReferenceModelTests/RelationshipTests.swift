import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Relationships` {
  /// Returns Ann with her cat and dog, all saved.
  private func family(_ rule: DeleteRule = .nullify, isOrdered: Bool = false) -> World {
    var world = World(parents: [nil, 0], deleteRule: rule, isOrdered: isOrdered)
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .insert(world.pet, as: world.cat))
    world.perform(0, .insert(world.pet, as: world.dog))
    world.perform(0, .add(world.ann, world.pets, world.reference(0, world.dog)))
    world.perform(0, .add(world.ann, world.pets, world.reference(0, world.cat)))
    world.save(0)
    return world
  }

  @Test func `one side sets the other, and both are changed (RL-01, CT-16)`() {
    var world = family()
    world.perform(0, .insert(world.owner, as: world.bob))
    world.perform(0, .relate(world.cat, world.keeper, world.reference(0, world.bob)))
    #expect(
      world.get(0, world.bob, world.pets) == .collection([world.permanent(world.pet, 2)]))
    #expect(
      world.get(0, world.ann, world.pets) == .collection([world.permanent(world.pet, 3)]))
    #expect(world.view(0).filter(\.isUpdated).map(\.id.number) == [1, 2])
  }

  @Test func `objects of two contexts cannot be related (RL-02)`() {
    var world = family()
    world.hold(world.ann, from: 0, in: 1)
    #expect(
      world.perform(1, .add(world.ann, world.pets, world.reference(0, world.cat)))
        == [.failed(.differentContexts)])
  }

  @Test func `a nullify rule clears the survivors at the end of the event (RL-06, RL-10)`() {
    var world = family()
    world.perform(0, .delete(world.ann))
    // RL-11: until then the survivors show the deleted object.
    #expect(
      world.get(0, world.cat, world.keeper)
        == .value(.object(world.permanent(world.owner, 1))))
    let events = world.reference.perform(.endOfEvent(ContextID(0)))
    #expect(events.objectsDidChange(0)?.updated.map(\.number) == [2, 3])
    #expect(world.get(0, world.cat, world.keeper) == .value(.null))
    world.save(0)
    #expect(world.rows.map(\.id.number) == [2, 3])
    #expect(world.rows.map { $0.values[1] } == [.null, .null])
  }

  @Test func `a cascade deletes the destinations with their hooks (RL-07)`() {
    var world = family(.cascade)
    let events = world.perform(0, .delete(world.ann)) + world.save(0)
    #expect(events.hooks(.prepareForDeletion, 0).map(\.number) == [1, 2, 3])
    #expect(events.didSave(0)?.deleted.map(\.number) == [1, 2, 3])
    #expect(world.rows.isEmpty)
  }

  @Test func `a deny rule fails the save until the destinations are deleted (RL-08)`() {
    var world = family(.deny)
    world.perform(0, .delete(world.ann))
    #expect(
      world.save(0).failure
        == .validation([
          Failure.Issue(
            .validationRelationshipDeniedDelete, world.permanent(world.owner, 1), world.pets)
        ]))
    #expect(world.rows.count == 3)
    world.perform(0, .delete(world.cat))
    world.perform(0, .delete(world.dog))
    #expect(world.save(0).last == .saved)
    #expect(world.rows.isEmpty)
  }

  @Test func `an ordered collection keeps its order through saves of every level`() {
    var world = family(isOrdered: true)
    #expect(world.rows[0].collections[0].map(\.number) == [3, 2])
    world.perform(0, .release(world.ann))
    world.hold(world.cat, from: 0, in: 1)
    world.hold(world.dog, from: 0, in: 1)
    world.perform(1, .insert(world.owner, as: world.bob))
    world.perform(
      1,
      .replace(
        world.bob, world.pets, [world.reference(1, world.dog), world.reference(1, world.cat)]))
    world.save(1, 0)
    #expect(world.rows.first { $0.id.number == 4 }?.collections[0].map(\.number) == [3, 2])
    #expect(world.rows[0].collections[0] == [])
  }

  @Test func `to-many changes combine by delta, even under overwrite (MP-14)`() {
    var world = World(parents: [nil, nil], policies: [.overwrite, .overwrite])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .insert(world.owner, as: world.bob))
    world.perform(0, .insert(world.owner, as: world.other))
    world.perform(0, .add(world.ann, world.friends, world.reference(0, world.bob)))
    world.perform(0, .add(world.ann, world.friends, world.reference(0, world.other)))
    world.save(0)
    for name in [world.ann, world.bob, world.other] { world.hold(name, from: 0, in: 1) }
    world.perform(1, .remove(world.ann, world.friends, world.reference(1, world.bob)))
    world.perform(0, .remove(world.ann, world.friends, world.reference(0, world.other)))
    world.save(0)
    #expect(world.save(1).last == .saved)
    #expect(world.rows.map { $0.collections[1] } == [[], [], []])
  }

  @Test func `a relationship may not leave its store (RL-04)`() {
    var world = World(
      parents: [nil],
      stores: [
        Stack.Store(name: "owners", entities: [EntityID(0)]),
        Stack.Store(name: "pets", entities: [EntityID(1)]),
      ])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .insert(world.pet, as: world.cat))
    world.perform(0, .relate(world.ann, world.home, world.reference(0, world.cat)))
    #expect(
      world.save(0).failure == .crossStore(world.temporary(world.owner, 1), world.home))
  }
}
