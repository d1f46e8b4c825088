import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

extension Stage {
  /// Returns a stage with a root, contexts below it, and a saved note with title 1 and stamp 1.
  static func saved(
    _ parents: [Int?] = [nil], quirks: QuirkSet = Profile.current.quirks,
    model change: (_ note: inout Entity, _ folder: inout Entity) -> Void = { _, _ in },
    settings: (inout Stack.Context) -> Void = { _ in }
  ) -> Stage {
    var stage = Stage(parents, quirks: quirks, model: change, settings: settings)
    stage.run(
      0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)),
      .set(.n, Note.stamp, .integer(1)), .save)
    return stage
  }
}

extension [Performed] {
  /// The answer to the last question about values.
  var contents: [PropertyContent]? {
    for case .values(_, let contents) in events.reversed() { return contents }
    return nil
  }

  var issues: [Failure.Issue] {
    if case .validation(let issues) = failure { return issues }
    return []
  }
}

@Suite struct `Questions to an object` {
  @Test func `an object answers its new persistent values (CT-03)`() {
    var stage = Stage.saved { note, _ in
      note.properties[1].changeAttribute { $0.isTransient = true }
    }
    stage.run(0, .insert(Folder.entity, as: .f))
    stage.run(0, .set(.n, Note.title, .text(2)), .set(.n, Note.stamp, .integer(2)))
    stage.run(0, .relate(.n, Note.folder, HeldInstance(0, .f)))
    let folder = Value.object(stage.id(0, .f)!)
    #expect(
      stage.run(0, .changedValues(.n)).contents
        == [PropertyContent(Note.title, .text(2)), PropertyContent(Note.folder, folder)])
    #expect(
      stage.run(0, .changedValues(.f)).contents
        == [PropertyContent(Folder.notes, collection: [stage.id(0, .n)!])])
    stage.run(0, .save)
    #expect(stage.run(0, .changedValues(.n)).contents == [])
  }

  @Test func `an object answers what was saved last, an insertion nothing (CT-04)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .insert(Folder.entity, as: .f))
    stage.run(0, .set(.n, Note.title, .text(1)), .relate(.n, Note.folder, HeldInstance(0, .f)))
    #expect(stage.run(0, .committedValues(.n)).contents?.map(\.value) == [.null, .null, .null])
    #expect(stage.run(0, .committedValues(.f)).contents?.last?.collection == [])
    stage.run(0, .save, .set(.n, Note.title, .text(2)))
    let folder = Value.object(stage.id(0, .f)!)
    #expect(stage.run(0, .committedValues(.n)).contents?.map(\.value) == [.text(1), .null, folder])
  }

  @Test func `an object knows its old values until the event ends (CT-05)`() {
    var stage = Stage.saved()
    stage.run(0, .set(.n, Note.title, .text(2)), .set(.n, Note.title, .text(3)))
    stage.run(0, .set(.n, Note.stamp, .integer(1)))
    #expect(
      stage.run(0, .changedValuesForCurrentEvent(.n)).contents
        == [PropertyContent(Note.title, .text(1))])
    stage.run(0, .processPendingChanges)
    #expect(stage.run(0, .changedValuesForCurrentEvent(.n)).contents == [])
    stage.run(0, .set(.n, Note.title, .text(4)))
    #expect(
      stage.run(0, .changedValuesForCurrentEvent(.n)).contents
        == [PropertyContent(Note.title, .text(3))])
    stage.run(0, .refresh(.n, mergeChanges: false))
    #expect(stage.run(0, .changedValuesForCurrentEvent(.n)).contents == [])
  }

  @Test func `an object has no old values in the event of its insertion (CT-05)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)))
    #expect(stage.run(0, .changedValuesForCurrentEvent(.n)).contents == [])
    stage.run(0, .processPendingChanges, .set(.n, Note.title, .text(2)))
    #expect(
      stage.run(0, .changedValuesForCurrentEvent(.n)).contents
        == [PropertyContent(Note.title, .text(1))])
  }

  @Test func `an object names old destinations by their present IDs (CT-05)`() {
    var stage = Stage([nil, 0])
    stage.run(0, .insert(Note.entity, as: .n), .insert(Folder.entity, as: .f))
    stage.run(0, .relate(.n, Note.folder, HeldInstance(0, .f)), .processPendingChanges)
    stage.run(0, .relate(.n, Note.folder, nil), .obtainPermanentIDs([.f]))
    let folder = stage.id(0, .f)!
    #expect(!folder.isTemporaryID)
    #expect(
      stage.run(0, .changedValuesForCurrentEvent(.n)).contents
        == [PropertyContent(Note.folder, .object(folder))])
  }

  @Test func `an object tells real changes from others (CT-02)`() {
    func answer(_ stage: inout Stage) -> [Event] {
      stage.run(0, .hasPersistentChangedValues(.n), .hasChanges).events
    }
    var stage = Stage.saved()
    #expect(answer(&stage) == [.flag(false), .flag(false)])
    stage.run(0, .set(.n, Note.title, .text(1)))
    #expect(answer(&stage) == [.flag(false), .flag(true)])
    stage.run(0, .set(.n, Note.title, .text(2)))
    #expect(answer(&stage) == [.flag(true), .flag(true)])
    stage.run(0, .delete(.n))
    #expect(answer(&stage) == [.flag(false), .flag(true)])
    stage.run(0, .insert(Note.entity, as: .n))
    #expect(answer(&stage) == [.flag(false), .flag(true)])
    stage.run(0, .set(.n, Note.title, .text(3)))
    #expect(answer(&stage) == [.flag(true), .flag(true)])
  }

  @Test func `an object that has left its context has no answers`() {
    var stage = Stage.saved()
    stage.run(0, .delete(.n), .save)
    for step in [
      Step.changedValues(.n), .validate(.n, .forUpdate), .setPrimitive(.n, Note.title, .null),
    ] {
      #expect(stage.run(0, step).failure == .noContext)
    }
    #expect(stage.run(0, .insertAgain(.m)).events == [.nothing])
  }

  @Test func `an object's URI leads back to it if its ID is permanent (ID-29, ID-30)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n))
    #expect(
      stage.run(0, .uriRepresentation(.n), .objectForURI(of: HeldInstance(0, .n), as: .m)).events
        == [
          .uri("x-coredata:///Note/t00000000-0000-4000-8000-0000000000001"), .nothing,
        ])
    stage.run(0, .save)
    let id = stage.id(0, .n)!
    #expect(
      stage.run(0, .uriRepresentation(.n), .objectForURI(of: HeldInstance(0, .n), as: .m)).events
        == [
          .uri("x-coredata://00000000-0000-4000-8000-000000000001/Note/p1"), .object(id),
        ])
  }

  @Test func `an object without a context reads defaults on some systems (C11)`() {
    for isTolerant in [false, true] {
      var quirks = Profile.current.quirks
      if isTolerant { quirks.insert(.goneObjectReadsDefaults) }
      var stage = Stage.saved(quirks: quirks) { note, _ in
        note.properties[1].changeAttribute { $0.defaultValue = .integer(7) }
      }
      stage.run(0, .reset)
      #expect(
        stage.run(0, .get(.n, Note.stamp)).events
          == [isTolerant ? .value(.integer(7)) : .failed(.noContext)])
    }
  }
}

@Suite struct `A validation` {
  private func stage() -> Stage {
    var stage = Stage([nil]) { note, folder in
      note.properties[0].changeAttribute { $0.isOptional = false }
      note.properties[1].changeAttribute {
        $0.maximum = .integer(9)
        $0.forbidden = [ForbiddenValue(.integer(13), warning: "no")]
      }
      folder.properties[1].changeRelationship { $0.deleteRule = .deny }
    }
    stage.run(0, .insert(Note.entity, as: .n), .insert(Folder.entity, as: .f))
    stage.run(0, .relate(.n, Note.folder, HeldInstance(0, .f)))
    return stage
  }

  @Test func `a validation says what the save would say (SV-A3, SV-A4)`() {
    var stage = stage()
    let id = stage.id(0, .n)!
    let missing = Failure.Issue(.validationMissingMandatoryProperty, id, Note.title)
    for validation in [Validation.forInsert, .forUpdate] {
      #expect(stage.run(0, .validate(.n, validation)).issues == [missing])
      #expect(stage.run(0, .validate(.f, validation)).events == [.saved])
    }
    #expect(stage.run(0, .save).issues == [missing])
  }

  @Test func `a validation refuses a forbidden value, after other objections (SV-A7)`() {
    var stage = stage()
    stage.run(0, .set(.n, Note.title, .text(1)), .set(.n, Note.stamp, .integer(13)))
    let issues = stage.run(0, .validate(.n, .forUpdate)).issues
    #expect(issues.map(\.code) == [.validationNumberTooLarge, .validationManagedObject])
    #expect(issues.map(\.value) == [.integer(13), .integer(13)])
    #expect(stage.run(0, .save).issues == issues)
  }

  @Test func `a validation for deletion checks deny rules before the deletion (SV-A5)`() {
    var stage = stage()
    let id = stage.id(0, .f)!
    #expect(
      stage.run(0, .validate(.f, .forDelete)).issues
        == [Failure.Issue(.validationRelationshipDeniedDelete, id, Folder.notes)])
    stage.run(0, .delete(.n))
    #expect(stage.run(0, .validate(.f, .forDelete)).events == [.saved])
  }
}

@Suite struct `A primitive value` {
  @Test func `a primitive value changes nothing but what is shown (CT-06)`() {
    var stage = Stage.saved()
    #expect(stage.run(0, .setPrimitive(.n, Note.title, .text(2))).events == [])
    #expect(stage.shown(0, .n, Note.title) == .text(2) && !stage.hasChanges(0))
    #expect(stage.run(0, .changedValues(.n)).contents == [])
    #expect(stage.run(0, .processPendingChanges).events == [])
    stage.run(0, .save)
    #expect(stage.rows.map(\.values[0]) == [.text(1)])
  }

  @Test func `a primitive value is saved with a row that is saved anyway (CT-06)`() {
    var stage = Stage.saved()
    stage.run(0, .setPrimitive(.n, Note.title, .text(2)), .set(.n, Note.stamp, .integer(2)), .save)
    #expect(stage.rows.map(\.values) == [[.text(2), .integer(2), .null]])
  }

  @Test func `a primitive value is handed over to the parent, too (CT-06)`() {
    var stage = Stage.saved([nil, 0])
    stage.load(.n, from: 0, in: 1)
    stage.run(1, .setPrimitive(.n, Note.title, .text(2)))
    #expect(stage.run(1, .save).received(0) == [])
    // An equal set is still a change, and the other value is handed over with it.
    stage.run(1, .set(.n, Note.stamp, .integer(1)))
    #expect(stage.run(1, .save).received(0) == [[Received(Note.title, .text(2))]])
    stage.run(1, .setPrimitive(.n, Note.title, .text(3)), .set(.n, Note.stamp, .integer(2)))
    #expect(
      stage.run(1, .save).received(0)
        == [[Received(Note.title, .text(3)), Received(Note.stamp, .integer(2))]])
  }
}

@Suite struct `An insertion that is inserted again` {
  @Test func `an insertion that is inserted again is reported again (ID-34)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .processPendingChanges)
    stage.run(0, .set(.n, Note.title, .text(1)), .insertAgain(.n))
    #expect(
      stage.run(0, .processPendingChanges).objectsDidChange(0)
        == [ChangeSets(inserted: [stage.id(0, .n)!])])
  }

  @Test func `a repeated insertion hands all its values to the parent's instance (ID-34)`() {
    var stage = Stage([nil, 0])
    stage.run(1, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)), .save)
    stage.run(1, .insertAgain(.n))
    #expect(stage[1, .n]?.isInserted == true)
    let saved = stage.run(1, .save)
    #expect(saved.awakenings(0).isEmpty && saved.didSave(1).map(\.inserted) == [[stage.id(1, .n)!]])
    #expect(
      saved.received(0).first?.map(\.value) == [.text(1), .null, .null])
    #expect(saved.objectsDidChange(0) == [ChangeSets(updated: [stage.id(1, .n)!])])
  }

  @Test func `a repeated insertion is nothing once it has a row (ID-34)`() {
    var stage = Stage.saved()
    #expect(stage.run(0, .insertAgain(.n)).events == [.nothing])
  }
}
