import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `An inserted object` {
  private let temporary = ObjectID.temporary(Note.entity, serial: 1)
  private let permanent = ObjectID.permanent(Note.entity, key: 1, in: StoreID(0))

  @Test func `an inserted object gets its permanent ID when a root saves it (ID-02)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n))
    #expect(stage.id(0, .n) == temporary && stage[0, .n]?.isInserted == true)
    stage.run(0, .save)
    #expect(stage.id(0, .n) == permanent && stage[0, .n]?.isInserted == false)
    #expect(stage.view(0).count == 1 && stage.rows.map(\.id) == [permanent])
  }

  @Test func `an inserted object keeps its temporary ID when a child saves it (ID-03)`() {
    var stage = Stage([nil, 0])
    stage.run(1, .insert(Note.entity, as: .n), .save)
    #expect(stage.id(1, .n) == temporary)
    #expect(!stage.hasChanges(1) && stage.rows.isEmpty)
  }

  @Test func `an inserted object is pending in the parent under the same ID (ID-04)`() {
    var stage = Stage([nil, 0])
    stage.run(1, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)), .save)
    stage.run(0, .object(with: HeldInstance(1, .n), as: .n))
    #expect(stage[0, .n]?.id == temporary && stage[0, .n]?.isInserted == true)
    #expect(stage.shown(0, .n, Note.title) == .text(1))
    stage.run(0, .set(.n, Note.title, .text(2)))
    #expect(stage.shown(1, .n, Note.title) == .text(1))
  }

  @Test func `an inserted object stays temporary below the root, or not (ID-06)`() {
    for (quirks, idBelow) in [
      (Profile.current.quirks, temporary), (Profile.documented.quirks, permanent),
    ] {
      var stage = Stage([nil, 0], quirks: quirks)
      stage.run(1, .insert(Note.entity, as: .n), .save)
      stage.run(0, .save)
      #expect(stage.rows.map(\.id) == [permanent] && stage.id(1, .n) == idBelow)
      // Either way the root finds its instance under the ID that the child reports (ID-16).
      stage.run(0, .object(with: HeldInstance(1, .n), as: .n))
      #expect(stage.id(0, .n) == permanent && stage.shown(0, .n, Note.title) == .null)
    }
  }

  @Test func `an inserted object can have its permanent ID early (ID-08, ID-10)`() throws {
    var stage = Stage([nil, 0])
    stage.run(
      1, .insert(Note.entity, as: .n), .insert(Folder.entity, as: .f),
      .relate(.n, Note.folder, HeldInstance(1, .f)))
    let obtained = stage.run(1, .obtainPermanentIDs([.n]))
    #expect(obtained.events == [.becamePermanent(ContextID(1), temporary, permanent)])
    #expect(stage[1, .n]?.isInserted == true && stage.rows.isEmpty)
    // The related object knows it under its new ID.
    #expect(stage[1, .f]?.collections == [[permanent]])
    stage.run(1, .save)
    #expect(stage.view(0).first?.id == permanent && stage.hasChanges(0) && !stage.hasChanges(1))
    stage.run(0, .save)
    #expect(stage.rows.first?.id == permanent)
  }

  @Test func `an inserted object gets a key that no other ever had (ID-10)`() {
    var stage = Stage([nil])
    var ids: [ObjectID] = []
    for _ in 0..<10 {
      stage.run(0, .insert(Note.entity, as: .n), .obtainPermanentIDs([.n]))
      ids += [stage.id(0, .n)].compactMap(\.self)
    }
    stage.run(0, .rollback, .insert(Note.entity, as: .m), .save)
    #expect((ids + stage.rows.map(\.id)).map(\.number) == Array(1...11))
  }
}

@Suite struct `A hook` {
  @Test func `a hook awakens an insertion once, with its defaults (LC-01)`() {
    var stage = Stage([nil]) { note, _ in
      note.properties[1].changeAttribute { $0.defaultValue = .integer(5) }
    }
    let performed = stage.run(
      0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)), .save)
    #expect(performed[0].events.count == 1)
    #expect(performed.awakenings(0) == [[.null, .integer(5), .null]])
  }

  @Test func `a hook awakens an insertion again in each parent, without values (LC-02)`() {
    for (quirks, expected) in [
      (Profile.current.quirks, [[Value.null, .null, .null]]), (Profile.documented.quirks, []),
    ] {
      var stage = Stage([nil, 0, 1], quirks: quirks)
      stage.run(2, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)))
      let childSave = stage.run(2, .save)
      #expect(childSave.awakenings(1) == expected && childSave.awakenings(0) == [])
      let parentSave = stage.run(1, .save)
      #expect(parentSave.awakenings(0) == expected && parentSave.awakenings(1) == [])
      #expect(stage.view(0).first?.values.first == .text(1))
    }
  }

  @Test func `a hook prepares for deletion at once, with relationships intact (LC-12)`() {
    var stage = Stage([nil])
    stage.run(
      0, .insert(Note.entity, as: .n), .insert(Folder.entity, as: .f),
      .relate(.n, Note.folder, HeldInstance(0, .f)), .save)
    let performed = stage.run(0, .delete(.n))
    #expect(performed.hooks(.prepareForDeletion, 0) == [stage.id(0, .n)])
    #expect(stage.shown(0, .n, Note.folder) == stage.id(0, .f).map { .object($0) })
    #expect(stage[0, .f]?.collections == [[stage.id(0, .n)].compactMap(\.self)])
  }

  @Test func `a hook prepares for deletion again at a second delete (LC-13)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .save, .delete(.n))
    let again = stage.run(0, .delete(.n))
    #expect(again.events == [.hook(.prepareForDeletion, ContextID(0), stage.view(0)[0].id)])
    #expect(stage.run(0, .save).didSave(0).map(\.deleted.count) == [1])
  }
}
