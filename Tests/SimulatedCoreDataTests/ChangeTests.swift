import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `A change` {
  /// Returns a root with a saved note.
  private func saved() -> Stage {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)), .save)
    return stage
  }

  @Test func `a change to an equal value still makes the object dirty (CT-01)`() throws {
    var stage = saved()
    #expect(!stage.hasChanges(0))
    stage.run(0, .set(.n, Note.title, .text(1)))
    #expect(stage.hasChanges(0) && stage[0, .n]?.isUpdated == true)
    let inspected = try #require(
      stage.id(0, .n).flatMap { stage.world.graph.inspect($0, in: ContextID(0)) })
    #expect(inspected.isChanged(Note.title) && !inspected.isChanged(Note.stamp))
    // No value differs, so nothing is written.
    #expect(stage.run(0, .save).didSave(0).map(\.updated.count) == [1])
    #expect(stage.rows.map(\.version) == [1])
  }

  @Test func `a change is in the sets at once (CT-12)`() {
    var stage = saved()
    stage.run(0, .insert(Note.entity, as: .m))
    #expect(stage[0, .m]?.isInserted == true)
    stage.run(0, .set(.n, Note.title, .text(2)))
    #expect(stage[0, .n]?.isUpdated == true)
    stage.run(0, .delete(.n))
    #expect(stage[0, .n]?.isDeleted == true && stage[0, .n]?.isUpdated == false)
  }

  @Test func `a change is reported with all others of its block (NM-A6)`() {
    var stage = Stage([nil])
    let insertions = (0..<200).map { AddressedStep(0, .insert(Note.entity, as: ObjectName($0))) }
    let performed = stage.run(0, .perform(insertions))
    #expect(performed.objectsDidChange(0).map(\.inserted.count) == [200])
  }

  @Test func `a change is reported once by processPendingChanges (CT-11)`() {
    var stage = saved()
    stage.run(0, .set(.n, Note.title, .text(2)))
    let id = stage.view(0)[0].id
    #expect(
      stage.run(0, .processPendingChanges).events == [
        .objectsDidChange(ContextID(0), ChangeSets(updated: [id]))
      ])
    #expect(stage.run(0, .processPendingChanges).events == [])
    #expect(stage.hasChanges(0))
  }
}

@Suite struct `An insertion that is deleted before it was saved` {
  @Test func `a deleted insertion is in neither set, and not in DidSave (CT-08)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .processPendingChanges, .delete(.n))
    #expect(stage[0, .n]?.isInserted == false)
    stage.run(0, .processPendingChanges)
    #expect(stage.view(0).isEmpty)
    #expect(stage.run(0, .save).didSave(0) == [ChangeSets()])
    #expect(stage.rows.isEmpty)
  }

  @Test func `a deletion in the event of the insertion is not reported at all (CT-09)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .delete(.n))
    #expect(stage.run(0, .processPendingChanges).events == [])
  }

  @Test func `a deletion in a later event than the insertion is reported (CT-10)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .processPendingChanges, .delete(.n))
    #expect(
      stage.run(0, .processPendingChanges).objectsDidChange(0) == [
        ChangeSets(deleted: [.temporary(Note.entity, serial: 1)])
      ])
  }
}
