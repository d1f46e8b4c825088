import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

extension Stage {
  /// Returns a stage in which context 0 has saved `f` with `n` in it. Context 1 has realised `f`
  /// and used none of its notes.
  fileprivate static func unused(
    _ parents: [Int?] = [nil, nil], ordered: Bool = false, undo: Bool = false
  ) -> Stage {
    var stage = Stage(
      parents,
      model: { _, folder in folder.properties[1].changeRelationship { $0.isOrdered = ordered } },
      settings: { $0.hasUndoManager = undo })
    stage.run(0, .insert(Folder.entity, as: .f))
    stage.addNote(.n, 0)
    stage.load(.f, from: 0, in: 1)
    return stage
  }

  /// Saves a new note in `f`.
  fileprivate mutating func addNote(_ name: ObjectName, _ c: Int) {
    run(c, .insert(Note.entity, as: name), .relate(name, Note.folder, HeldInstance(c, .f)), .save)
  }

  /// Returns the notes of `f`, by a step that uses them.
  fileprivate mutating func notes(_ c: Int) -> [ObjectID]? {
    run(c, .get(.f, Folder.notes)).events.lazy.compactMap {
      if case .collection(let members) = $0 { members } else { nil }
    }.first
  }

  fileprivate func ids(_ c: Int, _ names: ObjectName...) -> [ObjectID] {
    names.compactMap { id(c, $0) }
  }
}

@Suite struct `A to-many relationship` {
  @Test func `a to-many relationship is fired when it is first used (RL-16, FR-A9)`() {
    var stage = Stage.unused()
    #expect(stage[1, .f]?.isFault == false && stage[1, .f]?.collections == [[]])
    stage.addNote(.m, 0)
    let ids = stage.ids(0, .n, .m)
    #expect(stage.notes(1) == ids && stage[1, .f]?.collections == [ids])
    #expect(stage.world.graph.marks.contains(.collectionIsNewer))
  }

  @Test func `a to-many relationship stays as it was fired (FR-A9)`() {
    var stage = Stage.unused()
    let ids = stage.ids(0, .n)
    #expect(stage.notes(1) == ids)
    stage.addNote(.m, 0)
    #expect(stage.notes(1) == ids)
  }

  @Test func `a fired relationship fires no member and calls no hook (RL-16)`() {
    var stage = Stage.unused()
    stage.run(1, .object(with: HeldInstance(0, .n), as: .n))
    let used = stage.run(1, .get(.f, Folder.notes))
    #expect(used.events == [.collection(stage.ids(0, .n))])
    #expect(stage[1, .n]?.isFault == true && stage.view(1).count == 2)
    #expect(!stage.hasChanges(1) && stage.run(1, .processPendingChanges).events == [])
  }

  @Test func `a fired relationship registers no member`() {
    var stage = Stage.unused()
    #expect(stage.notes(1) == stage.ids(0, .n))
    #expect(stage.view(1).map(\.id) == stage.ids(1, .f))
  }

  @Test func `a to-many relationship in a child is what its parent shows (FL-23)`() {
    var stage = Stage.unused([nil, 0])
    stage.run(0, .insert(Note.entity, as: .m), .relate(.m, Note.folder, HeldInstance(0, .f)))
    #expect(stage.notes(1) == stage.ids(0, .n, .m).sorted())
  }

  @Test func `a to-many relationship in a child is used on each level above (FL-24)`() {
    var stage = Stage.unused([nil, 0, 1])
    stage.run(0, .refresh(.f, mergeChanges: false))
    stage.load(.f, from: 1, in: 2)
    #expect(stage[0, .f]?.isFault == true)
    let ids = stage.ids(0, .n)
    #expect(stage.notes(2) == ids)
    #expect((0..<3).allSatisfy { stage[$0, .f]?.collections == [ids] })
  }

  @Test func `a to-many relationship is used before the other side changes it`() {
    var stage = Stage.unused()
    stage.run(1, .insert(Note.entity, as: .m), .relate(.m, Note.folder, HeldInstance(1, .f)))
    #expect(stage[1, .f]?.collections == [(stage.ids(0, .n) + stage.ids(1, .m)).sorted()])
    stage.run(1, .rollback)
    #expect(stage[1, .f]?.collections == [stage.ids(0, .n)])
  }

  @Test func `a to-many relationship is used by the deletion of its object`() {
    var stage = Stage.unused()
    stage.run(1, .delete(.f), .save)
    #expect(stage.rows.map(\.values.last) == [.null])
  }

  @Test func `a to-many relationship is used by committedValues`() {
    var stage = Stage.unused()
    let asked = stage.run(1, .committedValues(.f))
    let ids = stage.ids(0, .n)
    let expected = [
      PropertyContent(Folder.name, .null), PropertyContent(Folder.notes, collection: ids),
    ]
    #expect(asked.events == [.values(stage.id(1, .f)!, expected)])
    #expect(stage[1, .f]?.collections == [ids])
  }

  @Test(arguments: [0, 1])
  func `a to-many relationship is used by validation that counts`(maximum: Int) {
    var stage = Stage(
      [nil, nil],
      model: { _, folder in
        folder.properties[1].changeRelationship { $0.maximumCount = maximum }
      })
    stage.run(0, .insert(Folder.entity, as: .f))
    stage.addNote(.n, 0)
    stage.load(.f, from: 0, in: 1)
    #expect(stage.run(1, .validate(.f, .forUpdate)).failure == nil)
    #expect(stage[1, .f]?.collections == [maximum == 0 ? [] : stage.ids(0, .n)])
  }

  @Test func `a to-many relationship is left alone by a save unless it was used`() {
    var stage = Stage.unused()
    stage.run(1, .set(.f, Folder.name, .text(1)), .save)
    #expect(stage[1, .f]?.collections == [[]])
    stage.addNote(.m, 1)
    let ids = stage.ids(0, .n) + stage.ids(1, .m)
    #expect(stage[1, .f]?.collections == [ids] && stage.rows.first?.collections == [ids])
  }
}

@Suite struct `A refresh of to-many relationships` {
  @Test func `a refresh that keeps changes makes unchanged relationships faults (FL-02)`() {
    var stage = Stage.unused()
    #expect(stage.notes(1) == stage.ids(0, .n))
    stage.run(1, .set(.f, Folder.name, .text(1)))
    stage.addNote(.m, 0)
    stage.run(1, .refresh(.f, mergeChanges: true))
    #expect(stage[1, .f]?.collections == [[]] && stage.shown(1, .f, Folder.name) == .text(1))
    #expect(stage.world.graph.marks.contains(.refreshUnfires))
    #expect(stage.notes(1) == stage.ids(0, .n, .m))
  }

  @Test func `a refresh repeats local changes on the current members (FL-02)`() {
    var stage = Stage.unused()
    stage.run(1, .insert(Note.entity, as: .k), .relate(.k, Note.folder, HeldInstance(1, .f)))
    stage.addNote(.m, 0)
    stage.run(1, .refresh(.f, mergeChanges: true))
    #expect(
      stage[1, .f]?.collections == [(stage.ids(0, .n, .m) + stage.ids(1, .k)).sorted()])
  }

  @Test func `a refresh above keeps no order from being handed over`() {
    var stage = Stage.unused([nil, 0], ordered: true)
    stage.addNote(.m, 0)
    for name in [ObjectName.n, .m] { stage.load(name, from: 0, in: 1) }
    stage.run(1, .replace(.f, Folder.notes, [HeldInstance(1, .m), HeldInstance(1, .n)]))
    stage.run(0, .refresh(.f, mergeChanges: false))
    stage.run(1, .save)
    #expect(stage[0, .f]?.collections == [stage.ids(0, .m, .n)])
  }
}

@Suite struct `Undo of to-many relationships` {
  @Test func `undo leaves alone what the former state did not know`() {
    var stage = Stage.unused(undo: true)
    stage.run(1, .set(.f, Folder.name, .text(1)), .processPendingChanges)
    #expect(stage.notes(1) == stage.ids(0, .n))
    stage.run(1, .undo)
    #expect(stage.shown(1, .f, Folder.name) == .null && !stage.hasChanges(1))
    #expect(stage[1, .f]?.collections == [stage.ids(0, .n)])
    #expect(stage.world.graph.marks.contains(.undoSparesCollection))
  }

  @Test func `undo leaves an unfired relationship unfired`() {
    var stage = Stage.unused(undo: true)
    stage.run(1, .set(.f, Folder.name, .text(1)), .undo)
    #expect(stage[1, .f]?.collections == [[]])
    #expect(stage.notes(1) == stage.ids(0, .n))
  }

  @Test func `undo goes back to the members that were there at first use`() {
    var stage = Stage.unused(undo: true)
    stage.run(1, .set(.f, Folder.name, .text(1)))
    stage.run(1, .insert(Note.entity, as: .m), .relate(.m, Note.folder, HeldInstance(1, .f)))
    stage.run(1, .undo)
    #expect(stage[1, .f]?.collections == [stage.ids(0, .n)] && !stage.hasChanges(1))
  }

  @Test func `undo fires a relationship into which it puts members`() {
    var stage = Stage.unused(undo: true)
    stage.run(1, .insert(Note.entity, as: .m), .relate(.m, Note.folder, HeldInstance(1, .f)), .save)
    stage.run(1, .refresh(.f, mergeChanges: false), .undo)
    #expect(stage[1, .f]?.collections == [stage.ids(0, .n)] && stage[1, .f]?.isUpdated == true)
  }
}
