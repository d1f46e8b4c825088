import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `A destroyed store` {
  private let store = StoreID(0)
  private let coordinator = CoordinatorID(0)
  private let fetch = Step.fetch(FetchRequest(entity: Note.entity))
  private let destruction = Step.destroyStore(StoreID(0), isRecreated: false)
  private let renewal = Step.destroyStore(StoreID(0), isRecreated: true)

  /// Returns two roots, the first with a saved note.
  private func stage() -> Stage {
    var stage = Stage([nil, nil])
    stage.run(0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)), .save)
    return stage
  }

  @Test func `a destroyed store is detached and empty, and a new one is another store`() {
    var stage = stage()
    let old = stage.id(0, .n)
    stage.run(0, .setMetadata(store, 3), .save)
    #expect(
      stage.run(1, destruction).events
        == [
          .willRemoveStore(coordinator, store),
          .storesDidChange(coordinator, added: [], removed: [store]),
        ])
    #expect(stage.rows.isEmpty)
    #expect(stage.run(1, .metadata(store)).events == [.nothing])
    #expect(
      stage.run(1, .addStore(store)).events
        == [.storesDidChange(coordinator, added: [store], removed: [])])
    #expect(stage.run(1, .metadata(store)).events == [.count(0)])
    #expect(stage.run(1, fetch).objects == [])
    stage.run(1, .insert(Note.entity, as: .m), .save)
    #expect(stage.rows.count == 1 && stage.rows.first?.id != old)
    #expect(stage.world.brokenInvariants().isEmpty)
  }

  @Test func `a store can be destroyed and added again in one action`() {
    var stage = stage()
    #expect(
      stage.run(1, renewal).events
        == [
          .willRemoveStore(coordinator, store),
          .storesDidChange(coordinator, added: [], removed: [store]),
          .storesDidChange(coordinator, added: [store], removed: []),
        ])
    stage.run(1, .insert(Note.entity, as: .m))
    #expect(stage.run(1, .save).failure == nil)
  }

  @Test func `a store that was removed before is emptied, too`() {
    var stage = stage()
    stage.run(0, .removeStore(store))
    #expect(stage.run(0, destruction).events == [])
    stage.run(0, .addStore(store))
    #expect(stage.run(0, fetch).objects == [])
  }

  /// No fact says what the other coordinator would read then.
  @Test func `a store is not destroyed while another coordinator has it`() {
    var stage = Stage([nil, nil], elsewhere: [1])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    #expect(stage.run(0, renewal).events == [.nothing])
    #expect(stage.rows.count == 1)
    stage.run(1, .removeStore(store))
    #expect(stage.run(0, destruction).failure == nil && stage.rows.isEmpty)
  }

  @Test func `a destroyed store takes its IDs with it`() {
    var stage = stage()
    let old = stage.id(0, .n)!
    stage.run(0, renewal)
    let raised = stage.run(1, .object(with: HeldInstance(0, .n), as: .n))
    #expect(raised.failure == .unreachableStore(old))
    #expect(stage.run(1, .get(.n, Note.title)).events.last == .nothing)
    #expect(
      stage.run(1, .objectForURI(of: HeldInstance(0, .n), as: .k)).events == [.nothing])
    for change: Step in [.set(.n, Note.title, .text(2)), .detectConflicts(.n), .delete(.n)] {
      stage.run(0, .insert(Note.entity, as: .m), change)
      #expect(stage.run(0, .save).failure == .unreachableStore(old))
      stage.run(0, .rollback)
    }
  }

  @Test func `a destroyed store takes the ID with it that an insertion has obtained`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .obtainPermanentIDs([.n]))
    stage.run(0, .insert(Note.entity, as: .m), renewal)
    let old = stage.id(0, .n)!
    #expect(stage.run(0, .save).failure == .unreachableStore(old))
    stage.run(0, .delete(.n))
    #expect(stage.run(0, .save).failure == nil)
    #expect(stage.rows.map(\.id) == [stage.id(0, .m)])
  }

  /// Without an inverse, the old object itself has no part in the save.
  @Test func `a destroyed store is another store for a relationship`() {
    var stage = Stage(
      [nil],
      model: { note, folder in
        note.properties[2].kind = .relationship(Relationship(destination: Folder.entity))
        folder.properties.removeLast()
      })
    stage.run(0, .insert(Folder.entity, as: .f), .save, renewal)
    stage.run(0, .insert(Note.entity, as: .n), .relate(.n, Note.folder, HeldInstance(0, .f)))
    let new = stage.id(0, .n)!
    #expect(stage.run(0, .save).failure == .crossStore(new, Note.folder))
  }

  @Test func `a destroyed store has no history`() {
    var stage = stage()
    stage.run(0, renewal)
    #expect(stage.run(1, .mergeHistory).events == [])
    stage.run(0, .reset, .insert(Note.entity, as: .m), .save)
    #expect(stage.run(1, .mergeHistory).events.count == 2)
  }
}

@Suite struct `A merge policy that changes` {
  private func stage(_ policy: MergePolicy) -> Stage {
    var stage = Stage([nil, nil], policies: [policy, .error])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    stage.load(.n, from: 0, in: 1)
    stage.run(1, .set(.n, Note.title, .text(1)), .save)
    stage.run(0, .set(.n, Note.title, .text(2)))
    return stage
  }

  @Test func `a changed merge policy decides the next commit, until it is put back`() {
    var stage = stage(.mergeByPropertyObjectTrump)
    stage.run(0, .setMergePolicy(.error))
    #expect(stage.run(0, .save).failure != nil)
    stage.run(0, .setMergePolicy(.mergeByPropertyObjectTrump))
    #expect(stage.run(0, .save).failure == nil)
  }

  @Test(arguments: [Step.discard, .kill])
  func `a new context has the merge policy that is declared`(end: Step) {
    var stage = stage(.error)
    stage.run(0, .setMergePolicy(.overwrite), end)
    stage.load(.n, from: 1, in: 0)
    stage.run(1, .set(.n, Note.title, .text(3)), .save)
    stage.run(0, .set(.n, Note.title, .text(4)))
    #expect((stage.run(0, .save).failure == nil) == (end == .kill))
  }
}
