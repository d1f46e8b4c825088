import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Testing
import Vocabulary

@Suite struct `The outlook of lanes` {
  /// Two roots and a child of the first, all private.
  private var stage: Stage { Stage([nil, nil, 0]) }

  private func insert(_ c: Int, _ name: ObjectName) -> AddressedStep {
    AddressedStep(ContextID(c), .insert(Note.entity, as: name))
  }

  /// Makes the program's thread enqueue a block on a context's queue.
  private func enqueue(_ c: Int, _ name: ObjectName, _ world: inout World) {
    world.submit(AddressedStep(ContextID(c), .perform([insert(c, name)])))
    _ = world.turn(of: world.driver)
  }

  private func turnsLeft(_ world: World, on queues: QueueSet = .all) -> Int {
    (0..<world.laneCount).reduce(0) {
      $0 + world.turnsLeft(of: LaneID(index: $1), on: queues)
    }
  }

  /// Runs until nothing is left and returns the number of turns. Each turn begins where the lane
  /// could have been stopped.
  private func count(_ world: inout World) -> Int {
    var count = 0
    while let lane = world.dispatcher.runnable.first {
      count += 1
      repeat {
        _ = world.turn(of: lane)
      } while world.dispatcher.canRun(lane)
        && !world.isAtSynchronisationPoint(lane)
    }
    return count
  }

  @Test(arguments: [
    Step.perform([AddressedStep(ContextID(0), .insert(Note.entity, as: .n))]),
    .performAndWait([
      AddressedStep(ContextID(0), .insert(Note.entity, as: .n)),
      AddressedStep(ContextID(0), .insert(Note.entity, as: .m)),
    ]),
    .perform([
      AddressedStep(ContextID(0), .insert(Note.entity, as: .n)),
      AddressedStep(
        ContextID(1), .performAndWait([AddressedStep(ContextID(1), .insert(Note.entity, as: .m))])),
      AddressedStep(
        ContextID(2), .perform([AddressedStep(ContextID(2), .insert(Note.entity, as: .k))])),
    ]),
    .perform([AddressedStep(ContextID(0), .fetch(FetchRequest(entity: Note.entity)))]),
    .perform([AddressedStep(ContextID(1), .insert(Note.entity, as: .n))]),
    .suspend(nil), .kill,
    .save,
  ])
  func `the turns of a step are counted exactly`(step: Step) {
    var world = stage.world
    world.submit(AddressedStep(ContextID(0), step))
    let expected = turnsLeft(world)
    #expect(expected == count(&world))
    #expect(turnsLeft(world) == 0)
  }

  @Test func `the outlook of a lane includes blocks that stand in line`() {
    var world = stage.world
    for name in [ObjectName.n, .m, .k] {
      enqueue(0, name, &world)
    }
    let worker = world.dispatcher.worker(of: world.queue(of: ContextID(0)))
    // Each block also takes a turn to begin and one to end.
    #expect(world.turnsLeft(of: worker, on: .all) == 6)
    #expect(count(&world) == 6)
  }

  @Test func `the turns of a lane can be counted for one queue`() {
    var world = stage.world
    enqueue(0, .n, &world)
    enqueue(1, .m, &world)
    for c in [0, 1] {
      #expect(turnsLeft(world, on: QueueSet(world.queue(of: ContextID(c)))) == 2)
    }
    #expect(turnsLeft(world, on: QueueSet(world.queue(of: ContextID(2)))) == 0)
  }

  @Test func `a turn meets what others do on the same queue, and nothing else`() {
    var world = stage.world
    enqueue(0, .n, &world)
    enqueue(1, .m, &world)
    world.submit(AddressedStep(ContextID(0), .performAndWait([insert(0, .k)])))
    let turns = [0, 1].map { c in
      world.nextTurn(of: world.dispatcher.worker(of: world.queue(of: ContextID(c))))
    }
    let driver = world.nextTurn(of: world.driver)
    #expect(driver.meets(turns[0]))
    #expect(!driver.meets(turns[1]))
    #expect(!turns[0].meets(turns[1]))
  }
}
