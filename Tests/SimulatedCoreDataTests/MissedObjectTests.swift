import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `An unsaved object of another context` {
  /// Context 1, a child of 0 beside 2, has inserted a note with title 1.
  private func stage(_ parents: [Int?] = [nil, 0, 0]) -> Stage {
    var stage = Stage(parents)
    stage.run(1, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)))
    return stage
  }

  @Test(arguments: [0, 2])
  func `a look-up of another's unsaved object leaves nothing (ID-23, ID-31)`(_ c: Int) {
    var stage = stage()
    let looked = stage.run(c, .existingObject(with: HeldInstance(1, .n), as: .n))
    #expect(looked.failure == stage.id(1, .n).map { .missingObject($0) })
    #expect(stage.view(0).isEmpty && stage.view(2).isEmpty)
    stage.run(1, .save)
    stage.run(0, .save)
    #expect(stage.rows.map(\.values[0]) == [.text(1)])
  }

  @Test func `an unsaved object leaves no copy in a parent that only held it`() {
    var stage = stage()
    stage.run(0, .object(with: HeldInstance(1, .n), as: .n), .release(.n))
    #expect(stage.view(0).isEmpty)
  }

  @Test func `a sibling that has read an unsaved object does not delete it (ID-24, ID-25)`() {
    var stage = stage()
    stage.load(.n, from: 1, in: 2)
    #expect(stage[2, .n]?.isDeleted == true)
    stage.run(1, .save)
    let saved = stage.run(2, .save)
    #expect(saved.didSave(2) == [ChangeSets()])
    #expect(stage[2, .n]?.isFault == true && !stage.hasChanges(2))
    #expect(stage.read(2, .n, Note.title) == .text(1))
    stage.run(0, .save)
    #expect(stage.rows.map(\.values[0]) == [.text(1)])
  }

  @Test func `an unsaved object arrives in a parent that has read it (ID-04)`() {
    var stage = stage()
    stage.load(.n, from: 1, in: 0)
    stage.run(1, .save)
    #expect(stage[0, .n]?.isInserted == true && stage[0, .n]?.isDeleted == false)
    stage.run(0, .save)
    #expect(stage.rows.map(\.values[0]) == [.text(1)])
  }

  @Test func `an unsaved object is no conflict for a neighbour that has read it`() {
    var stage = stage([nil, nil])
    stage.load(.n, from: 1, in: 0)
    stage.run(1, .save)
    #expect(stage.run(0, .save).failure == nil)
    #expect(stage.rows.map(\.values[0]) == [.text(1)])
  }

  @Test func `an unsaved object stays deleted where it was read, and is listed`() {
    var stage = stage([nil, nil])
    stage.load(.n, from: 1, in: 0)
    let id = stage.id(0, .n)
    #expect(stage.run(0, .save).didSave(0).map(\.deleted) == [[id].compactMap(\.self)])
    stage.run(1, .save)
    #expect(stage.rows.count == 1)
  }
}

@Suite struct `A notification` {
  /// Context 0 merges the saves of 1, and an observer looks for the saved object.
  private var stage: Stage {
    Stage(
      [nil, nil], merging: [0],
      observers: [
        Stack.Observer(
          notification: .objectsDidChange, context: ContextID(0),
          steps: [
            AddressedStep(0, .registeredObject(for: HeldInstance(1, .n), as: .twin)),
            AddressedStep(0, .release(.twin)),
          ])
      ])
  }

  @Test func `a notification holds what it lists for its observers (NT-01, C2)`() throws {
    var stage = stage
    let saved = stage.run(1, .insert(Note.entity, as: .n), .save)
    let id = try #require(stage.id(1, .n))
    #expect(saved.events.contains(.object(id)))
    #expect(saved.last?.action == .endOfDelivery(ContextID(0)))
    #expect(stage.view(0).isEmpty)
  }

  @Test func `a notification without observers holds nothing (RL-A7)`() {
    var stage = Stage([nil, nil], merging: [0])
    let saved = stage.run(1, .insert(Note.entity, as: .n), .save)
    #expect(saved.last?.action.isMerge == true)
    #expect(stage.view(0).isEmpty)
  }
}

@Suite struct `A reference to a row that is gone` {
  /// Context 1 files a new note in a folder that context 0 has deleted and saved.
  private func stage(
    policies: [MergePolicy] = [], hasInverse: Bool = false, isMandatory: Bool = false
  ) -> Stage {
    var stage = Stage([nil, nil], policies: policies) { note, folder in
      note.properties[2].changeRelationship {
        if !hasInverse { $0.inverse = nil }
        $0.isOptional = !isMandatory
      }
      if !hasInverse { folder.properties[1].changeRelationship { $0.inverse = nil } }
    }
    stage.run(0, .insert(Folder.entity, as: .f), .save)
    stage.load(.f, from: 0, in: 1)
    stage.run(1, .insert(Note.entity, as: .n), .relate(.n, Note.folder, HeldInstance(1, .f)))
    stage.run(0, .delete(.f), .save)
    return stage
  }

  @Test func `a reference to a row that is gone is not stored (MP-20, FL-14)`() {
    var stage = stage()
    #expect(stage.run(1, .save).failure == nil)
    #expect(stage.rows.map(\.values[2]) == [.null])
    #expect(stage.shown(1, .n, Note.folder) == .null)
  }

  @Test func `a mandatory reference to a row that is gone fails the save (SV-17)`() {
    var stage = stage(isMandatory: true)
    #expect(stage.run(1, .save).codes == [.validationMissingMandatoryProperty])
    #expect(stage.rows.isEmpty)
  }

  @Test func `a reference to a row that is gone goes with the dropped update (MP-20)`() {
    var stage = stage(policies: [.error, .mergeByPropertyObjectTrump], hasInverse: true)
    stage.run(1, .save)
    #expect(stage.rows.map(\.values[2]) == [.null])
  }

  @Test func `a reference with an inverse is a conflict under the error policy (MP-18)`() {
    var stage = stage(hasInverse: true, isMandatory: true)
    guard case .mergeConflicts(let conflicts) = stage.run(1, .save).failure else {
      Issue.record("the save did not fail over the folder")
      return
    }
    #expect(conflicts.map(\.newVersion) == [0])
  }
}
