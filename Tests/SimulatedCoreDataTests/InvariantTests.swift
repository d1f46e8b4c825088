import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `An invariant of the world` {
  /// Returns a world with two saved notes in a folder. One of the notes is a fault.
  private func world() -> World {
    var stage = Stage([nil])
    stage.run(
      0, .insert(Folder.entity, as: .f), .insert(Note.entity, as: .n),
      .insert(Note.entity, as: .m), .add(.f, Folder.notes, HeldInstance(0, .n)),
      .add(.f, Folder.notes, HeldInstance(0, .m)), .save, .refresh(.n, mergeChanges: false),
      .processPendingChanges)
    return stage.world
  }

  @Test func `the invariants of the world hold after every step`() {
    let world = world()
    #expect(world.brokenInvariants() == [])
    world.checkInvariants()
  }

  @Test(arguments: ObjectGraph.Defect.allCases)
  func `an invariant that is broken is noticed`(defect: ObjectGraph.Defect) throws {
    var world = world()
    let context = ContextID(0)
    let folder = try #require(world.graph.heldID(context, .f))
    let fault = try #require(world.graph.heldID(context, .n))
    world.plant(defect, in: context, object: folder, collection: Folder.notes, fault: fault)
    #expect(!world.brokenInvariants().isEmpty)
  }
}
