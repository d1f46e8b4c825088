import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `A fetch` {
  private func notes(_ change: (inout FetchRequest) -> Void = { _ in }) -> FetchRequest {
    var request = FetchRequest(entity: Note.entity)
    change(&request)
    return request
  }

  /// Returns a request for notes whose stamp is above 10.
  private func high(_ change: (inout FetchRequest) -> Void = { _ in }) -> FetchRequest {
    notes {
      $0.predicate = [
        Comparison(property: Note.stamp, relation: .greater, operand: .value(.integer(10)))
      ]
      change(&$0)
    }
  }

  /// A request for notes by stamp, with an offset of one and a limit of two.
  private var window: FetchRequest {
    notes {
      $0.sortDescriptors = [.init(property: Note.stamp, ascending: true)]
      $0.fetchOffset = 1
      $0.fetchLimit = 2
    }
  }

  /// Returns a stage with saved stamps 22, 25 and 10 for `n`, `m` and `k`.
  private func saved() -> Stage {
    var stage = Stage([nil])
    for (name, stamp) in [(ObjectName.n, Int64(22)), (.m, 25), (.k, 10)] {
      stage.run(0, .insert(Note.entity, as: name), .set(name, Note.stamp, .integer(stamp)))
    }
    stage.run(0, .save)
    return stage
  }

  /// Returns a stage with further, unsaved changes: stamp 5, a deletion, stamp 21, and insertions
  /// with 30 and 40.
  private func pending() -> Stage {
    var stage = saved()
    stage.run(
      0, .set(.n, Note.stamp, .integer(5)), .set(.k, Note.stamp, .integer(21)), .delete(.m),
      .insert(Note.entity, as: .f), .set(.f, Note.stamp, .integer(30)),
      .insert(Note.entity, as: .g), .set(.g, Note.stamp, .integer(40)))
    return stage
  }

  private func ids(_ stage: Stage, _ names: ObjectName...) -> [ObjectID] {
    names.compactMap { stage.id(0, $0) }
  }

  @Test func `a fetch sees what is pending in its context (FE-01)`() {
    var stage = pending()
    #expect(stage.run(0, .fetch(high())).objects == ids(stage, .k, .f, .g))
    #expect(stage.run(0, .fetch(notes())).objects == ids(stage, .n, .k, .f, .g))
  }

  @Test func `a fetch without pending changes has the members of the store (FE-02)`() {
    var stage = pending()
    let request = high { $0.includesPendingChanges = false }
    #expect(stage.run(0, .fetch(request)).objects == ids(stage, .n, .m))
    #expect(stage.shown(0, .n, Note.stamp) == .integer(5))
  }

  @Test func `a count is the number of objects that a fetch finds (FE-03)`() {
    var stage = pending()
    #expect(stage.run(0, .count(high())).events == [.count(3)])
    #expect(stage.run(0, .count(high { $0.includesPendingChanges = false })).events == [.count(2)])
  }

  @Test func `a fetch applies the window to the store, and only the limit again (FE-06)`() {
    var stage = pending()
    #expect(stage.run(0, .fetch(window)).objects == ids(stage, .n, .k))
  }

  @Test func `a fetch in a clean context has an exact window (FE-07)`() {
    var stage = saved()
    #expect(stage.run(0, .fetch(window)).objects == ids(stage, .n, .m))
  }

  @Test func `a fetch sees unsaved objects of parents, not of children (FE-09, FE-10)`() {
    var stage = Stage([nil, 0, nil])
    stage.run(0, .insert(Note.entity, as: .n), .insert(Note.entity, as: .m), .save)
    stage.run(
      0, .delete(.m), .insert(Note.entity, as: .k), .set(.k, Note.stamp, .integer(30)),
      .set(.n, Note.stamp, .integer(20)))
    let (all, ofParent) = (high(), ids(stage, .n, .k))
    #expect(stage.run(1, .fetch(all)).objects == ofParent)

    stage.run(1, .insert(Note.entity, as: .f), .set(.f, Note.stamp, .integer(40)))
    #expect(stage.run(0, .fetch(all)).objects == ofParent)
    stage.run(1, .save)
    #expect(stage.run(0, .fetch(all)).objects == ofParent + [stage.id(1, .f)].compactMap(\.self))
    #expect(stage.run(2, .fetch(all)).objects == [])
    stage.run(0, .save)
    #expect(stage.run(2, .fetch(all)).objects?.count == 3)
  }

  @Test func `a fetch shows the nearest ancestor's old copy, or refreshes it (FE-12)`() {
    for (quirks, title) in [
      (Profile.current.quirks, 1), (Profile.current.quirks.removing(.ancestorCacheHidesUpdates), 2),
    ] {
      var stage = Stage([nil, 0, 1], quirks: quirks)
      stage.run(0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)), .save)
      stage.load(.n, from: 0, in: 1)
      stage.run(0, .set(.n, Note.title, .text(2)), .save)
      stage.run(2, .fetch(notes { $0.returnsObjectsAsFaults = false }))
      #expect(stage.shown(2, .n, Note.title) == .text(title))
    }
  }
}
