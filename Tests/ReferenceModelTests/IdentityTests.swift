import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Identity` {
  @Test func `a root save makes the ID permanent and keeps the instance (ID-02)`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    let events = world.save(0)
    #expect(
      events.contains(
        .becamePermanent(
          ContextID(0), world.temporary(world.owner, 1), world.permanent(world.owner, 1))))
    #expect(world.view(0).map(\.id) == [world.permanent(world.owner, 1)])
    #expect(world.view(0).map(\.isInserted) == [false])
    #expect(world.get(0, world.ann, world.name) == .value(.null))
  }

  @Test func `a child save leaves the temporary ID, which its parent has (ID-03, ID-04)`() {
    var world = World(parents: [nil, 0])
    world.perform(1, .insert(world.owner, as: world.ann))
    world.set(1, world.ann, world.name, 7)
    let events = world.save(1)
    let id = world.temporary(world.owner, 1)
    #expect(world.view(1).map(\.id) == [id])
    #expect(world.view(1).map(\.isInserted) == [false])
    #expect(world.view(0).map(\.id) == [id])
    #expect(world.view(0).map(\.isInserted) == [true])
    #expect(world.view(0)[0].values[0] == .integer(7))
    // LC-02: the object is empty when it awakens in the parent.
    #expect(
      events.contains(
        .awakeFromInsert(ContextID(0), id, [.null, .null, .integer(0), .null])))
  }

  @Test func `a root save leaves temporary IDs below, as today's systems do (ID-06)`() {
    var world = World(parents: [nil, 0])
    world.perform(1, .insert(world.owner, as: world.ann))
    world.save(1, 0)
    #expect(world.view(1).map(\.id) == [world.temporary(world.owner, 1)])
  }

  @Test func `without the quirk a root save renames everywhere (ID-06)`() {
    var world = World(parents: [nil, 0], quirks: QuirkSet())
    world.perform(1, .insert(world.owner, as: world.ann))
    world.perform(1, .insert(world.pet, as: world.cat))
    world.perform(1, .relate(world.cat, world.keeper, world.reference(1, world.ann)))
    world.save(1, 0)
    #expect(
      world.view(1).map(\.id)
        == [world.permanent(world.owner, 1), world.permanent(world.pet, 2)])
    #expect(
      world.get(1, world.cat, world.keeper)
        == .value(.object(world.permanent(world.owner, 1))))
    #expect(
      world.get(1, world.ann, world.pets) == .collection([world.permanent(world.pet, 2)]))
  }

  @Test func `an old temporary ID finds the row in a later sibling (ID-16)`() {
    var world = World(parents: [nil, 0, 0])
    world.perform(1, .insert(world.owner, as: world.ann))
    world.set(1, world.ann, world.name, 7)
    world.save(1, 0)
    world.hold(world.ann, from: 1, in: 2)
    #expect(world.view(2).map(\.id) == [world.permanent(world.owner, 1)])
    #expect(world.get(2, world.ann, world.name) == .integer(7))
  }

  @Test func `on old systems a row has two instances, and another branch none (ID-15, ID-17)`() {
    var world = World(parents: [nil, 0, 0], quirks: Profile.legacy.quirks)
    world.perform(1, .insert(world.owner, as: world.ann))
    world.save(1, 0)
    world.perform(1, .fetch(FetchRequest(entity: world.owner)))
    world.perform(0, .fetch(FetchRequest(entity: world.owner)))
    world.perform(1, .object(with: world.reference(0, world.ann), as: world.other))
    #expect(
      world.view(1).map(\.id)
        == [world.permanent(world.owner, 1), world.temporary(world.owner, 1)])
    world.hold(world.ann, from: 1, in: 2)
    #expect(
      world.get(2, world.ann, world.name)
        == .failed(.inaccessible(world.temporary(world.owner, 1))))
  }

  @Test func `a permanent ID obtained early is kept by all saves (ID-08, ID-10)`() {
    var world = World(parents: [nil, 0])
    world.perform(1, .insert(world.owner, as: world.ann))
    let id = world.permanent(world.owner, 1)
    #expect(
      world.perform(1, .obtainPermanentIDs([world.ann]))
        == [.becamePermanent(ContextID(1), world.temporary(world.owner, 1), id)])
    world.save(1)
    #expect(world.view(0).map(\.id) == [id])
    #expect(world.view(0).map(\.isInserted) == [true])
    #expect(world.rows.isEmpty)
    world.save(0)
    #expect(world.rows.map(\.id) == [id])
    #expect(world.view(1).map(\.id) == [id])
  }

  @Test func `an object without a row is missing, or a fault until used (ID-20, ID-21)`() {
    var world = World(parents: [nil, nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    let id = world.temporary(world.owner, 1)
    #expect(
      world.perform(1, .existingObject(with: world.reference(0, world.ann), as: world.ann))
        == [.failed(.missingObject(id))])
    #expect(world.view(1).isEmpty)
    #expect(
      world.perform(1, .registeredObject(for: world.reference(0, world.ann), as: world.ann))
        == [.nothing])
    world.hold(world.ann, from: 0, in: 1)
    #expect(world.view(1).map(\.isFault) == [true])
    // ID-24, FL-14: an object that was read counts as deleted, and reads nil.
    #expect(world.get(1, world.ann, world.name) == .value(.null))
    #expect(world.view(1).map(\.isDeleted) == [true])
  }
}
