import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Testing
import Vocabulary

@Suite struct `A save` {
  @Test func `a save that an observer holds up keeps its own queue, not its parent's`() {
    // 0 ← 1 ← 2 and 3. The observer of 2's save uses 3, whose queue is busy.
    let observer = Stack.Observer(
      notification: .didSave, context: ContextID(2),
      steps: [AddressedStep(3, .performAndWait([AddressedStep(3, .get(.m, Note.title))]))])
    var stage = Stage([nil, 0, 1, 1], main: [1], observers: [observer])
    stage.run(2, .insert(Note.entity, as: .n))
    stage.begin(
      3,
      .perform([
        AddressedStep(3, .insert(Note.entity, as: .m)), AddressedStep(3, .sleep(50)),
        AddressedStep(3, .set(.m, Note.title, .text(7))),
      ]))
    stage.runWithoutTime()

    stage.begin(2, .save)
    stage.runWithoutTime()
    #expect(stage.ownedByDriver == ["c2"])
    #expect(stage.world.dispatcher.waits(of: stage.world.driver) == stage.queue(3))
    #expect(stage.owner(1) == nil && stage.owner(0) == nil)
    #expect(!stage.hasChanges(2) && stage.view(1).map(\.isInserted) == [true])

    let rest = stage.world.settle()
    #expect(rest.steps.map(\.step) == [.set(.m, Note.title, .text(7)), .get(.m, Note.title)])
    #expect(rest.events.last == .value(.text(7)))
    #expect(rest.last?.lane == stage.world.driver)
    #expect(stage.world.isDriverIdle && stage.owner(2) == nil)
    #expect(stage.world.dispatcher.now.milliseconds == 50)
  }

  @Test func `a save takes its parent's queue for the commit alone`() {
    var stage = Stage([nil, 0])
    stage.run(1, .insert(Note.entity, as: .n))
    stage.world.submit(AddressedStep(1, .save))
    var owned: [[String]] = []
    while stage.world.dispatcher.canRun(stage.world.driver) {
      _ = stage.world.turn(of: stage.world.driver)
      if owned.last != stage.ownedByDriver { owned.append(stage.ownedByDriver) }
    }
    #expect(owned == [["c1"], ["c0", "c1"], ["c1"], []])
  }
}

@Suite struct `A fault in the lowest of four contexts` {
  private func stage() -> Stage {
    var stage = Stage([nil, 0, 1, 2])
    stage.run(0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)), .save)
    stage.run(3, .object(with: HeldInstance(0, .n), as: .n))
    return stage
  }

  @Test func `a fault takes the queues above it in order, and the coordinator last`() {
    var stage = stage()
    stage.world.submit(AddressedStep(3, .get(.n, Note.title)))
    var owned: [[String]] = [[]]
    while stage.world.dispatcher.canRun(stage.world.driver) {
      _ = stage.world.turn(of: stage.world.driver)
      if owned.last != stage.ownedByDriver { owned.append(stage.ownedByDriver) }
    }
    let all = ["c0", "c1", "c2", "c3", "coordinator disk"]
    #expect(
      owned == [
        [], ["c3"], ["c2", "c3"], ["c1", "c2", "c3"], ["c0", "c1", "c2", "c3"], all, ["c3"], [],
      ])
  }

  @Test func `a fault waits half-way for a context that is busy`() {
    var stage = stage()
    stage.begin(1, .perform([AddressedStep(1, .sleep(10))]))
    stage.runWithoutTime()
    stage.begin(3, .get(.n, Note.title))
    #expect(stage.ownedByDriver == ["c2", "c3"])
    #expect(stage.world.dispatcher.waits(of: stage.world.driver) == stage.queue(1))
    #expect(stage[3, .n]?.isFault == true)
    #expect(stage.world.settle().events.last == .value(.text(1)))
    #expect(stage.ownedByDriver == [])
  }

  @Test func `a fault needs no other level once it is fired`() {
    var stage = stage()
    stage.run(3, .get(.n, Note.title))
    stage.begin(2, .perform([AddressedStep(2, .sleep(10))]))
    stage.runWithoutTime()
    #expect(stage.begin(3, .get(.n, Note.title)).events == [.value(.text(1))])
  }
}

@Suite struct Blocks {
  @Test func `blocks run in order, and each ends with ObjectsDidChange (NT-08)`() {
    var stage = Stage([nil])
    stage.begin(
      0, .perform([AddressedStep(0, .sleep(5)), AddressedStep(0, .insert(Note.entity, as: .n))]))
    stage.begin(0, .perform([AddressedStep(0, .insert(Note.entity, as: .m))]))
    let performed = stage.world.settle()
    #expect(
      performed.map(\.action) == [
        .step(AddressedStep(0, .insert(Note.entity, as: .n)), .whole), .endOfEvent(ContextID(0)),
        .step(AddressedStep(0, .insert(Note.entity, as: .m)), .whole), .endOfEvent(ContextID(0)),
      ])
    #expect(performed.allSatisfy { $0.lane == stage.worker(0) })
    #expect(
      performed.objectsDidChange(0) == [
        ChangeSets(inserted: [.temporary(Note.entity, serial: 1)]),
        ChangeSets(inserted: [.temporary(Note.entity, serial: 2)]),
      ])
    #expect(stage.world.unfinishedBlockCount == 0)
  }

  @Test func `blocks of performAndWait end without ObjectsDidChange (NT-09)`() {
    var stage = Stage([nil])
    let waited = stage.run(0, .performAndWait([AddressedStep(0, .insert(Note.entity, as: .n))]))
    #expect(waited.objectsDidChange(0) == [])
    #expect(waited.map(\.lane) == [stage.world.driver])
    #expect(stage.run(0, .processPendingChanges).objectsDidChange(0).count == 1)
  }

  @Test func `blocks of performAndWait run at once on a queue the lane owns (CC-02)`() {
    var stage = Stage([nil])
    let insert = AddressedStep(0, .insert(Note.entity, as: .n))
    let set = AddressedStep(0, .set(.n, Note.stamp, .integer(1)))
    for outer in [Step.perform, Step.performAndWait] {
      let performed = stage.run(
        0,
        outer([
          AddressedStep(0, .performAndWait([AddressedStep(0, .performAndWait([insert]))])), set,
        ]))
      #expect(performed.steps == [insert, set])
      #expect(Set(performed.map(\.lane)).count == 1)
      #expect(stage.owner(0) == nil && stage.world.dispatcher.deadlocks.isEmpty)
    }
  }

  @Test func `blocks of perform inside a block come after it (CC-01)`() {
    var stage = Stage([nil])
    let insert = AddressedStep(0, .insert(Note.entity, as: .n))
    let set = AddressedStep(0, .set(.n, Note.stamp, .integer(1)))
    stage.run(0, .insert(Note.entity, as: .n))
    let performed = stage.run(0, .perform([AddressedStep(0, .perform([set])), insert]))
    #expect(performed.steps == [insert, set])
  }

  @Test func `blocks of main-queue contexts share one queue`() {
    var stage = Stage([nil, 0, 0], main: [1, 2])
    #expect(stage.queue(1) == stage.queue(2) && stage.queue(0) != stage.queue(1))
    let first = AddressedStep(1, .insert(Note.entity, as: .n))
    let second = AddressedStep(2, .insert(Note.entity, as: .m))
    stage.begin(1, .perform([AddressedStep(1, .sleep(10)), first]))
    stage.begin(2, .perform([second]))
    let third = AddressedStep(0, .insert(Note.entity, as: .k))
    stage.begin(0, .perform([third]))
    #expect(stage.world.settle().steps == [third, first, second])
  }

  @Test func `blocks of a private context do not wait for another's`() {
    var stage = Stage([nil, 0, 0])
    let first = AddressedStep(1, .insert(Note.entity, as: .n))
    let second = AddressedStep(2, .insert(Note.entity, as: .m))
    stage.begin(1, .perform([AddressedStep(1, .sleep(10)), first]))
    stage.begin(2, .perform([second]))
    #expect(stage.world.settle().steps == [second, first])
  }
}

@Suite struct `An automatic merge` {
  @Test func `an automatic merge comes after earlier blocks and before later requests (NT-24)`() {
    var stage = Stage([nil, 0], merging: [1])
    stage.run(0, .insert(Note.entity, as: .n), .set(.n, Note.title, .text(1)), .save)
    stage.load(.n, from: 0, in: 1)
    let read = AddressedStep(1, .get(.n, Note.title))
    stage.run(0, .set(.n, Note.title, .text(2)))
    stage.begin(1, .perform([AddressedStep(1, .sleep(10))]))
    stage.begin(1, .perform([read]))
    stage.begin(0, .save)
    stage.begin(1, .performAndWait([read]))
    let performed = stage.world.settle()
    #expect(
      performed.map(\.action) == [
        .endOfEvent(ContextID(1)), .step(read, .whole), .endOfEvent(ContextID(1)),
        .merge(ContextID(1), number: 1), .step(read, .whole),
      ])
    #expect(performed.first { $0.events.contains(.value(.text(1))) }?.lane == stage.worker(1))
    #expect(performed.first { $0.action.isMerge }?.lane == stage.worker(1))
    #expect(performed.last?.events.last == .value(.text(2)))
  }
}

@Suite struct `Two contexts that wait for each other` {
  @Test func `a deadlock is found at the wait that closes it, while others run on`() {
    var stage = Stage([nil, 0, 0, 0], main: [1])
    let (toChild, toMain) = (
      AddressedStep(2, .performAndWait([AddressedStep(2, .insert(Note.entity, as: .n))])),
      AddressedStep(1, .performAndWait([AddressedStep(1, .insert(Note.entity, as: .n))]))
    )
    stage.begin(1, .perform([toChild]))
    stage.begin(2, .perform([toMain]))
    stage.begin(
      3,
      .perform([
        AddressedStep(3, .sleep(10)), AddressedStep(3, .insert(Note.entity, as: .m)),
        AddressedStep(3, .save),
      ]))
    let (main, child) = (stage.worker(1), stage.worker(2))
    while stage.world.dispatcher.canRun(main) { _ = stage.world.turn(of: main) }
    #expect(stage.world.dispatcher.waits(of: main) == stage.queue(2))
    #expect(stage.world.dispatcher.deadlocks.isEmpty)

    var wasBlocked = false
    while !wasBlocked { wasBlocked = stage.world.advance(child) == .blocked }
    let world = stage.world
    #expect(
      world.dispatcher.deadlocks.map { $0.description(lane: world.name, queue: world.name) } == [
        "a block of c2 owns c2 and waits for the main queue; "
          + "the main thread owns the main queue and waits for c2"
      ])
    #expect(world.dispatcher.canRun(stage.worker(3)))

    let rest = stage.world.settle()
    #expect(rest.didSave(3).map(\.inserted.count) == [1])
    #expect(stage[0, .n] == nil && stage.view(0).count == 1)
    #expect(stage.world.dispatcher.isQuiescent && stage.world.unfinishedBlockCount == 2)
  }

  @Test func `a deadlock is found if a context waits for a parent's values (CC-07)`() {
    // The main thread waits for its child, whose block saves into the main context.
    var stage = Stage([nil, 0, 1], main: [1])
    stage.run(2, .insert(Note.entity, as: .n))
    stage.begin(2, .perform([AddressedStep(2, .save)]))
    stage.begin(
      1, .perform([AddressedStep(2, .performAndWait([AddressedStep(2, .processPendingChanges)]))]))
    let (main, child) = (stage.worker(1), stage.worker(2))
    while stage.world.dispatcher.canRun(main) { _ = stage.world.turn(of: main) }
    while stage.world.dispatcher.canRun(child) { _ = stage.world.turn(of: child) }
    #expect(stage.world.dispatcher.deadlocks.map { $0.links.map(\.lane) } == [[child, main]])
    #expect(stage.hasChanges(2))
  }
}
