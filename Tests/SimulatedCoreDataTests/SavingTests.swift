import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `Saves of two children` {
  /// Returns a saved note in the root, loaded with title 1 and stamp 1 in both children.
  private func siblings(merging: [Int] = []) -> Stage {
    var stage = Stage([nil, 0, 0], merging: merging)
    stage.run(
      0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)),
      .set(.n, Note.stamp, .integer(1)), .save)
    for c in [1, 2] { stage.load(.n, from: 0, in: c) }
    stage.run(1, .set(.n, Note.title, .text(2)), .set(.n, Note.stamp, .integer(2)))
    stage.run(2, .set(.n, Note.stamp, .integer(3)))
    return stage
  }

  @Test func `saves of two children hand over only what each changed (SV-04)`() {
    var stage = siblings()
    stage.run(1, .save)
    let second = stage.run(2, .save)
    #expect(second.received(0) == [[Received(Note.stamp, .integer(3))]])
    #expect(stage[0, .n]?.values == [.text(2), .integer(3), .null])
    #expect(stage[0, .n]?.isUpdated == true)
    #expect(stage.rows.first?.values == [.text(1), .integer(1), .null])
  }

  @Test func `a child's save never conflicts with the parent's unsaved changes (SV-05)`() {
    var stage = siblings()
    #expect(stage.world.stack.contexts.allSatisfy { $0.mergePolicy == .error })
    #expect(stage.run(1, .save).failure == nil)
    #expect(stage.run(2, .save).failure == nil)
    #expect(stage.run(0, .save).failure == nil)
    #expect(stage.rows.first?.values == [.text(2), .integer(3), .null])
  }

  @Test func `saves of two children refresh neither of them (SV-06)`() {
    var stage = siblings(merging: [1, 2])
    stage.run(1, .save)
    stage.run(2, .save)
    #expect(stage[1, .n]?.values == [.text(2), .integer(2), .null])
    #expect(stage[2, .n]?.values == [.text(1), .integer(3), .null])
  }

  @Test func `a parent's save reaches children that merge automatically (NT-25)`() {
    var stage = siblings(merging: [1, 2])
    stage.run(1, .save)
    stage.run(2, .save)
    stage.run(2, .set(.n, Note.stamp, .integer(9)))
    stage.run(0, .save)
    // The clean copy is refreshed. The dirty copy keeps its local edit.
    #expect(stage.read(1, .n, Note.title) == .text(2))
    #expect(stage.read(1, .n, Note.stamp) == .integer(3))
    #expect(stage[2, .n]?.values == [.text(2), .integer(9), .null])
    #expect(stage.hasChanges(2) && !stage.hasChanges(1))
  }
}

@Suite struct `A save without changes` {
  @Test func `a save without changes posts an empty DidSave (SV-13, SV-14)`() {
    var stage = Stage([nil, 0])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    for c in [0, 1] {
      // Only a root calls its coordinator, even for an empty save (SV-15).
      let request: [Event] = c == 0 ? [.saveRequest(CoordinatorID(0), ChangeSets())] : []
      #expect(
        stage.run(c, .save).events
          == [.contextWillSave(ContextID(c))] + request + [
            .didSave(ContextID(c), ChangeSets(), number: c + 1),
            .didSaveObjectIDs(ContextID(c), ChangeSets(), number: c + 1), .saved,
          ])
    }
    #expect(stage.rows.map(\.version) == [1])
  }
}

@Suite struct `The phases of a save` {
  @Test func `the phases are ObjectsDidChange, WillSave, the store, DidSave (SV-16)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n))
    stage.world.submit(AddressedStep(0, .save))
    var story: [String] = []
    var performed: [Performed] = []
    var seen = 0
    while stage.world.turn(into: &performed) {
      guard performed.count > seen else { continue }
      seen = performed.count
      for event in performed[seen - 1].events {
        switch event {
        case .objectsDidChange: story.append("change \(stage.rows.count)")
        case .hook(.willSave, _, _): story.append("willSave \(stage.rows.count)")
        case .contextWillSave: story.append("WillSave \(stage.rows.count)")
        case .becamePermanent: story.append("permanent \(stage.rows.count)")
        case .saveRequest: story.append("request \(stage.rows.count)")
        case .hook(.didSave, _, _): story.append("didSave \(stage.rows.count)")
        case .didSave: story.append("DidSave \(stage.rows.count)")
        case .didSaveObjectIDs: story.append("IDs \(stage.rows.count)")
        case .saved: story.append("saved \(stage.rows.count)")
        default: story.append("\(event)")
        }
      }
    }
    #expect(
      story == [
        "change 0", "willSave 0", "WillSave 0", "permanent 1", "request 1", "didSave 1",
        "DidSave 1", "IDs 1", "saved 1",
      ])
    #expect(
      performed.map(\.action)
        == [Phase.flush, .willSave, .commit, .finish].map { .step(AddressedStep(0, .save), $0) })
  }
}

@Suite struct `A save that fails` {
  private func stage(_ parents: [Int?]) -> Stage {
    Stage(parents) { note, _ in note.properties[0].changeAttribute { $0.isOptional = false } }
  }

  @Test func `a save that fails changes nothing and can be repaired (SV-18)`() {
    var stage = stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .insert(Note.entity, as: .m))
    stage.run(0, .set(.m, Note.title, .text(1)), .processPendingChanges)
    let before = stage.view(0)
    let failed = stage.run(0, .save)
    #expect(failed.codes == [.validationMissingMandatoryProperty])
    #expect(failed.didSave(0) == [] && stage.rows.isEmpty && stage.view(0) == before)
    // The save fails again as long as nothing changes (SV-19).
    #expect(stage.run(0, .save).failure == failed.failure)
    stage.run(0, .set(.n, Note.title, .text(2)))
    #expect(stage.run(0, .save).failure == nil)
    #expect(stage.rows.map(\.values[0]) == [.text(2), .text(1)])
  }

  @Test func `a save that fails in a child leaves the parent as it was (SV-20)`() {
    var stage = stage([nil, 0])
    stage.run(1, .insert(Note.entity, as: .n))
    #expect(stage.run(1, .save).codes == [.validationMissingMandatoryProperty])
    #expect(stage.view(0).isEmpty && !stage.hasChanges(0) && stage.hasChanges(1))
  }
}
