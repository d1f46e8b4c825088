import Determinism
import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

extension Stage {
  /// Returns a stage whose contexts have undo managers.
  fileprivate static func undoing(_ parents: [Int?] = [nil], retaining: Bool = false) -> Stage {
    Stage(
      parents,
      settings: {
        $0.hasUndoManager = true
        $0.retainsRegisteredObjects = retaining
      })
  }

  /// Returns a saved note with title 1, whose insertion cannot be undone.
  fileprivate static func saved(_ parents: [Int?] = [nil], retaining: Bool = false) -> Stage {
    var stage = undoing(parents, retaining: retaining)
    stage.run(0, .disableUndoRegistration, .insert(Note.entity, as: .n))
    stage.run(0, .set(.n, Note.title, .text(1)), .save, .enableUndoRegistration)
    return stage
  }

  fileprivate func titles(_ c: Int) -> [Value] { view(c).map(\.values[0]) }
}

extension [Performed] {
  func snapshots(_ c: Int) -> [SnapshotEvent] {
    events.compactMap {
      if case .awakeFromSnapshot(ContextID(c), _, let cause) = $0 { cause } else { nil }
    }
  }
}

@Suite struct `Undo` {
  @Test func `undo does nothing without an undo manager (UN-01)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n))
    for step in [Step.undo, .redo, .disableUndoRegistration, .enableUndoRegistration] {
      #expect(stage.run(0, step).events == [.nothing])
    }
    #expect(stage.view(0).count == 1)
  }

  @Test func `an undo group has the permanent IDs of the objects that it mentions`() {
    var mentioned = Stage.undoing()
    mentioned.run(0, .insert(Note.entity, as: .n), .save)
    #expect(mentioned.world.graph.marks.contains(.renamedInUndoGroup))
    var unmentioned = Stage.saved()
    unmentioned.run(0, .set(.n, Note.title, .text(2)), .processPendingChanges)
    unmentioned.run(0, .disableUndoRegistration, .insert(Note.entity, as: .m), .save)
    #expect(!unmentioned.world.graph.marks.contains(.renamedInUndoGroup))
  }

  @Test func `undo removes an insertion, and redo brings it back (UN-02)`() {
    var stage = Stage.undoing()
    stage.run(0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)))
    let id = stage.id(0, .n)!
    let undone = stage.run(0, .undo)
    #expect(undone.snapshots(0) == [.undoInsertion])
    #expect(
      undone.objectsDidChange(0) == [ChangeSets(inserted: [id]), ChangeSets(deleted: [id])])
    #expect(stage.view(0).isEmpty && !stage.hasChanges(0))
    let redone = stage.run(0, .redo)
    #expect(redone.snapshots(0) == [.undoDeletion])
    #expect(redone.objectsDidChange(0) == [ChangeSets(inserted: [id])])
    #expect(stage.view(0).map(\.id) == [id] && stage.view(0)[0].isInserted)
    #expect(stage.titles(0) == [.text(1)])
    stage.run(0, .save)
    #expect(stage.rows.map(\.values[0]) == [.text(1)])
  }

  @Test func `undo goes back event by event (UN-06)`() {
    var stage = Stage.saved()
    stage.run(0, .set(.n, Note.title, .text(2)), .set(.n, Note.stamp, .integer(2)))
    stage.run(0, .processPendingChanges, .set(.n, Note.title, .text(3)))
    #expect(stage.run(0, .undo).snapshots(0) == [.undoUpdate])
    #expect(stage[0, .n]?.values == [.text(2), .integer(2), .null])
    #expect(stage[0, .n]?.isUpdated == true)
    stage.run(0, .undo)
    #expect(stage[0, .n]?.values == [.text(1), .null, .null])
    #expect(stage[0, .n]?.isUpdated == false)
    #expect(stage.run(0, .undo).events == [])
    stage.run(0, .redo, .redo)
    #expect(stage[0, .n]?.values == [.text(3), .integer(2), .null])
    #expect(stage.run(0, .redo).events == [])
  }

  @Test func `undo leaves no redo after another change`() {
    var stage = Stage.saved()
    stage.run(0, .set(.n, Note.title, .text(2)), .undo, .set(.n, Note.stamp, .integer(2)), .redo)
    #expect(stage[0, .n]?.values == [.text(1), .integer(2), .null])
  }

  @Test func `undo restores both sides of a relationship (UN-06)`() {
    var stage = Stage.saved()
    stage.run(0, .insert(Folder.entity, as: .f), .processPendingChanges)
    stage.run(0, .relate(.n, Note.folder, HeldInstance(0, .f)), .undo)
    #expect(stage.shown(0, .n, Note.folder) == .null && stage[0, .f]?.collections == [[]])
    stage.run(0, .redo)
    #expect(stage.shown(0, .n, Note.folder) == .object(stage.id(0, .f)!))
    #expect(stage[0, .f]?.collections == [[stage.id(0, .n)!]])
  }

  @Test func `undo revives an instance that is pending deletion, and redo deletes it`() {
    var stage = Stage.saved()
    stage.run(0, .delete(.n))
    let undone = stage.run(0, .undo)
    #expect(undone.snapshots(0) == [.undoDeletion])
    #expect(undone.objectsDidChange(0).last == ChangeSets(inserted: [stage.id(0, .n)!]))
    #expect(stage[0, .n]?.isDeleted == false && !stage.hasChanges(0))
    #expect(stage.run(0, .redo).hooks(.prepareForDeletion, 0) == [])
    #expect(stage[0, .n]?.isDeleted == true)
    stage.run(0, .save)
    #expect(stage.rows.isEmpty)
  }

  @Test func `undo of a saved insertion deletes it (CT-20)`() {
    var stage = Stage.undoing()
    stage.run(0, .insert(Note.entity, as: .n), .save)
    #expect(stage.run(0, .undo).snapshots(0) == [.undoInsertion])
    #expect(stage[0, .n]?.isDeleted == true)
    stage.run(0, .save)
    #expect(stage.rows.isEmpty)
  }

  @Test func `undo of a saved deletion inserts the row again, under its ID (UN-08)`() {
    var stage = Stage.saved()
    let id = stage.id(0, .n)!
    stage.run(0, .set(.n, Note.stamp, .integer(2)), .save, .delete(.n), .save)
    #expect(stage.rows.isEmpty)
    stage.run(0, .undo)
    #expect(stage.view(0).map(\.id) == [id] && stage.view(0)[0].isInserted)
    let saved = stage.run(0, .save)
    #expect(saved.didSave(0) == [ChangeSets(inserted: [id])])
    #expect(
      stage.rows == [
        RowView(id: id, version: 1, values: [.text(1), .integer(2), .null], collections: [])
      ])
  }

  @Test func `undo past a save dirties the context again (UN-07)`() {
    var stage = Stage.saved()
    stage.run(0, .set(.n, Note.title, .text(2)), .save, .undo)
    #expect(stage.shown(0, .n, Note.title) == .text(1) && stage.hasChanges(0))
    stage.run(0, .save)
    #expect(stage.rows.map(\.values[0]) == [.text(1)])
  }

  @Test func `undo leaves out what was not registered (UN-05)`() {
    var stage = Stage.saved()
    stage.run(0, .set(.n, Note.title, .text(2)), .processPendingChanges)
    stage.run(0, .disableUndoRegistration, .disableUndoRegistration, .enableUndoRegistration)
    stage.run(0, .set(.n, Note.stamp, .integer(2)), .processPendingChanges)
    #expect(stage.run(0, .enableUndoRegistration).events == [])
    #expect(stage.run(0, .enableUndoRegistration).events == [.nothing])
    stage.run(0, .undo)
    // The state that undo recorded does not include the stamp.
    #expect(stage[0, .n]?.values == [.text(1), .null, .null])
    #expect(stage.run(0, .undo).events == [])
  }

  @Test(arguments: [Step.rollback, .reset, .discard])
  func `undo forgets everything with the changes (UN-03, UN-04)`(step: Step) {
    var stage = Stage.undoing()
    stage.run(0, .insert(Note.entity, as: .n), .insert(Note.entity, as: .m), .undo, .redo)
    stage.run(0, .processPendingChanges, step)
    #expect(stage.run(0, .undo).events == [] && stage.run(0, .redo).events == [])
    #expect(stage.view(0).isEmpty)
  }

  @Test func `undo keeps its instances registered, and no others`() {
    var stage = Stage.saved()
    stage.run(0, .set(.n, Note.title, .text(2)), .save, .release(.n))
    #expect(stage.view(0).count == 1)
    stage.run(0, .undo, .rollback)
    #expect(stage.view(0).isEmpty)
  }

  @Test func `undo follows its objects to their permanent IDs`() {
    var stage = Stage.undoing()
    stage.run(0, .insert(Note.entity, as: .n), .insert(Folder.entity, as: .f))
    stage.run(0, .relate(.n, Note.folder, HeldInstance(0, .f)), .processPendingChanges)
    stage.run(0, .relate(.n, Note.folder, nil), .save, .undo)
    #expect(stage.shown(0, .n, Note.folder) == .object(stage.id(0, .f)!))
    #expect(stage[0, .f]?.collections == [[stage.id(0, .n)!]])
    stage.run(0, .undo)
    #expect(stage[0, .n]?.isDeleted == true && stage[0, .f]?.isDeleted == true)
  }

  @Test func `undo reaches what a child has saved into its parent`() {
    var stage = Stage.saved([nil, 0])
    stage.load(.n, from: 0, in: 1)
    stage.run(1, .set(.n, Note.title, .text(2)), .save)
    stage.run(0, .undo)
    #expect(stage.shown(0, .n, Note.title) == .text(1) && !stage.hasChanges(0))
    stage.run(1, .undo)
    #expect(stage.shown(1, .n, Note.title) == .text(1) && stage.hasChanges(1))
  }

  /// Returns the values and flags of all registered objects.
  private func shown(_ stage: Stage) -> [InstanceView] {
    stage.view(0).map {
      var view = $0
      // An equal value counts as a change only the first time.
      view.isUpdated = false
      // A deleted object shows its state at the start of the event.
      if view.isDeleted { (view.values, view.collections) = ([], []) }
      return view
    }
  }

  @Test func `undo and redo lead back to where they began`() {
    var undoneCount = 0
    for seed: UInt64 in 0..<60 {
      var choices = Choices(seed: seed)
      var stage = Stage.saved(retaining: true)
      stage.run(0, .insert(Folder.entity, as: .f), .insert(Note.entity, as: .m), .save)
      let names: [ObjectName] = [.n, .m, .f]
      for _ in 0..<12 {
        let step: Step
        let note: ObjectName = choices.chance(1, in: 2, from: .workload) ? .n : .m
        switch choices.draw(below: 7, from: .workload) {
        case 0: step = .set(note, Note.title, .text(choices.draw(below: 9, from: .workload) + 1))
        case 1: step = .relate(note, Note.folder, HeldInstance(0, .f))
        case 2: step = .relate(note, Note.folder, nil)
        case 3: step = .delete(names[choices.draw(below: 3, from: .workload)])
        case 4: step = .save
        case 5: step = .insert(Note.entity, as: note)
        default: step = .undo
        }
        stage.run(0, step)
        stage.world.checkInvariants()
      }
      stage.run(0, .processPendingChanges)
      let before = shown(stage)
      let undone = stage.run(0, .undo)
      if !undone.events.isEmpty { undoneCount += 1 }
      var copy = stage
      stage.run(0, .redo)
      #expect(shown(stage) == before || undone.events.isEmpty, "seed \(seed)")
      copy.run(0, .redo)
      #expect(copy.world == stage.world, "seed \(seed)")
    }
    #expect(undoneCount > 30)
  }
}
