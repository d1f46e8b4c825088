import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Testing
import Vocabulary

/// Returns a stage with two roots, contexts 0 and 1, in an app with two queues.
func app(_ change: (inout Stack) -> Void = { _ in }) -> Stage {
  Stage(
    [nil, nil],
    app: { stack in
      stack.queues = [Stack.Queue(name: "writer"), Stack.Queue(name: "reader")]
      change(&stack)
    })
}

let (writer, reader) = (AppQueueID(0), AppQueueID(1))

extension Stage {
  /// Virtual time, in milliseconds.
  var now: Int { world.dispatcher.now.milliseconds }

  /// The app's queues follow the main queue.
  func queue(_ queue: AppQueueID) -> QueueID { QueueID(index: 1 + queue.index) }

  func owner(_ queue: AppQueueID) -> LaneID? {
    world.dispatcher.owner(of: self.queue(queue))
  }
}

@Suite struct `An increment` {
  private func stage(_ type: AttributeType = .integer64) -> Stage {
    var stage = Stage(
      [nil, 0], model: { note, _ in note.properties[1].changeAttribute { $0.type = type } })
    stage.run(0, .insert(Note.entity, as: .n))
    return stage
  }

  @Test func `an increment adds one to what the context shows, and null is 0`() {
    var stage = stage()
    #expect(stage.run(0, .increment(.n, Note.stamp)).events.last == .value(.integer(1)))
    #expect(stage.run(0, .increment(.n, Note.stamp)).events.last == .value(.integer(2)))
    #expect(stage.shown(0, .n, Note.stamp) == .integer(2))
    stage.run(0, .set(.n, Note.stamp, .integer(-1)))
    #expect(stage.run(0, .increment(.n, Note.stamp)).events.last == .value(.integer(0)))
  }

  @Test func `an increment is a change like any other`() {
    var stage = stage()
    stage.run(0, .save)
    #expect(!stage.hasChanges(0))
    stage.run(0, .increment(.n, Note.stamp))
    #expect(stage.hasChanges(0) && stage[0, .n]?.isUpdated == true)
    #expect(stage.run(0, .save).didSave(0).map(\.updated.count) == [1])
  }

  @Test func `an increment fires a fault`() {
    var stage = stage()
    stage.run(0, .increment(.n, Note.stamp), .save)
    stage.run(1, .object(with: HeldInstance(0, .n), as: .n))
    #expect(stage[1, .n]?.isFault == true)
    #expect(stage.run(1, .increment(.n, Note.stamp)).events.last == .value(.integer(2)))
    #expect(stage.shown(0, .n, Note.stamp) == .integer(1))
  }

  @Test(arguments: [
    (AttributeType.integer16, Int64(Int16.max)), (.integer32, Int64(Int32.max)),
    (.integer64, .max),
  ])
  func `an increment leaves the greatest number as it is`(type: AttributeType, greatest: Int64) {
    var stage = stage(type)
    stage.run(0, .set(.n, Note.stamp, .integer(greatest - 1)))
    for _ in 1...2 {
      #expect(stage.run(0, .increment(.n, Note.stamp)).events.last == .value(.integer(greatest)))
    }
  }

  @Test(arguments: [
    (AttributeType.integer16, Int64(Int16.min)), (.integer32, Int64(Int32.min)),
    (.integer64, .min),
  ])
  func `an increment by -1 leaves the least number as it is`(type: AttributeType, least: Int64) {
    var stage = stage(type)
    #expect(stage.run(0, .increment(.n, Note.stamp, by: -1)).events.last == .value(.integer(-1)))
    stage.run(0, .set(.n, Note.stamp, .integer(least + 1)))
    for _ in 1...2 {
      let events = stage.run(0, .increment(.n, Note.stamp, by: -1)).events
      #expect(events.last == .value(.integer(least)))
    }
  }

  @Test func `increments of two contexts that saw the same number count once`() {
    var stage = Stage([nil, nil], policies: [.error, .overwrite])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    stage.load(.n, from: 0, in: 1)
    stage.run(0, .increment(.n, Note.stamp), .save)
    stage.run(1, .increment(.n, Note.stamp), .save)
    #expect(stage.rows.map(\.values) == [[.null, .integer(1), .null]])
  }
}

@Suite struct `Virtual time` {
  private func stage() -> Stage {
    var stage = Stage(
      [nil, nil, 0],
      app: {
        $0.timing.read = 2
        $0.timing.write = 10
      })
    stage.run(0, .insert(Note.entity, as: .n))
    return stage
  }

  @Test func `virtual time passes with a save that writes, and with no other`() {
    var stage = stage()
    #expect(stage.now == 0)
    stage.run(0, .save)
    #expect(stage.now == 10)
    stage.run(0, .save)
    #expect(stage.now == 10)
    stage.run(2, .object(with: HeldInstance(0, .n), as: .n), .set(.n, Note.title, .text(1)), .save)
    #expect(stage.now == 10 && stage.hasChanges(0))
  }

  @Test func `virtual time passes with a read of the store past the row cache`() {
    var stage = stage()
    stage.run(0, .save, .release(.n))
    stage.run(1, .fetch(FetchRequest(entity: Note.entity)))
    #expect(stage.now == 12)
    stage.run(1, .get(.n, Note.title))
    #expect(stage.now == 12)
    stage.run(1, .count(FetchRequest(entity: Note.entity)))
    #expect(stage.now == 14)
  }

  @Test func `virtual time passes while queues are held, before observers are called`() {
    let observer = Stack.Observer(
      notification: .didSave, context: ContextID(0), steps: [AddressedStep(0, .hasChanges)])
    var stage = Stage([nil], observers: [observer], app: { $0.timing.write = 10 })
    stage.run(0, .insert(Note.entity, as: .n))
    stage.world.submit(AddressedStep(0, .save))
    stage.runWithoutTime()
    #expect(stage.ownedByDriver == ["c0", "coordinator disk"])
    #expect(stage.rows.count == 1)
    let rest = stage.world.settle()
    #expect(stage.now == 10 && rest.steps.last == AddressedStep(0, .hasChanges))
  }

  @Test func `virtual time does not pass unless the stack says so`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .save, .fetch(FetchRequest(entity: Note.entity)))
    #expect(stage.now == 0)
  }
}

@Suite struct `A queue of the app` {
  private let insert = AddressedStep(0, .insert(Note.entity, as: .n))
  private let other = AddressedStep(1, .insert(Note.entity, as: .m))

  @Test func `a queue of the app runs one block after the other, for several contexts`() {
    var stage = app()
    stage.begin(0, .async(writer, [AddressedStep(0, .sleep(10)), insert]))
    stage.begin(1, .async(writer, [other]))
    #expect(stage.owner(writer) != nil && stage.view(0).isEmpty)
    let performed = stage.world.settle()
    #expect(performed.steps == [insert, other])
    #expect(Set(performed.map(\.lane)).count == 1)
    #expect(performed.objectsDidChange(0).isEmpty && performed.objectsDidChange(1).isEmpty)
    #expect(stage.world.unfinishedBlockCount == 0)
  }

  @Test func `a queue of the app does not wait for another queue`() {
    var stage = app()
    stage.begin(0, .async(writer, [AddressedStep(0, .sleep(10)), insert]))
    stage.begin(1, .async(reader, [other]))
    #expect(stage.world.settle().steps == [other, insert])
  }

  @Test func `dispatchSync waits for a queue of the app, and gives it back`() {
    var stage = app()
    stage.begin(0, .async(writer, [AddressedStep(0, .sleep(10)), insert]))
    stage.runWithoutTime()
    stage.begin(1, .sync(writer, [other]))
    #expect(stage.view(1).isEmpty)
    let performed = stage.world.settle()
    #expect(performed.steps == [insert, other])
    #expect(performed.last?.lane == stage.world.driver && stage.owner(writer) == nil)
  }

  @Test func `a queue of the app does not free steps from their contexts' queues`() {
    var stage = app()
    stage.begin(0, .perform([AddressedStep(0, .sleep(10)), AddressedStep(0, .save)]))
    stage.begin(0, .async(writer, [insert]))
    stage.runWithoutTime()
    #expect(stage.view(0).isEmpty && stage.owner(writer) != nil)
    #expect(stage.world.settle().steps.last == insert)
  }

  @Test func `a block waits in vain for its own queue of the app`() {
    var stage = app()
    stage.run(0, .async(writer, [AddressedStep(0, .sync(writer, [insert]))]))
    let world = stage.world
    #expect(
      world.dispatcher.deadlocks.map { $0.description(lane: world.name, queue: world.name) } == [
        "a block of writer owns writer and waits for writer"
      ])
    #expect(stage.view(0).isEmpty && stage.owner(writer) != nil)
    world.dispatcher.checkInvariants()
  }

  @Test func `a queue of the app and a context can wait for each other`() {
    var stage = app()
    stage.begin(
      0, .perform([AddressedStep(0, .sleep(5)), AddressedStep(0, .sync(writer, [other]))]))
    stage.begin(0, .async(writer, [AddressedStep(0, .sleep(5)), insert]))
    _ = stage.world.settle()
    let world = stage.world
    let deadlocks = world.dispatcher.deadlocks.map {
      $0.description(lane: world.name, queue: world.name)
    }
    #expect(deadlocks.count == 1)
    #expect(deadlocks.allSatisfy { $0.contains("a block of writer owns writer and waits for c0") })
    #expect(deadlocks.allSatisfy { $0.contains("a block of c0 owns c0 and waits for writer") })
  }
}

@Suite struct `A context that is confined to a thread` {
  private func stage(_ threads: [AppQueueID?]) -> Stage {
    app { stack in
      for (index, thread) in threads.enumerated() {
        stack.contexts[index].concurrencyType = .confinement
        stack.contexts[index].thread = thread
      }
    }
  }

  @Test func `a confined context has the queue of its thread`() {
    let own = stage([writer, reader])
    #expect(own.queue(0) == own.queue(writer) && own.queue(0) != own.queue(1))
    let shared = stage([writer, writer])
    #expect(shared.queue(0) == shared.queue(1))
    let main = stage([nil, writer])
    #expect(main.world.name(of: main.queue(0)) == "the main queue")
  }

  @Test func `a confined context waits for other blocks of its thread`() {
    var stage = stage([writer, writer])
    let insert = AddressedStep(0, .insert(Note.entity, as: .n))
    let other = AddressedStep(1, .insert(Note.entity, as: .m))
    stage.begin(0, .perform([AddressedStep(0, .sleep(10)), insert]))
    stage.begin(1, .perform([other]))
    #expect(stage.world.settle().steps == [insert, other])
  }

  @Test func `a confined context needs no second turn on its own thread`() {
    var stage = stage([writer, reader])
    let insert = AddressedStep(0, .insert(Note.entity, as: .n))
    let performed = stage.run(0, .async(writer, [insert, AddressedStep(0, .save)]))
    #expect(performed.didSave(0).map(\.inserted.count) == [1])
    #expect(stage.world.dispatcher.deadlocks.isEmpty)
  }
}

@Suite struct `An entry point` {
  @Test func `an entry point does its steps on the caller's context, and waits`() {
    var stage = app {
      $0.entryPoints = [
        Stack.EntryPoint(
          name: "both", steps: [AddressedStep(0, .save), AddressedStep(1, .save)]),
        Stack.EntryPoint(name: "again", steps: [AddressedStep(1, .call(EntryPointID(0)))]),
      ]
    }
    stage.run(0, .insert(Note.entity, as: .n))
    stage.run(1, .insert(Note.entity, as: .m))
    stage.begin(1, .perform([AddressedStep(1, .sleep(10))]))
    stage.runWithoutTime()
    stage.begin(0, .call(EntryPointID(1)))
    #expect(stage.rows.isEmpty)
    let performed = stage.world.settle()
    #expect(performed.didSave(0).count == 1 && performed.didSave(1).count == 1)
    #expect(stage.rows.count == 2 && stage.world.isDriverIdle)
  }
}
