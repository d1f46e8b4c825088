import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `A refresh` {
  /// Context 1 has loaded title 1. Context 0 has saved title 2, on the same coordinator or on
  /// another.
  private func stage(elsewhere: [Int] = []) -> Stage {
    var stage = Stage([nil, nil], elsewhere: elsewhere)
    stage.run(
      0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)),
      .set(.n, Note.stamp, .integer(1)), .save)
    stage.load(.n, from: 0, in: 1)
    stage.run(0, .set(.n, Note.title, .text(2)), .save)
    return stage
  }

  @Test func `a refresh without merging loses changes and makes a fault (FL-01)`() {
    var stage = stage()
    stage.run(1, .set(.n, Note.stamp, .integer(5)))
    let refreshed = stage.run(1, .refresh(.n, mergeChanges: false))
    #expect(refreshed.hooks(.willTurnIntoFault, 1).count == 1)
    #expect(refreshed.hooks(.didTurnIntoFault, 1).count == 1)
    #expect(stage[1, .n]?.isFault == true && !stage.hasChanges(1))
    #expect(stage.read(1, .n, Note.stamp) == .integer(1))
  }

  @Test func `a refresh with merging lays changes over what is there now (FL-02)`() {
    var stage = stage()
    stage.run(1, .set(.n, Note.stamp, .integer(5)))
    stage.run(1, .refresh(.n, mergeChanges: true))
    #expect(stage[1, .n]?.isFault == false)
    #expect(stage[1, .n]?.values == [.text(2), .integer(5), .null])
    #expect(stage.run(1, .save).failure == nil)
  }

  @Test func `a refresh of all objects turns the clean ones into faults (FL-03)`() {
    var stage = stage()
    stage.run(0, .insert(Note.entity, as: .m), .save)
    stage.load(.m, from: 0, in: 1)
    stage.run(1, .set(.n, Note.stamp, .integer(5)), .refreshAllObjects)
    #expect(stage[1, .m]?.isFault == true)
    #expect(stage[1, .n]?.isFault == false && stage.shown(1, .n, Note.stamp) == .integer(5))
  }

  @Test func `a refresh reads the row cache, not the store (FL-05)`() {
    var stage = stage(elsewhere: [0])
    stage.run(1, .refresh(.n, mergeChanges: false))
    #expect(stage.read(1, .n, Note.title) == .text(1))
    // A fetch brings the newer row into the cache (PS-04).
    stage.run(1, .fetch(FetchRequest(entity: Note.entity)), .refresh(.n, mergeChanges: false))
    #expect(stage.read(1, .n, Note.title) == .text(2))
  }

  @Test func `a refresh sees what a neighbour on the same coordinator saved (FL-06)`() {
    var stage = stage()
    stage.run(1, .refresh(.n, mergeChanges: false))
    #expect(stage.read(1, .n, Note.title) == .text(2))
  }

  @Test func `a fetch does not refresh what is realised (FL-07)`() {
    var stage = stage()
    stage.run(1, .fetch(FetchRequest(entity: Note.entity)))
    #expect(stage.shown(1, .n, Note.title) == .text(1))
  }
}

@Suite struct `Reset and rollback` {
  @Test func `a reset forgets every object (FL-08)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    stage.run(0, .set(.n, Note.title, .text(1)), .insert(Note.entity, as: .m))
    stage.run(0, .reset)
    #expect(stage.view(0).isEmpty && !stage.hasChanges(0))
    #expect(stage.run(0, .get(.n, Note.title)).failure == .noContext)
    #expect(stage.run(0, .set(.m, Note.title, .text(1))).failure == .noContext)
    stage.run(0, .save)
    #expect(stage.rows.map(\.values[0]) == [.null])
  }

  @Test func `a rollback drops insertions and reverts the rest (FL-10)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .insert(Note.entity, as: .k), .save)
    stage.run(0, .set(.n, Note.title, .text(1)), .delete(.k), .insert(Note.entity, as: .m))
    #expect(
      stage.run(0, .rollback).events
        == [ObjectName.n, .k].map {
          .awakeFromSnapshot(ContextID(0), stage.id(0, $0)!, .rollback)
        })
    #expect(stage[0, .m] == nil && !stage.hasChanges(0))
    #expect(stage.shown(0, .n, Note.title) == .null && stage[0, .n]?.isUpdated == false)
    #expect(stage[0, .k]?.isDeleted == false && stage[0, .k]?.isFault == false)
    #expect(stage.run(0, .save).didSave(0) == [ChangeSets()])
    #expect(stage.rows.count == 2)
  }
}

@Suite struct `A fault` {
  @Test func `a fault without a row is deleted and reads nil, or raises (FL-14, FL-12)`() throws {
    for profile in Profile.allCases {
      var stage = Stage([nil, nil], quirks: profile.quirks)
      stage.run(0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)), .save)
      stage.run(1, .object(with: HeldInstance(0, .n), as: .n))
      let id = try #require(stage.id(1, .n))
      stage.run(0, .delete(.n), .save)
      let fired = stage.run(1, .get(.n, Note.title))
      if profile.quirks.contains(.inaccessibleFaultRaises) {
        #expect(fired.events == [.failed(.inaccessible(id))])
        #expect(stage[1, .n]?.isFault == true)
      } else {
        #expect(fired.events == [.value(.null)])
        #expect(stage[1, .n]?.isFault == false && stage[1, .n]?.isDeleted == true)
      }
    }
  }

  @Test func `a fault in a child shows what the nearest ancestor has not saved (FL-23)`() {
    var stage = Stage([nil, 0, 1])
    stage.run(0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)), .save)
    stage.load(.n, from: 0, in: 1)
    stage.run(1, .set(.n, Note.title, .text(2)))
    stage.run(0, .set(.n, Note.title, .text(3)), .save)
    stage.load(.n, from: 0, in: 2)
    #expect(stage.shown(2, .n, Note.title) == .text(2) && stage[2, .n]?.isUpdated == false)
  }

  @Test func `a fault in a child registers the object on the way up (FL-24)`() {
    var stage = Stage([nil, 0, 1])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    stage.run(2, .object(with: HeldInstance(0, .n), as: .n))
    stage.run(0, .release(.n))
    #expect(stage.view(1).isEmpty && stage.view(0).isEmpty)
    let fired = stage.run(2, .get(.n, Note.title))
    #expect([0, 1, 2].map { fired.hooks(.awakeFromFetch, $0).count } == [1, 1, 1])
    #expect([0, 1].map { stage.view($0).map(\.isFault) } == [[false], [false]])
    stage.run(2, .release(.n))
    #expect([0, 1, 2].allSatisfy { stage.view($0).isEmpty })
  }
}

@Suite struct `A context` {
  @Test func `a context keeps unheld objects only while they have changes (FL-15)`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .release(.n))
    #expect(stage.view(0).count == 1)
    stage.run(0, .save)
    #expect(stage.view(0).isEmpty && stage.rows.count == 1)
  }

  @Test func `a context keeps objects that a name holds`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    #expect(stage.view(0).count == 1)
    stage.run(0, .release(.n))
    #expect(stage.view(0).isEmpty)
  }
}
