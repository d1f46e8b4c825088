import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `A relationship` {
  /// Returns `n` and `m` in the saved folder `f`, and an empty folder `g`.
  private func filed(_ change: @escaping (inout Relationship) -> Void = { _ in }) -> Stage {
    var stage = Stage([nil]) { _, folder in folder.properties[1].changeRelationship(change) }
    stage.run(
      0, .insert(Note.entity, as: .n), .insert(Note.entity, as: .m),
      .insert(Folder.entity, as: .f), .insert(Folder.entity, as: .g),
      .relate(.n, Note.folder, HeldInstance(0, .f)), .add(.f, Folder.notes, HeldInstance(0, .m)),
      .save)
    return stage
  }

  private func notes(_ stage: Stage, _ folder: ObjectName) -> [ObjectID]? {
    stage[0, folder]?.collections.first
  }

  private func ids(_ stage: Stage, _ names: ObjectName...) -> [ObjectID] {
    names.compactMap { stage.id(0, $0) }
  }

  private func folder(_ stage: Stage, _ note: ObjectName) -> Value? {
    stage.shown(0, note, Note.folder)
  }

  @Test func `a relationship changes on both sides at once (RL-01)`() throws {
    var stage = filed()
    let g = try #require(stage.id(0, .g))
    #expect(notes(stage, .f) == ids(stage, .n, .m))
    #expect(folder(stage, .m) == stage.id(0, .f).map { .object($0) })
    stage.run(0, .relate(.n, Note.folder, HeldInstance(0, .g)))
    #expect(notes(stage, .f) == ids(stage, .m) && notes(stage, .g) == ids(stage, .n))
    #expect([.n, .f, .g].allSatisfy { stage[0, $0]?.isUpdated == true })
    #expect(stage[0, .m]?.isUpdated == false)
    stage.run(0, .add(.g, Folder.notes, HeldInstance(0, .m)))
    #expect(folder(stage, .m) == .object(g) && notes(stage, .f) == [])
    stage.run(0, .remove(.g, Folder.notes, HeldInstance(0, .n)))
    #expect(folder(stage, .n) == .null && notes(stage, .g) == ids(stage, .m))
  }

  @Test func `a relationship is nullified in the survivors of a deletion (RL-06)`() {
    var stage = filed()
    stage.run(0, .delete(.f), .processPendingChanges)
    for name in [ObjectName.n, .m] {
      #expect(folder(stage, name) == .null && stage[0, name]?.isUpdated == true)
    }
    #expect(stage.run(0, .save).didSave(0).map(\.updated) == [ids(stage, .n, .m)])
    #expect(stage.rows.filter { $0.id.entity == Note.entity }.map(\.values[2]) == [.null, .null])
  }

  @Test func `a relationship with cascade takes its destinations along (RL-07)`() {
    var stage = filed { $0.deleteRule = .cascade }
    let doomed = ids(stage, .n, .m)
    let processed = stage.run(0, .delete(.f), .processPendingChanges)
    #expect(processed.hooks(.prepareForDeletion, 0) == ids(stage, .f) + doomed)
    #expect(stage[0, .n]?.isDeleted == true && stage[0, .m]?.isDeleted == true)
    stage.run(0, .save)
    #expect(stage.rows.map(\.id) == ids(stage, .g))
  }

  @Test func `a relationship cascades through several generations (RL-07)`() {
    // A note's deletion cascades to its folder, and from there to the folder's notes.
    var stage = Stage([nil]) { note, folder in
      note.properties[2].changeRelationship { $0.deleteRule = .cascade }
      folder.properties[1].changeRelationship { $0.deleteRule = .cascade }
    }
    stage.run(
      0, .insert(Note.entity, as: .n), .insert(Note.entity, as: .m),
      .insert(Folder.entity, as: .f),
      .replace(.f, Folder.notes, [HeldInstance(0, .n), HeldInstance(0, .m)]),
      .save, .delete(.n), .save)
    #expect(stage.rows.isEmpty && stage.view(0).isEmpty)
  }

  @Test func `a relationship with deny fails the save, not the deletion (RL-08)`() throws {
    var stage = filed { $0.deleteRule = .deny }
    let f = try #require(stage.id(0, .f))
    #expect(stage.run(0, .delete(.f)).failure == nil && stage[0, .f]?.isDeleted == true)
    #expect(
      stage.run(0, .save).failure
        == .validation([.init(.validationRelationshipDeniedDelete, f, Folder.notes)]))
    stage.run(0, .delete(.n), .delete(.m))
    #expect(stage.run(0, .save).failure == nil)
    #expect(stage.rows.map(\.id) == ids(stage, .g))
  }

  @Test func `a relationship shows a deleted object until processing (RL-10, RL-11)`() {
    var stage = filed()
    stage.run(0, .delete(.n))
    #expect(notes(stage, .f) == ids(stage, .n, .m) && stage[0, .f]?.isUpdated == false)
    stage.run(0, .processPendingChanges)
    #expect(notes(stage, .f) == ids(stage, .m) && stage[0, .f]?.isUpdated == true)
  }

  @Test func `a relationship that is replaced orphans what is left out (RL-13)`() {
    var stage = filed()
    stage.run(0, .replace(.f, Folder.notes, [HeldInstance(0, .m)]))
    #expect(folder(stage, .n) == .null && stage[0, .n]?.isDeleted == false)
    #expect(notes(stage, .f) == ids(stage, .m))
    stage.run(0, .save)
    #expect(stage.rows.count == 4)
  }

  @Test func `a relationship may be empty without a minimum, optional or not (SV-A12)`() {
    var stage = filed { $0.isOptional = false }
    stage.run(0, .remove(.f, Folder.notes, HeldInstance(0, .n)))
    #expect(stage.run(0, .save).failure == nil)
  }

  @Test func `a relationship has its count checked by the save (RL-14)`() {
    var stage = filed {
      $0.minimumCount = 2
      $0.maximumCount = 3
    }
    let note = HeldInstance(0, .k)
    stage.run(0, .remove(.f, Folder.notes, HeldInstance(0, .n)))
    #expect(stage.run(0, .save).codes == [.validationRelationshipLacksMinimumCount])
    for _ in 0..<3 { stage.run(0, .insert(Note.entity, as: .k), .add(.f, Folder.notes, note)) }
    #expect(stage.run(0, .save).codes == [.validationRelationshipExceedsMaximumCount])
    stage.run(0, .remove(.f, Folder.notes, note))
    #expect(stage.run(0, .save).failure == nil)
  }
}
