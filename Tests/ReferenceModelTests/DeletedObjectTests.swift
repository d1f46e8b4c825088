import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `A deleted object` {
  private let ann = ObjectID.permanent(EntityID(0), key: 1, in: StoreID(0))
  private let bob = ObjectID.permanent(EntityID(0), key: 2, in: StoreID(0))
  private let cat = ObjectID.permanent(EntityID(1), key: 3, in: StoreID(0))
  private let dog = ObjectID.permanent(EntityID(1), key: 4, in: StoreID(0))

  /// Returns Ann, her friend Bob, her cat and a dog, saved in context 0.
  private func world(
    parents: [Int?] = [nil], hasUndoManager: Bool = false, isOrdered: Bool = false
  ) -> World {
    var world = World(
      parents: parents, isOrdered: isOrdered, settings: { $0.hasUndoManager = hasUndoManager })
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .insert(world.owner, as: world.bob))
    world.perform(0, .insert(world.pet, as: world.cat))
    world.perform(0, .insert(world.pet, as: world.dog))
    world.perform(0, .add(world.ann, world.friends, world.reference(0, world.bob)))
    world.perform(0, .add(world.ann, world.pets, world.reference(0, world.cat)))
    world.save(0)
    for c in 1..<parents.count {
      for name in [world.ann, world.bob, world.cat, world.dog] {
        world.hold(name, from: 0, in: c)
        world.perform(c, .existingObject(with: world.reference(c, name), as: name))
      }
    }
    return world
  }

  private func collections(_ world: World, _ c: Int = 0) -> [[ObjectID]]? {
    world.view(c).first { $0.id == ann }?.collections
  }

  // MARK: Its own values

  @Test func `a deleted object can be set without being changed (C10)`() {
    var world = world()
    world.perform(0, .delete(world.bob))
    world.perform(0, .processPendingChanges)
    #expect(world.perform(0, .set(world.bob, world.name, .integer(3))) == [])
    #expect(world.perform(0, .setPrimitive(world.bob, world.age, .integer(4))) == [])
    #expect(world.perform(0, .increment(world.bob, world.age)) == [.integer(5)])
    #expect(world.get(0, world.bob, world.name) == .integer(3))
    #expect(world.get(0, world.bob, world.age) == .integer(5))
    #expect(world.perform(0, .changedValues(world.bob)) == [.values(bob, [])])
    #expect(world.perform(0, .changedValuesForCurrentEvent(world.bob)) == [.values(bob, [])])
    #expect(world.view(0).filter(\.isUpdated).map(\.id) == [ann])
    #expect(world.perform(0, .processPendingChanges) == [])
    #expect(world.save(0).didSave(0)?.deleted == [bob])
    #expect(world.rows.map(\.id) == [ann, cat, dog])
  }

  @Test func `a deleted insertion can be set as long as it is registered (CT-08)`() {
    var world = world()
    world.perform(0, .insert(world.owner, as: world.other))
    world.perform(0, .delete(world.other))
    #expect(world.perform(0, .increment(world.other, world.age)) == [.integer(1)])
    #expect(world.get(0, world.other, world.age) == .integer(1))
    #expect(world.perform(0, .hasChanges) == [.flag(false)])
    #expect(world.perform(0, .processPendingChanges) == [])
    #expect(world.get(0, world.other, world.age) == .failed(.noContext))
  }

  @Test(arguments: [true, false])
  func `a deleted object forgets set values when it comes back (FL-10, UN-02)`(_ isUndone: Bool) {
    var world = world(hasUndoManager: true)
    world.set(0, world.bob, world.name, 1)
    world.save(0)
    world.perform(0, .delete(world.bob))
    world.perform(0, .processPendingChanges)
    world.set(0, world.bob, world.name, 2)
    world.perform(0, .processPendingChanges)
    world.perform(0, isUndone ? .undo : .rollback)
    #expect(world.view(0).map(\.isDeleted) == [false, false, false, false])
    #expect(world.get(0, world.bob, world.name) == .integer(1))
  }

  // MARK: As a member

  @Test func `a deleted object joins a to-many relationship, and shows nothing of it`() {
    var world = world()
    world.perform(0, .delete(world.dog))
    world.perform(0, .processPendingChanges)
    #expect(world.perform(0, .add(world.ann, world.pets, world.reference(0, world.dog))) == [])
    #expect(world.get(0, world.ann, world.pets) == .collection([cat, dog]))
    #expect(world.get(0, world.dog, world.keeper) == .value(.null))
    #expect(
      world.perform(0, .changedValues(world.ann))
        == [.values(ann, [PropertyContent(world.pets, collection: [cat, dog])])])
    // The same holds if the inverse is to-many.
    world.perform(0, .delete(world.bob))
    world.perform(0, .processPendingChanges)
    #expect(world.get(0, world.ann, world.friends) == .collection([]))
    world.perform(0, .remove(world.bob, world.friends, world.reference(0, world.ann)))
    #expect(world.perform(0, .add(world.ann, world.friends, world.reference(0, world.bob))) == [])
    #expect(world.get(0, world.ann, world.friends) == .collection([bob]))
    // The deletion left Bob's own side as it was.
    #expect(world.get(0, world.bob, world.friends) == .collection([ann]))
  }

  @Test func `a deleted object may be in the list that replaces a relationship`() {
    var world = world(isOrdered: true)
    world.perform(0, .insert(world.pet, as: world.other))
    world.perform(0, .delete(world.other))
    world.perform(0, .delete(world.cat))
    let list = [world.dog, world.other, world.cat].map { world.reference(0, $0) }
    #expect(world.perform(0, .replace(world.ann, world.pets, list)) == [])
    #expect(
      world.get(0, world.ann, world.pets) == .collection([dog, world.temporary(world.pet, 5), cat]))
    #expect(world.get(0, world.dog, world.keeper) == .value(.object(ann)))
    #expect(world.get(0, world.other, world.keeper) == .value(.null))
  }

  @Test func `a deleted object joins no to-one relationship, and takes no members`() {
    var world = world()
    world.perform(0, .delete(world.bob))
    let bob = world.reference(0, world.bob)
    #expect(world.perform(0, .relate(world.cat, world.keeper, bob)) == [.nothing])
    #expect(world.perform(0, .remove(world.ann, world.friends, bob)) == [.nothing])
    #expect(
      world.perform(0, .add(world.bob, world.pets, world.reference(0, world.cat))) == [.nothing])
  }

  // MARK: Repair

  @Test func `a deleted object is taken out of changed objects at the save (RL-15)`() {
    var world = world()
    world.perform(0, .delete(world.dog))
    world.perform(0, .processPendingChanges)
    world.perform(0, .add(world.ann, world.pets, world.reference(0, world.dog)))
    world.perform(0, .processPendingChanges)
    #expect(collections(world)?[0] == [cat, dog])
    let events = world.save(0)
    #expect(events.objectsDidChange(0)?.updated == [ann])
    #expect(events.didSave(0)?.updated == [ann])
    #expect(collections(world)?[0] == [cat])
    #expect(world.rows.map(\.id) == [ann, bob, cat])
    #expect(world.rows[0].collections[0] == [cat])
  }

  @Test func `a deleted object is taken out of an insertion, in order (RL-15)`() {
    var world = world(isOrdered: true)
    world.perform(0, .insert(world.owner, as: world.other))
    world.perform(0, .delete(world.dog))
    world.perform(0, .processPendingChanges)
    let list = [world.dog, world.cat].map { world.reference(0, $0) }
    world.perform(0, .replace(world.other, world.pets, list))
    world.save(0)
    #expect(world.get(0, world.other, world.pets) == .collection([cat]))
  }

  @Test
  func `a deleted object is taken out in the saving child, and not handed over to its parent`() {
    var world = world(parents: [nil, 0])
    world.perform(1, .delete(world.dog))
    world.perform(1, .processPendingChanges)
    world.perform(1, .add(world.ann, world.pets, world.reference(1, world.dog)))
    let events = world.save(1)
    #expect(collections(world, 1)?[0] == [cat])
    #expect(events.objectsDidChange(1)?.updated == [ann])
    // The other friend is deleted only in the parent.
    world.perform(0, .insert(world.owner, as: world.other))
    world.save(0)
    world.hold(world.other, from: 0, in: 1)
    world.perform(1, .existingObject(with: world.reference(1, world.other), as: world.other))
    world.perform(0, .delete(world.other))
    world.perform(0, .processPendingChanges)
    world.perform(1, .add(world.ann, world.friends, world.reference(1, world.other)))
    world.save(1)
    #expect(collections(world, 0)?[1] == [bob])
    world.save(0)
    #expect(collections(world, 0)?[1] == [bob])
    #expect(world.rows[0].collections[1] == [bob])
  }
}
