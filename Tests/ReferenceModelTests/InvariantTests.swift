import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `An invariant of the reference model` {
  private let root = ContextID(0)

  /// Returns a saved owner with two pets, one of which is a fault.
  private func savedOwner() -> World {
    var world = World(parents: [nil])
    for (entity, name) in [
      (world.owner, world.ann), (world.pet, world.cat), (world.pet, world.dog),
    ] {
      world.perform(0, .insert(entity, as: name))
    }
    for name in [world.cat, world.dog] {
      world.perform(0, .add(world.ann, world.pets, world.reference(0, name)))
    }
    world.perform(0, .save)
    world.perform(0, .refresh(world.cat, mergeChanges: false))
    world.perform(0, .processPendingChanges)
    return world
  }

  @Test func `the invariants of the reference model hold after every step`() {
    let reference = savedOwner().reference
    #expect(reference.brokenInvariants() == [])
    reference.checkInvariants()
  }

  @Test(arguments: ReferenceStack.Defect.allCases)
  func `an invariant that is broken is noticed`(defect: ReferenceStack.Defect) throws {
    let world = savedOwner()
    var reference = world.reference
    let views = reference.view(of: root)
    let owner = try #require(views.first { $0.id.entity == world.owner })
    let fault = try #require(views.first { $0.isFault })
    // Collection 0 is the owner's first to-many relationship.
    reference.plant(defect, in: root, object: owner.id, collection: 0, fault: fault.id)
    #expect(!reference.brokenInvariants().isEmpty)
  }
}
