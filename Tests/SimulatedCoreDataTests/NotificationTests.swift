import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `Merging a DidSave` {
  /// Two roots. `n` was saved by 0 and loaded in 1. The second save inserts `m` and changes `n`.
  private func saved(loading: Bool = true) -> Stage {
    var stage = Stage([nil, nil])
    stage.run(0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)), .save)
    stage.run(1, .object(with: HeldInstance(0, .n), as: .n))
    if loading { stage.run(1, .get(.n, Note.title)) }
    stage.run(0, .set(.n, Note.title, .text(2)), .insert(Note.entity, as: .m), .save)
    return stage
  }

  private func merge(_ ordinal: Int) -> Step {
    .mergeChanges(.didSave(ContextID(0), ordinal: ordinal))
  }

  @Test func `a merge reports updates as refreshed, not as changes (NT-12, NT-14)`() throws {
    var stage = saved()
    let (n, m) = (try #require(stage.id(0, .n)), try #require(stage.id(0, .m)))
    let merged = stage.run(1, merge(2))
    #expect(merged.objectsDidChange(1) == [ChangeSets(inserted: [m], refreshed: [n])])
    #expect(
      merged.events.last
        == .didMergeChanges(
          ContextID(1), ChangeSets(inserted: [m], updated: [n], refreshed: [n])))
    #expect(!stage.hasChanges(1))
    #expect(stage.read(1, .n, Note.title) == .text(2))
  }

  @Test func `a merge registers insertions as faults, and ignores strangers (NT-17)`() throws {
    var stage = saved()
    stage.run(1, .release(.n))
    #expect(stage.view(1).isEmpty)
    stage.world.submit(AddressedStep(1, merge(2)))
    let merged = stage.world.settle()
    #expect(merged.objectsDidChange(1) == [ChangeSets(inserted: [try #require(stage.id(0, .m))])])
    #expect(merged.hooks(.awakeFromFetch, 1).isEmpty)
  }

  @Test func `a merge does not touch a fault (NT-18)`() throws {
    var stage = saved(loading: false)
    let merged = stage.run(1, merge(2))
    #expect(merged.objectsDidChange(1) == [ChangeSets(inserted: [try #require(stage.id(0, .m))])])
    #expect(stage[1, .n]?.isFault == true)
  }

  @Test func `a merge marks as deleted what was deleted elsewhere (NT-15)`() throws {
    var stage = saved()
    let id = try #require(stage.id(0, .n))
    stage.run(0, .delete(.n), .save)
    let merged = stage.run(1, merge(3))
    #expect(merged.objectsDidChange(1) == [ChangeSets(deleted: [id])])
    #expect(stage.hasChanges(1))
    #expect(stage[1, .n]?.isDeleted == true && stage[1, .n]?.isFault == false)
    #expect(stage.read(1, .n, Note.title) == .text(1))
    #expect(
      stage.run(1, .fetch(FetchRequest(entity: Note.entity))).objects == stage.rows.map(\.id))
  }

  @Test func `a save after a merged deletion lists it again, and succeeds (NT-16)`() {
    var stage = saved()
    stage.run(0, .delete(.n), .save)
    stage.run(1, merge(3))
    let saved = stage.run(1, .save)
    #expect(saved.failure == nil && saved.didSave(1).map(\.deleted.count) == [1])
    #expect(!stage.hasChanges(1))
  }

  @Test func `a merge of a save that was not posted is nothing`() {
    var stage = saved()
    #expect(stage.run(1, merge(3)).events == [.nothing])
    #expect(stage.run(1, .mergeChanges(.delivered)).events == [.nothing])
  }
}

@Suite struct `Automatic merging` {
  @Test func `an automatic merge into a child follows its parent's saves only (NT-22)`() {
    var stage = Stage([nil, 0, 0], merging: [1])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    for c in [1, 2] { stage.load(.n, from: 0, in: c) }
    stage.run(0, .set(.n, Note.stamp, .integer(1)), .processPendingChanges)
    #expect(stage.shown(1, .n, Note.stamp) == .null)
    stage.run(2, .set(.n, Note.title, .text(2)), .save)
    #expect(stage.shown(1, .n, Note.title) == .null)
    stage.run(0, .save)
    #expect(stage.read(1, .n, Note.title) == .text(2))
    #expect(stage.read(1, .n, Note.stamp) == .integer(1))
    #expect(stage.shown(2, .n, Note.stamp) == .null)
  }

  @Test func `an automatic merge into a root follows its coordinator's saves (NT-23)`() {
    var stage = Stage([nil, nil, nil, nil], merging: [1, 3], elsewhere: [3])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    for c in [1, 2, 3] { stage.load(.n, from: 0, in: c) }
    let saved = stage.run(0, .set(.n, Note.title, .text(2)), .save)
    #expect(saved.map(\.action).last == .merge(ContextID(1), number: 1))
    #expect(stage.read(1, .n, Note.title) == .text(2))
    #expect(stage.read(2, .n, Note.title) == .null)
    #expect(stage.read(3, .n, Note.title) == .null)
  }
}
