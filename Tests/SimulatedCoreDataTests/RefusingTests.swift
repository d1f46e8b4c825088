import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Testing
import Vocabulary

@Suite struct `A store that refuses a write` {
  private let store = StoreID(0)

  /// Returns a stage with a changed note that was saved before, and a new note.
  private func stage() -> Stage {
    var stage = Stage([nil, 0])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    stage.run(0, .set(.n, Note.title, .text(1)), .insert(Note.entity, as: .m))
    return stage
  }

  @Test func `a refused write fails its save, and the next save goes through`() {
    var stage = stage()
    stage.run(0, .refuseWrite(store, after: 1))
    let (view, rows) = (stage.view(0), stage.rows)
    let refused = stage.run(0, .save)
    #expect(refused.failure == .refusedWrite(store))
    #expect(refused.didSave(0).isEmpty)
    #expect(stage.view(0) == view && stage.rows == rows)
    #expect(stage.id(0, .m)?.isTemporaryID == true)
    #expect(stage.run(0, .save).didSave(0).count == 1)
    #expect(stage.rows.map(\.version) == [2, 1])
  }

  @Test func `a store counts the writes of all contexts, and only writes`() {
    var stage = stage()
    stage.run(0, .refuseWrite(store, after: 2))
    // A child's save does not write, and neither does an empty save.
    stage.run(1, .insert(Note.entity, as: .k))
    stage.run(1, .save)
    #expect(stage.run(0, .save).failure == nil)
    #expect(stage.run(0, .save).failure == nil)
    let request = BatchRequest(entity: Note.entity, kind: .delete)
    #expect(stage.run(0, .batch(request)).failure == .refusedWrite(store))
    #expect(stage.rows.count == 3)
    #expect(stage.run(0, .batch(request)).failure == nil)
    #expect(stage.rows.isEmpty)
  }

  @Test func `a refusal does not hinder a batch request that finds nothing`() {
    var stage = Stage([nil])
    stage.run(0, .refuseWrite(store, after: 1))
    #expect(
      stage.run(0, .batch(BatchRequest(entity: Note.entity, kind: .delete))).failure == nil)
    let insertion = BatchRequest(entity: Note.entity, kind: .insert([[]]))
    #expect(stage.run(0, .batch(insertion)).failure == .refusedWrite(store))
  }

  /// A conflict is found once the store can write.
  @Test func `a refusal comes before the search for conflicts`() {
    var stage = Stage([nil, nil])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    stage.load(.n, from: 0, in: 1)
    stage.run(0, .set(.n, Note.title, .text(1)), .save)
    stage.run(1, .set(.n, Note.title, .text(2)), .refuseWrite(store, after: 1))
    #expect(stage.run(1, .save).failure == .refusedWrite(store))
    guard case .mergeConflicts = stage.run(1, .save).failure else {
      Issue.record("no conflict")
      return
    }
  }

  @Test func `a refusal keeps metadata waiting`() {
    var stage = Stage([nil])
    stage.run(0, .setMetadata(store, 7), .refuseWrite(store, after: 1))
    #expect(stage.run(0, .save).failure == .refusedWrite(store))
    #expect(stage.run(0, .metadata(store)).events == [.count(0)])
    stage.run(0, .save)
    #expect(stage.run(0, .metadata(store)).events == [.count(7)])
  }

  @Test func `a store that refuses must be attached`() {
    var stage = Stage([nil])
    stage.run(0, .removeStore(store))
    #expect(stage.run(0, .refuseWrite(store, after: 1)).events == [.nothing])
  }

  @Test func `a store refuses after a kill, too`() {
    var stage = stage()
    stage.run(0, .refuseWrite(store, after: 1), .kill, .insert(Note.entity, as: .k))
    #expect(stage.run(0, .save).failure == .refusedWrite(store))
  }
}

@Suite struct `A suspended context` {
  @Test func `a suspended context does what it is asked to once it is resumed`() {
    var stage = Stage([nil])
    stage.run(0, .suspend(nil))
    stage.run(0, .perform([AddressedStep(0, .insert(Note.entity, as: .n))]))
    #expect(stage.view(0).isEmpty && stage.world.waitsForResume)
    stage.run(0, .resume(nil))
    #expect(stage.view(0).count == 1 && !stage.world.waitsForResume)
  }

  @Test func `a suspended context makes its children wait, and lanes that need them`() {
    var stage = Stage([nil, 0])
    stage.run(1, .insert(Note.entity, as: .n))
    stage.run(0, .suspend(nil))
    stage.begin(1, .save)
    #expect(!stage.world.isDriverIdle && stage.world.waitsForResume)
    #expect(stage.world.dispatcher.deadlocks.isEmpty)
  }

  @Test func `a suspended context is resumed by a kill`() {
    var stage = Stage([nil])
    stage.run(0, .suspend(nil), .suspend(nil), .kill)
    #expect(stage.world.suspendedQueues.isEmpty)
    stage.run(0, .insert(Note.entity, as: .n))
    #expect(stage.view(0).count == 1)
  }

  /// Dispatch ignores a suspension of the main queue, and crashes at one resume too many.
  @Test func `the main queue is never suspended, and no queue resumed too often`() {
    var stage = Stage([nil, nil], main: [0])
    stage.run(0, .suspend(nil))
    #expect(stage.world.suspendedQueues.isEmpty)
    stage.run(1, .resume(nil))
    #expect(stage.world.suspendedQueues.isEmpty)
    stage.run(1, .suspend(nil))
    #expect(stage.world.suspendedQueues == [stage.queue(1)])
    #expect(stage.world.resumption(of: stage.queue(1)) == AddressedStep(1, .resume(nil)))
  }
}
