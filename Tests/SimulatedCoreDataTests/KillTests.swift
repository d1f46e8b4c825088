import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Testing
import Vocabulary

@Suite struct `A kill` {
  @Test func `a kill leaves what commits have written`() {
    var stage = Stage([nil, 0], main: [1])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    stage.run(1, .insert(Note.entity, as: .m), .save)
    #expect(stage.hasChanges(0))
    stage.run(0, .kill)
    #expect(stage.rows.count == 1)
    #expect(!stage.hasChanges(0) && stage.view(0).isEmpty && stage.view(1).isEmpty)
    #expect(stage[0, .n] == nil && stage[1, .m] == nil)
    let found = stage.run(0, .fetch(FetchRequest(entity: Note.entity))).objects
    #expect(found == stage.rows.map(\.id))
  }

  @Test func `a kill stops every lane where it is`() {
    var stage = app()
    stage.begin(
      0, .perform([AddressedStep(0, .sleep(10)), AddressedStep(0, .insert(Note.entity, as: .n))]))
    stage.begin(1, .async(writer, [AddressedStep(0, .insert(Note.entity, as: .m))]))
    stage.runWithoutTime()
    let rest = stage.run(1, .kill)
    #expect(rest.steps == [AddressedStep(1, .kill)])
    #expect(stage.view(0).isEmpty && stage.owner(0) == nil && stage.owner(writer) == nil)
    #expect(stage.world.dispatcher.isQuiescent && stage.world.unfinishedBlockCount == 0)
  }

  @Test func `a kill in an observer of DidSave comes after the rows`() {
    let observer = Stack.Observer(
      notification: .didSave, context: ContextID(0), steps: [AddressedStep(0, .kill)])
    var stage = Stage([nil], observers: [observer])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    #expect(stage.rows.count == 1 && stage.view(0).isEmpty && stage.world.isDriverIdle)
  }

  @Test func `a kill in an observer of WillSave comes before the rows`() {
    let observer = Stack.Observer(
      notification: .contextWillSave, context: ContextID(0), steps: [AddressedStep(0, .kill)])
    var stage = Stage([nil], observers: [observer])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    #expect(stage.rows.isEmpty && stage.view(0).isEmpty)
  }

  @Test func `a kill empties a store in memory, and its keys continue`() {
    var stage = app { $0.stores[0].isInMemory = true }
    stage.run(0, .insert(Note.entity, as: .n), .save)
    let first = stage.rows.map(\.id)
    stage.run(0, .kill)
    #expect(stage.rows.isEmpty)
    stage.run(0, .insert(Note.entity, as: .n), .save)
    #expect(stage.rows.count == 1 && stage.rows.map(\.id) != first)
  }

  @Test func `a kill gives stores back that were removed`() {
    var stage = app()
    stage.run(0, .insert(Note.entity, as: .n), .save, .removeStore(StoreID(0)), .kill)
    #expect(stage.run(0, .fetch(FetchRequest(entity: Note.entity))).objects?.count == 1)
  }

  @Test func `a kill loses merges that were pending`() {
    var stage = Stage([nil, 0], merging: [1])
    stage.run(0, .insert(Note.entity, as: .n))
    stage.begin(1, .perform([AddressedStep(1, .sleep(10))]))
    stage.runWithoutTime()
    stage.begin(0, .save)
    let rest = stage.run(0, .kill)
    #expect(!rest.contains { $0.action.isMerge })
  }
}

@Suite struct `A turn of the run loop` {
  private func stage() -> Stage {
    var stage = Stage([nil, 0, nil], main: [0, 1])
    stage.run(1, .insert(Note.entity, as: .n))
    return stage
  }

  @Test func `a turn of the run loop ends for all contexts of the main queue`() {
    for step in [
      Step.performAndWait([AddressedStep(1, .tick)]),
      .performAndWait([AddressedStep(0, .directly([AddressedStep(1, .tick)]))]),
      .performAndWait([AddressedStep(1, .directly([AddressedStep(0, .tick)]))]),
    ] {
      var stage = stage()
      #expect(stage.run(0, step).objectsDidChange(1).count == 1)
    }
  }

  @Test func `a turn of the run loop ends on no other queue`() {
    for context in [0, 1] {
      var stage = stage()
      let performed = stage.run(
        2, .performAndWait([AddressedStep(context, .directly([AddressedStep(1, .tick)]))]))
      #expect(performed.failure == .wrongQueue(ContextID(1)))
      #expect(performed.objectsDidChange(1).isEmpty)
    }
  }
}
